"""The batches and cases of DMOJ packages, with their tests and points.

init.yml lists them, or the names of files show them. The files are in the folder or in an archive.

Source: DMOJ's documentation of init.yml (https://docs.dmoj.ca/#/problem_format/problem_format).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from typing import Any

from microcoder_eval.formats.packages.containment import resolve_inside
from microcoder_eval.formats.packages.files import read_points, read_text, unify_line_ends
from microcoder_eval.formats.packages.package import PackageError, PackageTest, make_program_error
from microcoder_eval.points import TestGroup
from microcoder_sandbox import record

from .archives import extract

_POINTS = 1.0  # of a case without points
# A word in a file's name; then a batch, where there are two numbers, and a case.
_NAME = r"(?=.*?\.{0}|{0}).*?(?:(?:^|\W)(?P<batch>\d+)[^\d\s]+)?(?P<case>\d+)[^\d\s]*$"
_INPUT_NAME, _OUTPUT_NAME = _NAME.format("in"), _NAME.format("out")
_Id = int | str  # of a batch or case: a number where it is one


@record
class Case:
    """A batch or a single case. dependencies: the numbers of batches before it."""

    tests: tuple[PackageTest, ...]
    points: float
    is_batch: bool
    dependencies: tuple[Any, ...] = ()


def read_cases(config: Mapping[str, Any], folder: Path) -> list[Case]:
    """Return the batches and cases, pretests first. config: init.yml. Raises PackageError."""
    cases, pretests = config.get("test_cases"), config.get("pretest_test_cases") or []
    if not isinstance(pretests, list):
        raise PackageError("pretest_test_cases of init.yml must be a list")
    with ExitStack() as stack:
        archive = config.get("archive")
        top = folder
        if isinstance(archive, str) and archive:
            top = stack.enter_context(extract(resolve_inside(folder, archive)))
        files = _Files(folder, top, is_binary=bool(config.get("binary_data")))
        pretest_cases = _list_cases(pretests, {}, files, "pretest ")
        if isinstance(cases, list):
            return [*pretest_cases, *_list_cases(cases, config, files)]
        if not isinstance(cases, Mapping | None):
            raise PackageError("test_cases of init.yml must be a list or a mapping")
        return [*pretest_cases, *_find_cases(cases or {}, config, files)]


@record
class _Files:
    """The files of a package. top: its folder, or the folder that its archive was unpacked to.
    is_binary: whether their line ends are left as they are."""

    folder: Path
    top: Path
    is_binary: bool

    def read(self, name: Any) -> str:
        """Return the text of a file, as DMOJ gives it to programs; "" without a name."""
        if name is None:
            return ""
        paths = [resolve_inside(top, str(name)) for top in (self.top, self.folder)]
        path = next((path for path in paths if path.is_file()), None)
        if path is None:
            raise PackageError(f"init.yml names {name}: no such file there or in its archive")
        text = read_text(path)
        if self.is_binary or not text:
            return text
        return unify_line_ends(text).removesuffix("\n") + "\n"

    def match(self, expression: Any, key: str) -> dict[tuple[_Id | None, _Id], str]:
        """Return {(batch, case): name} of the files that an expression of init.yml recognises.
        batch is None for a single case."""
        try:
            pattern = re.compile(expression, re.IGNORECASE)
        except (re.error, TypeError) as error:
            raise PackageError(f"{key} must be a regular expression: {error}") from None
        cases: dict[tuple[_Id | None, _Id], str] = {}
        for path in sorted(path for path in self.top.rglob("*") if path.is_file()):
            name = path.relative_to(self.top).as_posix()
            match = pattern.match(name) or pattern.match(path.name)
            if match is None:
                continue
            case, batch = (_read_id(match.groupdict().get(group)) for group in ("case", "batch"))
            if case is None:
                raise PackageError(f"{key} recognises {name} and finds no case in it")
            cases[(batch, case)] = name
        return cases

    def make_test(self, input_name: Any, output_name: Any, group: str) -> PackageTest:
        """Return the test of a case; without an input it has an empty one."""
        output = None if output_name is None else self.read(output_name)
        return PackageTest(self.read(input_name), output, group)


def _read_id(text: str | None) -> _Id | None:
    return int(text) if text is not None and text.isdecimal() else text


def _list_cases(
    cases: list[Any], config: Mapping[str, Any], files: _Files, prefix: str = ""
) -> Iterator[Case]:
    for number, case in enumerate(cases, 1):
        if not isinstance(case, Mapping):
            raise PackageError("a test case of init.yml must be a mapping")
        value = 0.0 if prefix else case.get("points", config.get("points", _POINTS))
        points = read_points(value, "points of init.yml")
        batched = case.get("batched")
        if not isinstance(batched, list):
            yield Case((_read_test(case, files, ""),), points, False)
            continue
        dependencies = case.get("dependencies") or ()
        if not isinstance(dependencies, list | tuple):
            raise PackageError("dependencies of a batch in init.yml must be a list")
        tests = tuple(_read_test(test, files, f"{prefix}{number}") for test in batched)
        yield Case(tests, points, True, tuple(dependencies))


def _read_test(case: Any, files: _Files, group: str) -> PackageTest:
    if not isinstance(case, Mapping) or isinstance(case.get("batched"), list):
        raise PackageError("a test case of init.yml must be a mapping, not a batch")
    if "checker" in case:
        raise make_program_error("a test case has its own checker")
    if "generator" in case:
        raise make_generator_error()
    return files.make_test(case.get("in"), case.get("out"), group)


def make_generator_error() -> PackageError:
    """Return the error of a package whose tests have yet to be made."""
    return PackageError(
        "init.yml: a generator makes the tests, which the package lacks", "tests_not_generated"
    )


def _find_cases(
    cases: Mapping[str, Any], config: Mapping[str, Any], files: _Files
) -> Iterator[Case]:
    """Yield the cases that the names of files show, sorted by name, letters before numbers.
    ``test_cases`` may list their points."""
    inputs = files.match(cases.get("input_format") or _INPUT_NAME, "input_format")
    outputs = files.match(cases.get("output_format") or _OUTPUT_NAME, "output_format")
    ids = sorted(inputs.keys() | outputs.keys(), key=_rank)
    batches = {batch for batch, _ in ids}
    point_list = cases.get("case_points")
    points = iter(point_list if isinstance(point_list, list) else ())
    for batch, members in groupby(ids, key=lambda names: names[0]):
        group = "" if batch is None else str(batch)
        tests = []
        for names in members:
            if batch is None and names[1] in batches:
                raise PackageError(f"the files of case {names[1]} and of batch {names[1]} conflict")
            tests.append(files.make_test(inputs.get(names), outputs.get(names), group))
        for part in [[test] for test in tests] if batch is None else [tests]:
            value = next(points, config.get("points", _POINTS))
            number = read_points(value, "case_points of init.yml")
            yield Case(tuple(part), number, batch is not None)


def _rank(ids: tuple[_Id | None, _Id]) -> tuple[tuple[bool, _Id], tuple[bool, _Id]]:
    batch, case = ids
    first = case if batch is None else batch
    return (isinstance(first, int), first), (isinstance(case, int), case)


def make_groups(cases: Sequence[Case]) -> tuple[TestGroup, ...]:
    """Return a group for each batch or case; none where there are no batches and no points."""
    groups: list[TestGroup] = []
    batches: list[str] = []
    pretests: list[str] = []
    first = 0
    for case in cases:
        required = [_find_batch(batches, number) for number in case.dependencies]
        batch_number, case_number = len(batches) + 1, len(groups) - len(batches) + 1
        name = f"batch {batch_number}" if case.is_batch else f"case {case_number}"
        groups.append(
            TestGroup(
                name,
                tests=tuple(range(first, first + len(case.tests))),
                points=case.points,
                on_fail="stop",
                requires=tuple(dict.fromkeys([*pretests, *required])),
            )
        )
        first += len(case.tests)
        batches += [name] * case.is_batch
        pretests += [name] * (not case.points)  # a failed pretest ends judging
    has_points = batches or any(case.points != _POINTS for case in cases)
    return tuple(groups) if has_points else ()


def _find_batch(names: Sequence[str], number: Any) -> str:
    if not isinstance(number, int) or not 0 < number <= len(names):
        raise PackageError(
            f"init.yml: dependencies names batch {number!r}, but no earlier batch is {number!r}"
        )
    return names[number - 1]
