"""Kattis and ICPC problem packages: problem.yaml, data/, submissions/, output_validators/.

Source: the problem package format of Kattis (legacy) and of icpc.io (2023-07-draft).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from .package import (
    BrokenPackageError,
    Package,
    UnsupportedError,
    limits,
    number,
    programs,
    row_of,
    source_checker,
    test_of,
    text,
    yaml_of,
)

_VERDICTS = {
    "accepted": "AC",
    "wrong_answer": "WA",
    "time_limit_exceeded": "TLE",
    "run_time_error": "RE",
    "rejected": "WA",
    "brute_force": "TLE",
}
_FLAGS = {"float_tolerance", "float_absolute_tolerance", "float_relative_tolerance"}
_STATEMENTS = ("problem_statement", "statement")
_LOCAL_INCLUDE = re.compile(r'^\s*#\s*include\s*"', re.MULTILINE)


def read(folder: Path) -> Package:
    """The problem. Raises BrokenPackageError, UnsupportedError, OSError."""
    about = yaml_of(folder / "problem.yaml")
    told = about.get("limits")
    own: dict[str, Any] = told if isinstance(told, dict) else {}
    statement, language = _statement(folder)
    row = row_of(
        folder,
        {
            "statement": statement,
            "statement_language": language,
            "tests": _tests(folder / "data"),
            "limits": limits(
                number(own.get("time_limit")) or _time_limit(folder), number(own.get("memory"))
            ),
            "checker": _checker(folder, about),
            "licence": _text(about.get("license")),
            "source": _text(about.get("source")),
            "solutions": _solutions(folder / "submissions"),
        },
    )
    return Package(row)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _time_limit(folder: Path) -> float | None:
    """What other files say: .timelimit of Kattis, domjudge-problem.ini."""
    plain = folder / ".timelimit"
    if plain.is_file():
        return number(text(plain).strip())
    ini = folder / "domjudge-problem.ini"
    found = re.search(r"timelimit\s*=\s*'?([\d.]+)", text(ini)) if ini.is_file() else None
    return number(found[1]) if found else None


def _tests(data: Path) -> list[dict[str, str]]:
    """Samples first, then the secret ones, by name, in all groups."""
    tests = [
        test_of(given, given.with_suffix(".ans"))
        for part in ("sample", "secret")
        for given in sorted((data / part).rglob("*.in"))
    ]
    if not tests and not data.is_dir():
        raise BrokenPackageError("there is no folder data")
    return tests


def _statement(folder: Path) -> tuple[str | None, str | None]:
    """The statement and its language, English where there is one."""
    found: dict[str, Path] = {}
    for name in _STATEMENTS:
        for path in sorted((folder / name).glob("problem*")):
            if path.suffix in (".tex", ".md"):
                parts = path.name.split(".")
                found.setdefault(parts[1] if len(parts) > 2 else "en", path)
    if not found:
        return None, None
    language = "en" if "en" in found else sorted(found)[0]
    return text(found[language]), language


def _checker(folder: Path, about: dict[str, Any]) -> dict[str, Any] | None:
    kind = str(about.get("validation") or about.get("type") or "default")
    if "interactive" in kind or "multi-pass" in kind:
        raise UnsupportedError("interactive", f"problem.yaml says {kind}")
    validators = [
        path
        for name in ("output_validators", "output_validator")
        for path in sorted((folder / name).glob("*"))
        if not path.name.startswith(".")
    ]
    if "custom" in kind or (validators and "validation" not in about):
        return _custom(validators)
    return {"name": "kattis", **_flags(about.get("validator_flags") or "")}


def _custom(validators: list[Path]) -> dict[str, str]:
    """One validator of one file."""
    files = [
        inner
        for path in validators
        for inner in (sorted(path.rglob("*")) if path.is_dir() else [path])
        if inner.suffix in (".py", ".cpp", ".cc", ".h", ".hpp", ".java", ".sh")
    ]
    if len(files) != 1:
        raise UnsupportedError(
            "unsupported_checker", f"the output validator has {len(files)} files; one is run"
        )
    checker = source_checker(files[0], "kattis")
    if _LOCAL_INCLUDE.search(checker["source"]):
        raise UnsupportedError("unsupported_checker", "the output validator includes other files")
    return checker


def _flags(flags: Any) -> dict[str, Any]:
    """Options of the default validator, from its flags."""
    options: dict[str, Any] = {"case_sensitive": False, "space_change_sensitive": False}
    words = iter(str(flags).split())
    for word in words:
        if word in ("case_sensitive", "space_change_sensitive"):
            options[word] = True
        elif word in _FLAGS:
            value = number(next(words, None))
            if value is None:
                raise BrokenPackageError(f"validator_flags: {word} needs a number")
            options[word] = value
    return options


def _solutions(folder: Path) -> list[dict[str, str]]:
    return [
        program
        for name, verdict in _VERDICTS.items()
        for program in programs((folder / name).glob("*"), verdict)
    ]
