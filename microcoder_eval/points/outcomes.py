"""The results of tests: which of them count for a group, and on which its points still depend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from microcoder_sandbox import record

from .groups import TestGroup, list_leaf_groups, walk_groups


@record
class Grade:
    """What a grader makes of a group, and what it gets of each test or group in it. code: "AC", or
    why it failed."""

    code: str
    points: float


@record
class CaseOutcome:
    """The result of a test, or of a group of them. points: None if it has none; those of a test are
    what its checker gave. failure: the code of its failure for graders."""

    accepted: bool
    points: float | None = None
    failure: str = "WA"

    @property
    def grade(self) -> Grade:
        """What a grader gets of it."""
        return Grade("AC" if self.accepted else self.failure, self.points or 0.0)


Outcomes = Sequence[CaseOutcome | None]  # by the tests' indices; None if a test did not run


class GroupOutcomes:
    """The results of a solution's tests, as groups see them."""

    def __init__(self, groups: Sequence[TestGroup], outcomes: Outcomes) -> None:
        self._by_name = {group.name: group for group in walk_groups(groups)}
        self._outcomes = outcomes

    def __getitem__(self, index: int) -> CaseOutcome | None:
        """Return the result of a test, None if it did not run."""
        return self._outcomes[index]

    def are_accepted(self, groups: Sequence[TestGroup]) -> bool:
        """Whether all tests of these groups are accepted."""
        results = map(self._outcomes.__getitem__, _list_tests(groups))
        return all(result is not None and result.accepted for result in results)

    def meets_requirements(self, group: TestGroup) -> bool:
        """Whether all tests of the groups that a group requires are accepted."""
        return self.are_accepted(self._list_required(group))

    def list_counted(self, group: TestGroup) -> list[int]:
        """Return a leaf's tests that count: with on_fail "stop", up to the first failed one."""
        if not self._may_meet_requirements(group):
            return []
        counted = []
        for index in group.tests:
            counted.append(index)
            outcome = self._outcomes[index]
            if group.on_fail == "stop" and outcome is not None and not outcome.accepted:
                break
        return counted

    def list_needed(self, group: TestGroup) -> Iterator[int]:
        """Yield the tests that did not run and on which the group's points may depend."""
        if not self._may_meet_requirements(group):
            return
        required_tests = _list_tests(self._list_required(group))
        yield from (index for index in required_tests if self._outcomes[index] is None)
        if group.groups:
            for child in group.groups:
                yield from self.list_needed(child)
                if group.on_fail == "stop" and self._has_failed(child):
                    return
        elif not self._has_failed(group):
            yield from (i for i in self.list_counted(group) if self._outcomes[i] is None)

    def _has_failed(self, group: TestGroup) -> bool:
        """Whether the group is not accepted, whatever the remaining tests give."""
        if group.accept != "all":
            return False
        if group.groups:
            return any(map(self._has_failed, group.groups))
        return self._have_failed_test([group])

    def _have_failed_test(self, groups: Sequence[TestGroup]) -> bool:
        results = map(self._outcomes.__getitem__, _list_tests(groups))
        return any(result is not None and not result.accepted for result in results)

    def _may_meet_requirements(self, group: TestGroup) -> bool:
        """As ``meets_requirements``, if all tests that did not run would be accepted."""
        return not self._have_failed_test(self._list_required(group))

    def _list_required(self, group: TestGroup) -> list[TestGroup]:
        """Return the groups that a group requires, and those that they require."""
        names = list(group.requires)
        for name in names:  # the list grows in the loop
            names += [other for other in self._by_name[name].requires if other not in names]
        return [self._by_name[name] for name in names]


def list_needed_tests(groups: Sequence[TestGroup], outcomes: Outcomes) -> set[int]:
    """Return the tests that did not run and on which points may still depend."""
    results = GroupOutcomes(groups, outcomes)
    return {index for group in groups for index in results.list_needed(group)}


def _list_tests(groups: Sequence[TestGroup]) -> Iterator[int]:
    return (index for leaf in list_leaf_groups(groups) for index in leaf.tests)
