"""Kattis and ICPC problem packages as a ``Package``.

Source: the problem package format of Kattis (legacy, legacy-icpc, 2025-09 and its drafts, 2023-07);
DOMjudge's domjudge-problem.ini and .timelimit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from microcoder_eval.formats.packages.files import read_lenient_text, read_text, to_positive_number
from microcoder_eval.formats.packages.package import Package, PackageError, PackageTest
from microcoder_eval.formats.plain_files import list_files
from microcoder_eval.points import TestGroup

from .group_settings import GROUP_FILE, LEGACY_FILE, Settings
from .groups_2023 import read_2023_groups
from .groups_legacy import LEGACY_KEYS, read_deciding_groups, read_legacy_groups
from .problem_yaml import INI_FILE, ProblemYaml, read_ini_value, read_problem_yaml
from .statement import STATEMENT_FOLDERS, read_statement
from .submissions import read_submissions
from .test_data import explain_missing_tests, read_tests, refuse_settings
from .validators import VALIDATOR_FOLDERS, read_grader, read_judge

# DOMjudge takes packages without problem.yaml, too.
MARKERS: tuple[str, ...] = ("problem.yaml", INI_FILE)
_TIME_LIMIT_FILE = ".timelimit"
_DATA, _SUBMISSIONS, _INCLUDE = "data", "submissions", "include"
_GRADERS, _ATTACHMENTS = "graders", "attachments"
# A folder that is missing here is read without a check of its links.
NAMES_READ: tuple[str, ...] = (
    *MARKERS, _TIME_LIMIT_FILE, "problem*.tex", "problem*.md", "problem*.html", _DATA,
    _SUBMISSIONS, _INCLUDE, _GRADERS, _ATTACHMENTS, *filter(None, STATEMENT_FOLDERS),
    *VALIDATOR_FOLDERS,
)  # fmt: skip
_MEMORY_MB = 2048.0  # the format's default
_FILES_MB = 64.0  # that submissions may write where the package allows it
_LANGUAGE_FOLDERS = {"python3": "python", "python2": "python2"}  # the others have our names
_PROTOCOLS = {"interactive", "multi-pass"}  # whose statements show interactions, and no tests
_STARTS_PROCESS = re.compile(
    r"\bv?fork\s*\(\s*\)|\bposix_spawnp?\s*\(|\bpopen\s*\(|\bsubprocess\.\w+\("
    r"|\bnew\s+ProcessBuilder\b|\bgetRuntime\(\)\.exec\(|\bprocess::Command\b"
)


def read_kattis(folder: Path) -> Package:
    """Return the problem in a folder. Raises PackageError, OSError."""
    data = folder / _DATA
    config = read_problem_yaml(folder / MARKERS[0])
    time_s = config.get_limit("time_limit") or _read_time_limit(folder)
    settings = Settings(data, config.fields)
    checker, interactor = read_judge(folder, config, settings)
    includes = _read_includes(folder / _INCLUDE)
    _check_graders(includes)
    if not config.is_legacy:
        refuse_settings(settings)
    tests = read_tests(data, settings)
    missing_tests = explain_missing_tests(data, tests, is_scoring="scoring" in config.words)
    if missing_tests:
        tests = tuple(test for test in tests if test.output is not None)
    groups, objective = ((), "max") if missing_tests else read_groups(settings, config, tests)
    return Package(
        name=folder.resolve().name,
        title=config.get_text("name"),
        statement=read_statement(folder),
        tests=tests,
        missing_tests=missing_tests,
        examples=() if config.words & _PROTOCOLS else None,
        groups=groups,
        objective=objective,
        grader=read_grader(folder / _GRADERS, groups),
        time_s=time_s,
        memory_mb=config.get_limit("memory") or _MEMORY_MB,
        output_mb=config.get_limit("output"),
        files_mb=_FILES_MB if config.fields.get("allow_file_writing") is True else None,
        limit_rule=config.make_limit_rule(),
        checker=checker,
        interactor=interactor,
        licence=config.get_text("license"),
        source=config.get_text("source"),
        submissions=tuple(read_submissions(folder / _SUBMISSIONS)),
        includes=includes,
        starter_code=_read_template(folder / _ATTACHMENTS) if "python" in includes else None,
    )


def read_groups(
    settings: Settings, config: ProblemYaml, tests: Sequence[PackageTest]
) -> tuple[tuple[TestGroup, ...], str]:
    """Return (the groups of a package in any format, empty if it has no points, and its objective).
    Raises PackageError."""
    if "scoring" not in config.words or not tests:
        return read_deciding_groups(settings, tests) if config.is_legacy else (), "max"
    file_name = _find_group_file(settings)
    if config.is_legacy or file_name is None:
        return read_legacy_groups(settings, config, tests)
    return read_2023_groups(settings, tests, file_name), "max"


def _find_group_file(settings: Settings) -> str | None:
    """Return the name of the files that hold the settings of groups; None if these are the legacy
    format's, as in early drafts."""
    if settings.list_groups(GROUP_FILE):
        return GROUP_FILE
    items = [item for _, own in settings.list_groups(LEGACY_FILE) for item in own.items()]
    is_legacy = any(key in LEGACY_KEYS and not isinstance(value, dict) for key, value in items)
    return None if is_legacy else LEGACY_FILE


def _read_time_limit(folder: Path) -> float | None:
    """Return the limit in domjudge-problem.ini, else in .timelimit (Kattis)."""
    text = read_ini_value(folder, "timelimit")
    file = folder / _TIME_LIMIT_FILE
    if text is None and file.is_file():
        text = read_text(file).strip()
    return to_positive_number(text)


def _read_includes(folder: Path) -> dict[str, dict[str, str]]:
    """Return, by language, the files that are built with every submission."""
    if not folder.is_dir():
        return {}
    return {
        _LANGUAGE_FOLDERS.get(path.name, path.name): {
            file.relative_to(path).as_posix(): read_lenient_text(file) for file in list_files(path)
        }
        for path in sorted(folder.iterdir())
        if path.is_dir()
    }


def _check_graders(includes: Mapping[str, Mapping[str, str]]) -> None:
    """Refuse a file that starts processes: all submissions would end in RE."""
    for language, files in includes.items():
        for name, text in files.items():
            if _STARTS_PROCESS.search(text):
                raise PackageError(
                    f"the grader include/{language}/{name} starts processes, which no program may",
                    "grader_starts_processes",
                )


def _read_template(folder: Path) -> str | None:
    """Return what submissions in Python start from."""
    templates = sorted(folder.glob("*.py"))
    return read_lenient_text(templates[0]) if templates else None
