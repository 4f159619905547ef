"""Groups of tests that are scored together: the record, its checks, and its plain form.

One record expresses what the formats of contest packages do (docs/points.md): grader_flags,
on_reject, accept_score and reject_score of Kattis' testdata.yaml; score, aggregation and
require_pass of test_group.yaml; batches, points and dependencies of DMOJ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_sandbox import record

GRADER = "grader"  # the problem's grader decides
_AGGREGATIONS = ("min", "sum", "max", "avg", "full", GRADER)
_ACCEPTANCES = ("all", "any", "always", GRADER)
_ON_FAIL = ("continue", "stop")
_MAX_POINTS = 1e9
_MAX_DEPTH = 20


@record
class TestGroup:
    """Tests, or groups of tests, that are scored together.

    tests: indices of tests, from 0.
    groups: instead of tests, the groups of this group.
    points: the most that the group gives (with the objective "min" the least, which is best), None
        if not known, 0 if the group is not scored.
    aggregation: how the points of the group follow from those of its tests or groups; "full": an
        accepted group gives all of ``points``.
    accept: the group is accepted if "all" or "any" of them are, or "always"; a group that is not
        accepted gives no points. "grader" in either: the problem's grader decides, which gets
        ``grader_args``.
    on_fail: whether tests after the first failed one count ("continue") or not ("stop").
    requires: names of groups of which every test must be accepted, and every test of what they
        require, or this one gives no points.
    test_points: the points of a passed test to which the checker gives none. If it is None, they
        are an equal share of ``points`` for "sum", else ``points``.
    fail_points: those of a failed test.
    """

    __test__ = False  # not a pytest class

    name: str
    tests: tuple[int, ...] = ()
    groups: tuple[TestGroup, ...] = ()
    points: float | None = None
    aggregation: str = "min"
    accept: str = "all"
    on_fail: str = "continue"
    requires: tuple[str, ...] = ()
    test_points: float | None = None
    fail_points: float = 0.0
    grader_args: tuple[str, ...] = ()

    @property
    def is_scored(self) -> bool:
        """Whether it can give points."""
        return self.points != 0

    @property
    def share(self) -> float | None:
        """The points that one test must give for the group to have all its points, if all tests
        give the same, None if not known."""
        if self.points is None:
            return None
        return self.points / len(self.tests) if self.aggregation == "sum" else self.points

    @property
    def passing_points(self) -> float | None:
        """What a passed test is worth where its checker gives no points, None if not known."""
        return self.share if self.test_points is None else self.test_points


def list_leaf_groups(groups: Sequence[TestGroup]) -> Iterator[TestGroup]:
    """Yield the groups that hold tests, in order."""
    for group in groups:
        if group.groups:
            yield from list_leaf_groups(group.groups)
        else:
            yield group


def walk_groups(groups: Sequence[TestGroup]) -> Iterator[TestGroup]:
    """Yield all groups, each before those that it holds."""
    for group in groups:
        yield group
        yield from walk_groups(group.groups)


def encode_groups(groups: Sequence[TestGroup]) -> list[dict[str, Any]]:
    """Return the groups as plain values; ``parse_groups`` reads them."""
    return [_encode_group(group) for group in groups]


def _encode_group(group: TestGroup) -> dict[str, Any]:
    plain: dict[str, Any] = {"name": group.name}
    for item in fields(TestGroup)[1:]:
        value = getattr(group, item.name)
        if item.name == "groups":
            value = encode_groups(value)
        elif isinstance(value, tuple):
            value = list(value)
        default = _choose_acceptance(group.aggregation) if item.name == "accept" else item.default
        if value != default and value != []:
            plain[item.name] = value
    return plain


def _choose_acceptance(aggregation: str) -> str:
    return {"min": "all", "full": "all", GRADER: GRADER}.get(aggregation, "any")


def parse_groups(value: Any, test_count: int) -> tuple[TestGroup, ...]:
    """Read the groups of a problem with that many tests. Raises DataError that names the group."""
    groups = _parse_list(value, '"groups"', 0)
    names: set[str] = set()
    for group in walk_groups(groups):
        if group.name in names:
            raise DataError(f'"groups": two groups are named "{group.name}"')
        names.add(group.name)
    for group in walk_groups(groups):
        for name in group.requires:
            if name not in names or name == group.name:
                raise DataError(
                    f'group "{group.name}": "requires" names "{name}", which is no other group'
                )
    _check_tests(groups, test_count)
    return groups


def _check_tests(groups: Sequence[TestGroup], test_count: int) -> None:
    owners: dict[int, str] = {}
    for group in list_leaf_groups(groups):
        for index in group.tests:
            if index >= test_count:
                raise DataError(
                    f'group "{group.name}": there is no test {index}; tests count from 0, '
                    f"the last one is {test_count - 1}"
                )
            if index in owners:
                raise DataError(
                    f'group "{group.name}": test {index} is in group "{owners[index]}", too'
                )
            owners[index] = group.name
    missing_index = next((index for index in range(test_count) if index not in owners), None)
    if missing_index is not None:
        raise DataError(
            f'"groups": test {missing_index} (from 0) is in no group; put each test in one'
        )


def _parse_list(value: Any, label: str, depth: int) -> tuple[TestGroup, ...]:
    if not isinstance(value, list | tuple) or not value:
        raise DataError(f"{label} must be a list with at least one group")
    if depth > _MAX_DEPTH:
        raise DataError(f"{label}: groups are nested more than {_MAX_DEPTH} deep")
    return tuple(
        _parse_group(item, f"{label}, group {number}", depth)
        for number, item in enumerate(value, 1)
    )


def _parse_group(value: Any, label: str, depth: int) -> TestGroup:
    if not isinstance(value, Mapping):
        raise DataError(f'{label} must be an object with "name" and "tests"')
    name = value.get("name")
    if not isinstance(name, str) or not name:
        raise DataError(f'{label} needs a "name", a text that is not empty')
    label = f'group "{name[:80]}"'
    if value.get("aggregation") == "full" and value.get("points") is None:
        raise DataError(f'{label}: the aggregation "full" needs "points"')
    unknown = next((key for key in value if key not in _KEYS), None)
    if unknown is not None:
        raise DataError(f'{label}: there is no key "{unknown}", only {", ".join(_KEYS)}')
    if ("tests" in value) == ("groups" in value):
        raise DataError(f'{label} needs either "tests" or "groups"')
    aggregation = _parse_choice(value, "aggregation", _AGGREGATIONS, "min", label)
    return TestGroup(
        name=name,
        tests=_parse_items(value, "tests", _is_index, "indices from 0", label),
        groups=_parse_list(value["groups"], label, depth + 1) if "groups" in value else (),
        points=_parse_points(value, "points", label),
        aggregation=aggregation,
        accept=_parse_choice(value, "accept", _ACCEPTANCES, _choose_acceptance(aggregation), label),
        on_fail=_parse_choice(value, "on_fail", _ON_FAIL, "continue", label),
        requires=_parse_items(value, "requires", _is_name, "names of groups", label),
        test_points=_parse_points(value, "test_points", label),
        fail_points=_parse_points(value, "fail_points", label) or 0.0,
        grader_args=_parse_items(value, "grader_args", _is_name, "texts", label),
    )


_KEYS = tuple(item.name for item in fields(TestGroup))


def _is_index(item: object) -> bool:
    return type(item) is int and item >= 0


def _is_name(item: object) -> bool:
    return isinstance(item, str) and bool(item)


def _parse_items(
    value: Mapping[str, Any], key: str, is_item: Callable[[object], bool], kind: str, label: str
) -> tuple[Any, ...]:
    if key not in value:
        return ()
    items = value[key]
    if not isinstance(items, list | tuple) or not items or not all(map(is_item, items)):
        raise DataError(f'{label}: "{key}" must be a list of {kind} that is not empty')
    return tuple(items)


def _parse_choice(
    value: Mapping[str, Any], key: str, choices: Sequence[str], default: str, label: str
) -> str:
    choice = value.get(key)
    if choice is None:
        return default
    if choice not in choices:
        raise DataError(f'{label}: "{key}" must be one of {", ".join(choices)}')
    return str(choice)


def _parse_points(value: Mapping[str, Any], key: str, label: str) -> float | None:
    points = value.get(key)
    if points is None:
        return None
    is_number = isinstance(points, int | float) and not isinstance(points, bool)
    if not is_number or not abs(points) <= _MAX_POINTS:  # nan is not, either
        raise DataError(f'{label}: "{key}" must be a number of at most {_MAX_POINTS:g}')
    return float(points)
