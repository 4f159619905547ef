"""What unittest reports of its TestCases, which end at the first failure."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def is_skip(error: BaseException | None) -> bool:
    """Whether an exception says that a test is skipped."""
    module = sys.modules.get("unittest.case")
    return module is not None and isinstance(error, module.SkipTest)


def is_test_case(cls: type) -> bool:
    """Whether unittest runs a class, not pytest."""
    module = sys.modules.get("unittest")
    return module is not None and issubclass(cls, module.TestCase)


def watch_results(
    unittest: Any, refuse: Callable[[str], BaseException], fail: Callable[[BaseException], None]
) -> None:
    """Have each TestResult raise what a test raised instead of collecting it, also where the test
    code makes the result: it may not look at it. ``fail`` gets what a test raised."""

    def refuse_test(_: Any, test: Any, *_reason: Any) -> None:
        raise refuse(f"the test code skips {test.id()}, or expects it to fail")

    def add_error(_: Any, test: Any, err: Any) -> None:
        fail(err[1])

    def add_subtest(_: Any, test: Any, _subtest: Any, err: Any) -> None:
        if err is not None:
            fail(err[1])

    results = unittest.TestResult
    results.addSkip = results.addExpectedFailure = results.addUnexpectedSuccess = refuse_test
    results.addError = results.addFailure = add_error
    results.addSubTest = add_subtest
