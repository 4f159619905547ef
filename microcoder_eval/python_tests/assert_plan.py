"""What an assert problem becomes: calls with expected values, and what is left as test code."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from microcoder_sandbox import record


class Relation(StrEnum):
    """How a result must relate to what is expected."""

    EQ = "eq"
    CLOSE = "close"
    IS = "is"
    TRUTHY = "truthy"
    FALSY = "falsy"


@record
class Tolerance:
    """Bounds of CLOSE, as the test wrote them.

    kind: "difference" is abs(a - b) < absolute (or <=, not strict); "isclose" is math.isclose;
    "approx" is pytest.approx, relative to the expected value.
    """

    kind: str
    relative: float
    absolute: float
    strict: bool = False


@record
class CallTest:
    """One call and what must come of it. ``entry``: "name" or "Solution().name"."""

    entry: str
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    expected: Any
    relation: Relation
    tolerance: Tolerance | None
    source: str

    def holds(self, actual: Any) -> bool:
        """Whether a result satisfies the assertion, by Python's own operators on plain values.

        actual: exact built-in types only, made in this process from what the candidate sent.
        """
        if self.relation is Relation.EQ:
            return bool(actual == self.expected)
        if self.relation is Relation.IS:
            return actual is self.expected
        if self.relation is Relation.CLOSE and self.tolerance is not None:
            return _is_close(actual, self.expected, self.tolerance)
        return bool(actual) is (self.relation is Relation.TRUTHY)


def _is_close(actual: Any, expected: Any, tolerance: Tolerance) -> bool:
    try:
        if tolerance.kind == "isclose":
            return math.isclose(
                actual, expected, rel_tol=tolerance.relative, abs_tol=tolerance.absolute
            )
        if tolerance.kind == "approx" and actual == expected:
            return True
        bound = max(tolerance.relative * abs(expected), tolerance.absolute)
        distance = abs(actual - expected)
    except (TypeError, ValueError, OverflowError):
        return False  # as the test itself, it raises one
    if tolerance.kind == "approx" and math.isinf(bound):
        return False
    return bool(distance < bound if tolerance.strict else distance <= bound)


@record
class AssertPlan:
    """How to judge an assert problem.

    tests: independent calls, in the order of the test code.
    test_source: test code to be run against a proxy of the candidate, or None.
    together: the whole test code, where it was split. A program that may carry something from call
        to call is judged by it, in one process.
    unsupported: why the problem cannot be judged out of process (then a judge's error), or None.
    """

    tests: tuple[CallTest, ...]
    test_source: str | None
    unsupported: str | None = None
    together: AssertPlan | None = None
