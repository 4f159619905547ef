"""What runs the TestCases of unittest: a result that ends at the first failure."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from . import small_pytest
from .report import Report


def is_skip(error: BaseException | None) -> bool:
    """Whether an exception says that a test is skipped."""
    module = sys.modules.get("unittest.case")
    return module is not None and isinstance(error, module.SkipTest)


def is_test_case(cls: type) -> bool:
    """Whether unittest runs a class, not pytest."""
    module = sys.modules.get("unittest")
    return module is not None and issubclass(cls, module.TestCase)


def make_result(report: Report, end_test: Callable[..., None]) -> Any:
    """Return a unittest.TestResult that reports each test. end_test: gets its qualified name, its
    marks and what it raised, or None (``ModuleTests.end_test``)."""
    import unittest

    class FirstError(unittest.TestResult):
        """Raise what a test raised instead of collecting it."""

        def addError(self, test: Any, err: Any) -> None:  # noqa: N802
            end_test(_get_name(test), _list_marks(test), err[1])

        addFailure = addError  # noqa: N815

        def addSuccess(self, test: Any) -> None:  # noqa: N802
            end_test(_get_name(test), _list_marks(test), None)

        def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:  # noqa: N802
            if err is not None:
                self.addError(test, err)

        def addSkip(self, test: Any, reason: str) -> None:  # noqa: N802
            report.skip(_get_name(test))

        def addExpectedFailure(self, test: Any, err: Any) -> None:  # noqa: N802
            report.fail_as_expected(_get_name(test))

    return FirstError()


def _list_marks(test: Any) -> list[small_pytest.Mark]:
    """Return the marks of a test of a TestCase."""
    method = getattr(test, getattr(test, "_testMethodName", ""), None)
    return [mark for owner in (method, type(test)) for mark in small_pytest.list_marks(owner)]


def _get_name(test: Any) -> str:
    """Return the qualified name of a test; of a class, where its setUpClass skips all tests."""
    test = getattr(test, "test_case", test)  # of a subTest
    method = getattr(test, "_testMethodName", None)
    if method is None:
        return str(test.description).rpartition(".")[2].rstrip(")")
    name: str = getattr(test, method).__qualname__
    return name
