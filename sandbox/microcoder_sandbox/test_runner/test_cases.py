"""What unittest reports of its TestCases, which end at the first failure."""

from __future__ import annotations

import sys
from typing import Any, Protocol

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


class Tests(Protocol):
    """The tests of a module."""

    def begin_test(self) -> None: ...

    def end_test(
        self, test: str, marks: list[small_pytest.Mark], error: BaseException | None
    ) -> None: ...


def watch_results(unittest: Any, report: Report, tests: Tests) -> None:
    """Have each TestResult raise what a test raised instead of collecting it, also where the test
    code makes the result: it may not look at it. tests: get each test's begin and end."""
    results = unittest.TestResult
    start, skip, end_test = results.startTest, results.addSkip, tests.end_test

    def start_test(result: Any, test: Any) -> None:
        tests.begin_test()
        start(result, test)

    def add_skip(result: Any, test: Any, reason: str) -> None:
        error = sys.exc_info()[1]  # None where a decorator skips it
        if is_skip(error):
            end_test(_get_name(test), [], error)
        else:
            report.skip(_get_name(test))
        skip(result, test, reason)

    def add_error(_: Any, test: Any, err: Any) -> None:
        end_test(_get_name(test), _list_marks(test), err[1])

    def add_success(_: Any, test: Any) -> None:
        end_test(_get_name(test), _list_marks(test), None)

    def add_subtest(result: Any, test: Any, _subtest: Any, err: Any) -> None:
        if err is not None:
            add_error(result, test, err)

    def add_unexpected_success(_: Any, test: Any) -> None:
        error = AssertionError("a test that is expected to fail passes")
        end_test(_get_name(test), [], error)

    results.startTest, results.addSkip = start_test, add_skip
    results.addError = results.addFailure = add_error
    results.addSuccess, results.addSubTest = add_success, add_subtest
    results.addExpectedFailure = lambda _, test, _err: report.fail_as_expected(_get_name(test))
    results.addUnexpectedSuccess = add_unexpected_success


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
