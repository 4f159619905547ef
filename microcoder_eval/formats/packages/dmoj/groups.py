"""Groups of DMOJ packages: the batches and cases of init.yml with their points.

Source: DMOJ's documentation of init.yml (https://docs.dmoj.ca/#/problem_format/problem_format).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from microcoder_eval.formats.packages.files import read_points
from microcoder_eval.formats.packages.package import BrokenPackageError, PackageTest
from microcoder_eval.points import TestGroup
from microcoder_sandbox import record

_POINTS = 1.0  # of a case without points


def read_dmoj_groups(
    config: Mapping[str, Any], tests: Sequence[PackageTest]
) -> tuple[TestGroup, ...]:
    """Return the batches and single cases of a DMOJ package; none where it has no batches and names
    no points. config: of init.yml.

    A test's ``group`` is the position of its batch, or empty for a single case.
    """
    cases = config.get("test_cases")
    default = config.get("points", _POINTS)
    early = list(_list_cases(config.get("pretest_test_cases") or [], 0.0, is_pretest=True))
    late = tests[sum(case.size for case in early) :]
    listed = _list_cases(cases, default) if isinstance(cases, list) else _name_cases(late, config)
    groups: list[TestGroup] = []
    batch_names: list[str] = []
    pretests: list[str] = []
    case_count = first = 0
    for case in (*early, *listed):
        if case.is_batch:
            name = f"batch {len(batch_names) + 1}"
            batch_names.append(name)
        else:
            case_count += 1
            name = f"case {case_count}"
        required = [_find_batch(batch_names[: len(batch_names) - case.is_batch], number)
                    for number in case.dependencies]  # fmt: skip
        groups.append(
            TestGroup(
                name,
                tests=tuple(range(first, first + case.size)),
                points=case.points,
                on_fail="stop",
                requires=tuple(dict.fromkeys([*pretests, *required])),
            )
        )
        first += case.size
        if not case.points:  # a failed pretest ends judging
            pretests.append(name)
    if first != len(tests):
        raise BrokenPackageError(
            f"init.yml: {len(tests)} tests were read, its batches and cases hold {first}"
        )
    has_points = batch_names or any(group.points != _POINTS for group in groups)
    return tuple(groups) if has_points else ()


@record
class _Case:
    """A batch or a single case of init.yml. size: the number of its tests."""

    size: int
    points: float
    is_batch: bool
    dependencies: tuple[Any, ...] = ()


def _list_cases(cases: list[Any], default: Any, *, is_pretest: bool = False) -> Iterator[_Case]:
    for case in cases:
        if not isinstance(case, Mapping):
            raise BrokenPackageError("a test case of init.yml must be a mapping")
        value = default if is_pretest else case.get("points", default)
        points = read_points(value, "points of init.yml")
        batched = case.get("batched")
        if isinstance(batched, list):
            dependencies = case.get("dependencies") or ()
            if not isinstance(dependencies, list | tuple):
                raise BrokenPackageError("dependencies of a batch in init.yml must be a list")
            yield _Case(len(batched), points, True, tuple(dependencies))
        else:
            yield _Case(1, points, False)


def _name_cases(tests: Sequence[PackageTest], config: Mapping[str, Any]) -> Iterator[_Case]:
    """Cases that are recognised by the names of files; test_cases may list their points."""
    cases, default = config.get("test_cases"), config.get("points", _POINTS)
    listed = cases.get("case_points") if isinstance(cases, Mapping) else None
    points = iter(listed if isinstance(listed, list) else ())
    for group, members in groupby(tests, key=lambda test: test.group):
        count = len(list(members))
        sizes = [count] if group else [1] * count
        for size in sizes:
            value = read_points(next(points, default), "case_points of init.yml")
            yield _Case(size, value, bool(group))


def _find_batch(names: Sequence[str], number: Any) -> str:
    if not isinstance(number, int) or not 0 < number <= len(names):
        raise BrokenPackageError(
            f"init.yml: dependencies names batch {number!r}, which is no batch before this one"
        )
    return names[number - 1]
