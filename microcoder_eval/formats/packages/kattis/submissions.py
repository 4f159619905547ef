"""Submissions of Kattis, ICPC and DOMjudge packages, with the verdicts that they are declared for.

Source: problem package format, "Submissions"; DOMjudge manual, "Adding test data and
submissions", @EXPECTED_RESULTS@.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from microcoder_eval.errors import guess_name
from microcoder_eval.formats.packages.files import read_yaml
from microcoder_eval.formats.packages.package import FAILURES, PackageError, Requirement, Submission
from microcoder_eval.formats.packages.programs import read_program

_SLOW = ("TLE", "RE", "MLE")
# Verdicts that a folder permits. The formats have no verdicts of their own for memory (RTE there)
# and output (WA or RTE).
_FOLDERS: dict[str, tuple[str, ...]] = {
    "accepted": ("AC",),
    "slow_accepted": ("AC", "TLE"),  # right, but says nothing about the limit
    "wrong_answer": ("WA", "OLE"),
    "time_limit_exceeded": ("TLE",),
    "run_time_error": ("RE", "MLE", "OLE"),
    "memory_limit_exceeded": ("MLE", "RE"),
    "output_limit_exceeded": ("OLE", "WA", "RE"),
    "compiler_error": ("CE",),
    "partially_accepted": FAILURES,
    "partial": FAILURES,
    "rejected": FAILURES,
    "brute_force": _SLOW,
    "mixed": ("AC", *FAILURES),
}
# What a rule for one of the format's own folders requires if it does not say so.
_REQUIRED: dict[str, list[str]] = {
    "rejected": ["RTE", "TLE", "WA"],
    "wrong_answer": ["WA"],
    "time_limit_exceeded": ["TLE"],
    "run_time_error": ["RTE"],
    "brute_force": ["RTE", "TLE"],
}
_ANY = ("AC", *FAILURES)
_PARTIAL = ("partially_accepted", "partial")
_DECISIVE = ("accepted", "wrong_answer", "time_limit_exceeded", "run_time_error")
_VERDICTS = {
    "AC": ("AC",), "CORRECT": ("AC",), "ACCEPTED": ("AC",),
    "WA": ("WA", "OLE"), "WRONG-ANSWER": ("WA", "OLE"), "WRONG_ANSWER": ("WA", "OLE"),
    "NO-OUTPUT": ("WA",),
    "TLE": ("TLE",), "TIMELIMIT": ("TLE",), "TIME_LIMIT_EXCEEDED": ("TLE",),
    "RTE": ("RE", "MLE", "OLE"), "RUN-ERROR": ("RE", "MLE"), "RUN_TIME_ERROR": ("RE", "MLE"),
    "MEMORY-LIMIT": ("MLE", "RE"), "OUTPUT-LIMIT": ("OLE",),
    "COMPILER-ERROR": ("CE",), "CHECK-MANUALLY": ("AC", *FAILURES),
}  # fmt: skip
_LANGUAGES = {"python3": "python", "py": "python", "c++": "cpp"}  # the others have our names
_ANNOTATION = re.compile(r"@EXPECTED_RESULTS@:[ \t]*([^\n]*)")
_SCORE_ANNOTATION = re.compile(r"@EXPECTED_SCORE@:[ \t]*(-?[\d.]+)")
Rules = Mapping[str, Mapping[str, Any]]
"""What is said of submissions, by the pattern of their names."""
_BRACES = re.compile(r"\{([^{}]*)\}")


def read_submissions(folder: Path) -> Iterator[Submission]:
    """Yield the submissions of a package's folder ``submissions``, by verdict folder and name.
    Raises PackageError for a submissions.yaml that cannot be read.
    """
    rules = _read_rules(folder)
    if not folder.is_dir():
        return
    for group in sorted(path for path in folder.iterdir() if path.is_dir()):
        for path in sorted(group.iterdir()):
            if path.name.startswith("."):
                continue
            name = f"{group.name}/{path.name}"
            own = {pattern: rule for pattern, rule in rules.items() if matches(name, pattern)}
            properties: dict[str, Any] = {}
            for pattern in sorted(own, key=len):  # the longer of two patterns wins
                properties |= own[pattern]
            entry_point = properties.get("entrypoint") or properties.get("entry_point")
            language = str(properties.get("language") or "")
            program = read_program(path, entry_point, _LANGUAGES.get(language, language))
            if program is None:
                continue
            requirements = tuple(_list_requirements(own))
            verdict_sets = list(_list_permitted(own, group.name, requirements))
            expected = _expect(group.name, requirements, verdict_sets, program.code)
            yield Submission(
                **vars(program),
                verdict=_summarize(group.name, expected),
                name=name,
                declared=_describe_folder(group.name, expected),
                expected=expected,
                expected_score=_read_score(properties, program.code),
                requirements=requirements,
            )


def _read_rules(folder: Path) -> Rules:
    """Return the properties of submissions by pattern: of submissions.yaml, and of DOMjudge's
    submissions.json beside the folder, whose names start with the folder's."""
    rules: dict[str, Any] = {}
    for file in (folder.parent / "submissions.json", folder / "submissions.yaml"):
        if file.is_file():  # JSON is YAML
            rules.update(read_yaml(file))
    return {
        str(pattern).removeprefix("submissions/").strip("/"): {str(k): v for k, v in rule.items()}
        for pattern, rule in rules.items()
        if isinstance(rule, Mapping)
    }


def matches(name: str, pattern: str) -> bool:
    """Whether a glob with braces matches the name of a submission or a test, or of a folder that
    it is in."""
    parts = name.split("/")
    prefixes = ["/".join(parts[: end + 1]) for end in range(len(parts))]
    return any(
        fnmatchcase(prefix, alternative) and prefix.count("/") == alternative.count("/")
        for alternative in _expand_braces(pattern)
        for prefix in prefixes
    )


def _expand_braces(pattern: str) -> list[str]:
    pieces = _BRACES.split(pattern)  # texts outside and inside of braces, in turn
    choices = [[piece] if i % 2 == 0 else piece.split(",") for i, piece in enumerate(pieces)]
    return ["".join(parts) for parts in itertools.islice(itertools.product(*choices), 256)]


def _describe_folder(folder: str, expected: tuple[str, ...]) -> str:
    """Return the name of a folder; with what it may mean if it declares no verdict."""
    if folder in _FOLDERS or expected != _ANY:
        return folder
    return f"{folder} (declares no verdict{guess_name(folder, _FOLDERS)})"


def _list_permitted(
    rules: Rules, folder: str, requirements: Sequence[Requirement]
) -> Iterator[tuple[str, ...]]:
    """Yield what each rule for a submission permits. A rule for its folder replaces the folder's
    default."""
    if folder in _FOLDERS and not rules.get(folder, {}).get("permitted"):
        yield _FOLDERS[folder]
    for one in requirements:
        if one.permitted and not one.tests:
            yield one.permitted


def _list_requirements(rules: Rules) -> Iterator[Requirement]:
    """Yield what each rule for a submission says of all tests, and of those that a key in it
    names."""
    for pattern, rule in rules.items():
        nested = {key: value for key, value in rule.items() if isinstance(value, Mapping)}
        for tests, words in {"": rule, **nested}.items():
            permitted = _translate(_to_list(words.get("permitted")))
            default = _REQUIRED.get(pattern) if tests == "" else None
            required = _translate(_to_list(words.get("required", default)))
            if permitted or required:
                yield Requirement(tests.strip("/"), permitted, required)


def _expect(
    folder: str, requirements: Sequence[Requirement], rules: Sequence[tuple[str, ...]], code: str
) -> tuple[str, ...]:
    """Return the verdicts that a submission may get, the likeliest first. rules: what each of its
    rules permits."""
    annotation = _ANNOTATION.search(code) if folder not in _DECISIVE else None
    if annotation:
        return _translate(annotation[1].split(",")) or _ANY
    default = _FOLDERS.get(folder, _ANY)
    permitted = tuple(v for v in (rules or [default])[0] if all(v in rule for rule in rules))
    required_sets = [one.required for one in requirements if one.required]
    if any("AC" not in verdicts for verdicts in required_sets):  # some test is not accepted
        permitted = tuple(verdict for verdict in permitted if verdict != "AC")
    required = set(itertools.chain.from_iterable(required_sets))
    leading = tuple(verdict for verdict in permitted if verdict in required)
    return tuple(dict.fromkeys((*leading, *permitted))) or default


def _read_score(properties: Mapping[str, Any], code: str) -> tuple[float, float] | None:
    """Return the points that submissions.yaml, or DOMjudge's annotation, says that it gets."""
    annotation = _SCORE_ANNOTATION.search(code)
    value = properties.get("score", annotation[1] if annotation else None)
    try:
        ends = [float(end) for end in _to_list(value)]
    except (TypeError, ValueError, OverflowError):
        raise PackageError(f"submissions.yaml: score is {value!r}, not a number or two") from None
    if len(ends) > 2:
        raise PackageError(f"submissions.yaml: score has {len(ends)} numbers, not two")
    return (ends[0], ends[-1]) if ends else None


def _summarize(folder: str, expected: tuple[str, ...]) -> str:
    """Return one verdict, for readers that know only one: whether the program is right decides."""
    if folder in _PARTIAL:
        return "WA"
    return "unknown" if "AC" in expected and len(expected) > 1 else expected[0]


def _to_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _translate(names: Sequence[Any]) -> tuple[str, ...]:
    keys = [str(name).strip().upper() for name in names]
    return tuple(dict.fromkeys(v for key in keys for v in _VERDICTS.get(key, ())))
