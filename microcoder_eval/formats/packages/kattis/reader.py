"""Kattis and ICPC problem packages: problem.yaml, data/, submissions/, output validators.

Source: the problem package format of Kattis (legacy, legacy-icpc, 2025-09 and its drafts, 2023-07);
DOMjudge's domjudge-problem.ini and .timelimit.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

from microcoder_eval.errors import guess_name
from microcoder_eval.formats.datasets.format import get_optional_text
from microcoder_eval.formats.packages.files import (
    read_lenient_text,
    read_text,
    read_yaml,
    to_positive_number,
)
from microcoder_eval.formats.packages.limits import LimitRule
from microcoder_eval.formats.packages.package import (
    BrokenPackageError,
    Checker,
    CheckerProgram,
    Package,
    PackageError,
    PackageTest,
    UnsupportedPackageError,
    make_program_error,
)
from microcoder_eval.formats.packages.programs import read_checker
from microcoder_eval.formats.plain_files import list_files
from microcoder_eval.log import get_logger
from microcoder_eval.points import GRADER, TestGroup, walk_groups

from .constants import fill_constants
from .group_settings import GROUP_FILE, Settings
from .groups_legacy import Scoring, read_kattis_groups
from .submissions import read_submissions

# DOMjudge takes packages without problem.yaml, too.
MARKERS: tuple[str, ...] = ("problem.yaml", "domjudge-problem.ini")
_MEMORY_MB = 2048.0  # the format's default
_STATEMENT_FOLDERS = ("problem_statement", "statement", "")
# problem.tex, problem.en.tex: what the specification calls a statement. Slides have other names.
_STATEMENT = re.compile(r"problem(?:\.(?P<language>[a-z]{2,3}(?:-[A-Z]{2})?))?\.(?:tex|md|html)")
_LEGEND = "Lines with < are what the program reads, those with > what it prints."
_INTERACTION = {
    ".tex": "\\section*{{{title}}}\n\\begin{{verbatim}}\n{text}\n\\end{{verbatim}}",
    ".md": "## {title}\n\n```\n{text}\n```",
    ".html": "<h2>{title}</h2>\n<pre>{text}</pre>",
}
_VALIDATOR_FOLDERS = ("output_validators", "output_validator")
# A folder that is missing here is read without a check of its links.
NAMES_READ: tuple[str, ...] = (
    *MARKERS, ".timelimit", "problem*.tex", "problem*.md", "problem*.html", "data", "submissions",
    "include", "graders", "attachments", *filter(None, _STATEMENT_FOLDERS), *_VALIDATOR_FOLDERS,
)  # fmt: skip
_LANGUAGE_FOLDERS = {"python3": "python", "python2": "python2"}  # the others have our names
_DEFAULT_PASSES = 2  # of problems of several passes
_PROTOCOLS = {"interactive", "multi-pass"}  # whose statements show interactions, and no tests
_STATIC_KEYS = {"static_validation", "static_validation_score"}
_STATIC_VALIDATOR_FOLDERS = ("static_validator", "static_validators")
_STARTS_PROCESS = re.compile(
    r"\bv?fork\s*\(\s*\)|\bposix_spawnp?\s*\(|\bpopen\s*\(|\bsubprocess\.\w+\("
    r"|\bnew\s+ProcessBuilder\b|\bgetRuntime\(\)\.exec\(|\bprocess::Command\b"
)
_TEST_SUFFIXES = (".args", ".files")  # of 2023-07: a command line and files for submissions
_FILES_MB = 64.0  # that submissions may write where the package allows it
# All keys of problem.yaml and of its "limits", in the legacy format and since 2023-07.
_KEYS = frozenset(
    ["problem_format_version", "type", "name", "uuid", "version", "author", "credits", "source",
     "source_url", "license", "rights_owner", "embargo_until", "limits", "validation",
     "validator_flags", "grading", "keywords", "languages", "allow_file_writing", "constants"]
)  # fmt: skip
_LIMIT_KEYS = frozenset(
    ["time_multiplier", "time_safety_margin", "time_multipliers", "time_limit", "time_resolution",
     "memory", "output", "code", "compilation_time", "compilation_memory", "validation_time",
     "validation_memory", "validation_output", "validation_passes"]
)  # fmt: skip
_log = get_logger("formats")


def read_kattis(folder: Path) -> Package:
    """Return the problem in a folder. Raises PackageError, OSError."""
    config_file = folder / MARKERS[0]
    config = read_yaml(config_file) if config_file.is_file() else {}
    _warn_of_unknown_keys(config_file, config)
    version = str(config.get("problem_format_version") or "legacy")
    is_legacy = version.startswith("legacy")
    words = _read_kind(config)
    limits = _read_limits(config)
    statement, language = _read_statement(folder)
    time_s = to_positive_number(limits.get("time_limit")) or _read_time_limit(folder)
    settings = Settings(folder / "data", config)
    checker, interactor = _read_judge(folder, words, settings, is_legacy=is_legacy)
    if "multi-pass" in words:
        judge = _add_passes(interactor or checker, limits.get("validation_passes"))
        checker, interactor = (checker, judge) if interactor is not None else (judge, None)
    includes = _read_includes(folder / "include")
    _check_grader(includes)
    _check_static_validation(folder, settings)
    if not is_legacy:
        _check_arguments(settings)
    tests = _read_tests(folder / "data", settings)
    missing_tests = _explain_missing(folder / "data", tests, is_scoring="scoring" in words)
    if missing_tests:
        tests = tuple(test for test in tests if test.output is not None)
    scoring = Scoring() if missing_tests else read_kattis_groups(settings, config, tests)
    package = Package(
        name=folder.resolve().name,
        title=_read_title(config.get("name")),
        statement=statement,
        statement_language=language,
        tests=tests,
        missing_tests=missing_tests,
        examples=() if words & _PROTOCOLS else _read_examples(folder / "data", tests),
        groups=scoring.groups,
        objective=scoring.objective,
        grader=_read_grader(folder / "graders", scoring.groups),
        time_s=time_s,
        memory_mb=to_positive_number(limits.get("memory")) or _MEMORY_MB,
        output_mb=to_positive_number(limits.get("output")),
        files_mb=_FILES_MB if config.get("allow_file_writing") is True else None,
        limit_rule=None if time_s else _read_limit_rule(limits, is_legacy=is_legacy),
        checker=checker,
        interactor=interactor,
        licence=get_optional_text(config.get("license")),
        source=_read_title(config.get("source")),
        submissions=tuple(read_submissions(folder / "submissions", version)),
        includes=includes,
        starter_code=_read_template(folder / "attachments") if "python" in includes else None,
    )
    return fill_constants(package, config.get("constants"))


def _warn_of_unknown_keys(path: Path, config: Mapping[str, Any]) -> None:
    limits = config.get("limits")
    places = (("", config, _KEYS), ("limits: ", limits, _LIMIT_KEYS))
    for place, fields, known_keys in places:
        for key in sorted(map(str, fields if isinstance(fields, Mapping) else ())):
            if key not in known_keys:
                guess = guess_name(key, known_keys)
                _log.warning("%s: %s%s is not read%s", path, place, key, guess)


def _read_limits(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the limits. Raises BrokenPackageError for one that is no number."""
    limits = config.get("limits")
    if limits is not None and not isinstance(limits, Mapping):
        raise BrokenPackageError(f"problem.yaml: limits is {limits!r}, not a mapping")
    for key, value in (limits or {}).items():
        is_number = isinstance(value, Mapping) or to_positive_number(value) is not None
        if value is not None and not is_number:
            raise BrokenPackageError(f"problem.yaml: limits: {key} is {value!r}, not a number")
    return limits or {}


def _read_title(value: Any) -> str | None:
    """Return a text, or the English one, else the first, of texts by language."""
    if isinstance(value, Mapping):
        value = value.get("en") or value.get("name") or next(iter(value.values()), None)
    return get_optional_text(value)


def _read_kind(config: Mapping[str, Any]) -> set[str]:
    """Return the words of ``type`` and ``validation``. Raises UnsupportedPackageError."""
    words = set(re.findall(r"[\w-]+", f"{config.get('type')} {config.get('validation')}"))
    if "submit-answer" in words:
        raise UnsupportedPackageError("submit_answer", "the problem is of type submit-answer")
    return words


def _read_limit_rule(limits: Mapping[str, Any], *, is_legacy: bool) -> LimitRule:
    if is_legacy:
        return LimitRule(
            to_positive_number(limits.get("time_multiplier")) or 5.0,
            to_positive_number(limits.get("time_safety_margin")) or 2.0,
        )
    multipliers = limits.get("time_multipliers")
    multipliers = multipliers if isinstance(multipliers, Mapping) else {}
    return LimitRule(
        to_positive_number(multipliers.get("ac_to_time_limit")) or 2.0,
        to_positive_number(multipliers.get("time_limit_to_tle")) or 1.5,
        to_positive_number(limits.get("time_resolution")) or 1.0,
    )


def _read_time_limit(folder: Path) -> float | None:
    """Return the limit in domjudge-problem.ini, else in .timelimit (Kattis)."""
    declared = _read_ini_value(folder, "timelimit")
    timelimit_file = folder / ".timelimit"
    if declared is None and timelimit_file.is_file():
        declared = read_text(timelimit_file).strip()
    return to_positive_number(declared)


def _read_ini_value(folder: Path, key: str) -> str | None:
    ini_file = folder / "domjudge-problem.ini"
    text = read_text(ini_file) if ini_file.is_file() else ""
    match = re.search(rf"^\s*{key}\s*=\s*['\"]?([^\s'\";]+)", text, re.MULTILINE)
    return match[1] if match else None


def _check_executables(folder: Path) -> None:
    """Refuse names of programs that DOMjudge has and the package lacks."""
    for key in ("special_compare", "special_run"):
        if name := _read_ini_value(folder, key):
            raise make_program_error(
                f"domjudge-problem.ini: {key} is {name}, a program of the judge's own installation"
            )


def _read_tests(data: Path, settings: Settings) -> tuple[PackageTest, ...]:
    """Return samples first, then the secret ones, by name, in all groups."""
    if not data.is_dir():
        raise BrokenPackageError("there is no folder data")
    tests = []
    for section in ("sample", "secret"):
        paths = list(list_files(data / section)) if (data / section).is_dir() else []
        for path in paths:
            _check_plain_test(path.relative_to(data))
            if path.suffix == ".ans" and not path.with_suffix(".in").is_file():
                answer = path.relative_to(data.parent)
                raise BrokenPackageError(f"{answer} is the answer of a test whose input is missing")
        for path in sorted(path for path in paths if path.suffix == ".in"):
            name = path.relative_to(data).as_posix().removesuffix(".in")
            answer = path.with_suffix(".ans")
            tests.append(
                PackageTest(
                    read_text(path),
                    read_text(answer) if answer.is_file() else None,
                    group=name.rpartition("/")[0],
                    is_sample=section == "sample",
                    name=name,
                    checker_args=settings.find_args(name),
                )
            )
    return tuple(tests)


def _check_plain_test(path: PurePath) -> None:
    """Refuse a file that gives submissions a command line, or further files."""
    for part in (path, *path.parents):
        if part.suffix in _TEST_SUFFIXES:
            kind = "a command line" if part.suffix == ".args" else "files"
            message = f"data/{part} gives submissions {kind}: only standard input is supported"
            raise UnsupportedPackageError("test_files", message)


def _check_arguments(settings: Settings) -> None:
    """Refuse settings of tests and groups that give submissions a command line."""
    for path, own in settings.files.items():
        if own.get("args"):
            message = f"data/{path}: args gives submissions a command line, which is not supported"
            raise UnsupportedPackageError("test_arguments", message)


def _explain_missing(data: Path, tests: tuple[PackageTest, ...], *, is_scoring: bool) -> str:
    """Return why a package whose secret tests have yet to be made has none; empty for others."""
    if any(not test.is_sample for test in tests):
        return ""
    scripts = [path for path in data.glob("*gen*") if not path.suffix and path.is_file()]
    scripts += sorted(data.glob("*.sh"), key=lambda path: ("gen" not in path.name, path.name))
    makers = [*scripts, *sorted(data.rglob("*gen*")), *data.glob("[Mm]akefile")]
    makers += [*sorted(data.parent.glob("generator*/*")), *data.parent.glob("generator*")]
    if not (makers or (tests and is_scoring)):
        return ""
    name = f" ({makers[0].relative_to(data.parent)})" if makers else ""
    # `check` replaces this by what it says of a script that it cannot read.
    hint = ", or try `microcoder-data check PACKAGE --keep-tests FOLDER`" if scripts else ""
    return f"data/secret holds no test: run the package's generator first{name}{hint}"


def _read_statement(folder: Path) -> tuple[str | None, str | None]:
    """Return the statement and its language: English where the package has it."""
    paths: dict[str, Path] = {}
    for name in _STATEMENT_FOLDERS:
        # .tex before .md before .html; problem.en.tex before problem.tex
        paths_by_name = sorted((folder / name).glob("problem*"))
        for path in sorted(paths_by_name, key=lambda path: path.suffix, reverse=True):
            if match := _STATEMENT.fullmatch(path.name):
                paths.setdefault(match["language"] or "en", path)
    if not paths:
        return None, None
    language = "en" if "en" in paths else min(paths)
    interactions = _show_interactions(folder / "data" / "sample", paths[language].suffix)
    return "\n\n".join([read_lenient_text(paths[language]), *interactions]), language


def _show_interactions(samples: Path, suffix: str) -> Iterator[str]:
    """Yield what a statement with that suffix shows of the interactions among the samples."""
    escape = html.escape if suffix == ".html" else str
    paths = sorted(samples.glob("*.interaction"))
    if paths:
        yield f"<p>{escape(_LEGEND)}</p>" if suffix == ".html" else _LEGEND
    for number, path in enumerate(paths, 1):
        text = escape(read_lenient_text(path).strip("\n"))
        yield _INTERACTION[suffix].format(title=f"Sample Interaction {number}", text=text)


def _read_examples(data: Path, tests: Sequence[PackageTest]) -> tuple[PackageTest, ...]:
    """Return the samples as the statement shows them, which some have files of their own for."""
    examples = []
    for test in (test for test in tests if test.is_sample and test.output is not None):
        files = [data / f"{test.name}.{side}.statement" for side in ("in", "ans")]
        texts = [read_text(file) if file.is_file() else None for file in files]
        shown = replace(test, input=texts[0] or test.input, output=texts[1] or test.output)
        examples.append(shown)
    return tuple(examples)


def _read_judge(
    folder: Path, words: set[str], settings: Settings, *, is_legacy: bool
) -> tuple[Checker | None, CheckerProgram | None]:
    """Return (the checker, the interactor), one of them."""
    paths = [
        path
        for name in _VALIDATOR_FOLDERS
        for path in sorted((folder / name).glob("*"))
        if not path.name.startswith(".")
    ]
    is_interactive = "interactive" in words
    is_custom = is_interactive or "custom" in words or bool(paths and not is_legacy)
    if not (is_custom and paths):
        _check_executables(folder)
    if is_custom:
        role = "interactor" if is_interactive else "output validator"
        validator = read_checker(paths, "kattis", settings.args, role)
        return (None, validator) if is_interactive else (validator, None)
    return {"name": "kattis", **settings.parse_flags()}, None


def _read_grader(folder: Path, groups: Sequence[TestGroup]) -> CheckerProgram | None:
    """Return the program that the groups ask for."""
    if not any(group.accept == GRADER for group in walk_groups(groups)):
        return None
    paths = sorted(path for path in folder.glob("*") if not path.name.startswith("."))
    try:
        return read_checker(paths, "", role="grader")
    except PackageError as error:
        message = f"grading is custom, by a program in graders/: {error.message}"
        raise UnsupportedPackageError("custom_grader", message) from None


def _add_passes(checker: Checker | None, count: Any) -> CheckerProgram:
    if not isinstance(checker, CheckerProgram):
        raise BrokenPackageError("a problem of several passes needs an output validator")
    passes = to_positive_number(count) or _DEFAULT_PASSES
    return replace(checker, passes=max(2, int(passes)))


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


def _check_grader(includes: Mapping[str, Mapping[str, str]]) -> None:
    """Refuse a grader that starts processes: its submissions would all end in RE."""
    for language, files in includes.items():
        for name, text in files.items():
            if _STARTS_PROCESS.search(text):
                raise UnsupportedPackageError(
                    "grader_starts_processes",
                    f"the grader include/{language}/{name} starts processes, which no program may",
                )


def _check_static_validation(folder: Path, settings: Settings) -> None:
    """Refuse groups decided by a program that reads the submission's text."""
    if not any((folder / name).is_dir() for name in _STATIC_VALIDATOR_FOLDERS):
        return
    for path, own in settings.list_groups(GROUP_FILE):
        if not _STATIC_KEYS.isdisjoint(own):
            message = f"data/{path} asks for static_validation, which is not supported"
            raise UnsupportedPackageError("static_validation", message)


def _read_template(folder: Path) -> str | None:
    """Return what submissions in Python start from."""
    templates = sorted(folder.glob("*.py"))
    return read_lenient_text(templates[0]) if templates else None
