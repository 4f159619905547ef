"""Programs of DMOJ packages: those of signature graders, and submissions.

Source: DMOJ's documentation, "Function signature grading"; the tests of its judge, whose
submissions lie in tests/NAME/ with a test.yml.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from microcoder_eval.formats.packages.containment import resolve_inside
from microcoder_eval.formats.packages.files import read_text, read_yaml
from microcoder_eval.formats.packages.package import PackageError, Submission
from microcoder_eval.formats.packages.programs import read_program

from .judge_texts import UNBUFFERED

_VERDICTS = {"RTE": "RE", "IR": "RE", "PAC": "WA"}
_SKIPPED = "SC"


def read_includes(folder: Path, config: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Return the files that are built with every submission, by language. config: init.yml."""
    includes = _read_signature(folder, config.get("signature_grader"))
    if config.get("unbuffered"):
        for language in ("c", "cpp"):
            includes.setdefault(language, {})[f"dmoj_unbuffered.{language}"] = UNBUFFERED
    return includes


def _read_signature(folder: Path, spec: Any) -> dict[str, dict[str, str]]:
    """Return the entry of a signature grader, in the language of the submission, and its header."""
    if not spec:
        return {}
    names = [spec.get(key) for key in ("entry", "header")] if isinstance(spec, Mapping) else []
    if len(names) != 2 or not all(isinstance(name, str) and name for name in names):
        raise PackageError("signature_grader of init.yml needs entry and header")
    entry, header = (read_text(resolve_inside(folder, str(name))) for name in names)
    # Submissions may have a main function of their own to be tried with.
    renamed = "" if spec.get("allow_main") else "#define main main_of_submission\n"
    start = f'#define SIGNATURE_GRADER\n#include "{names[1]}"\n{renamed}#line 1\n'
    stem = PurePosixPath(str(names[0])).stem
    languages = ("c", "cpp") if str(names[0]).endswith(".c") else ("cpp",)
    return {
        language: {f"{stem}.{language}": entry, str(names[1]): header, "<prologue>": start}
        for language in languages
    }


def read_submissions(folder: Path) -> Iterator[Submission]:
    """Yield all submissions: right ones in solutions/ or solution.*, and those of tests/."""
    for path in (*sorted((folder / "solutions").glob("*")), *sorted(folder.glob("solution.*"))):
        yield from _read_submission(folder, path, ["AC"])
    for config_path in sorted((folder / "tests").glob("*/test.yml")):
        config = read_yaml(config_path)
        sources = config.get("source")
        for source in sources if isinstance(sources, list) else [sources]:
            path = resolve_inside(config_path.parent, str(source))
            verdicts = _list_verdicts(config)
            language = "python2" if config.get("language") in ("PY2", "PYPY") else None
            yield from _read_submission(folder, path, verdicts, config_path.parent.name, language)


def _read_submission(
    folder: Path,
    path: Path,
    verdicts: list[str],
    declared: str = "AC",
    language: str | None = None,
) -> Iterator[Submission]:
    """Yield the submission in a file, if it is a program. verdicts: those of its cases."""
    program = read_program(path, language=language) if path.is_file() else None
    if program is not None:
        name = path.relative_to(folder).as_posix()
        expected = tuple(dict.fromkeys(v for v in verdicts if v != "AC")) or ("AC",)
        yield Submission(program.code, expected[0], program.language, name, declared, expected)


def _list_verdicts(config: Mapping[str, Any]) -> list[str]:
    """Return the codes of all cases, or of the submission, as verdicts of ours."""
    codes = config.get("cases") or config.get("expect")
    codes = codes if isinstance(codes, list) else [codes]
    flat = [code for item in codes for code in (item if isinstance(item, list) else [item])]
    names = [str(code) for code in flat if code and code != _SKIPPED]
    return [_VERDICTS.get(name, name) for name in names] or ["unknown"]
