"""Run the tests that pytest or unittest collects: functions, classes of tests, TestCases.

The dry run, which has no candidate, decides which tests are skipped, and not by the answers of its
stand-in. The decision holds beside every candidate, so none can have a test skipped by its answers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CoroutineType, FunctionType, MethodType, SimpleNamespace
from typing import Any

from microcoder_sandbox.test_code.source_analysis import list_lines

from . import small_pytest
from .connection import Connection
from .fixtures import Case, Fixtures, list_parameters
from .report import Report
from .test_cases import is_skip, is_test_case


class ModuleTests:
    """The tests of one module. is_tolerant: whether to go on after a test that raises, which only a
    dry run does. straight_lines: ``source_analysis.find_straight_lines``."""

    __test__ = False  # not a pytest class

    def __init__(
        self,
        namespace: dict[str, Any],
        connection: Connection,
        report: Report,
        is_tolerant: Callable[[], bool],
        straight_lines: frozenset[int],
    ) -> None:
        self._namespace = namespace
        self._connection = connection
        self._report = report
        self._is_tolerant = is_tolerant
        self._straight_lines = straight_lines
        self._first_request = 0  # of the test that runs, less one
        self._requests_of_tests = 0  # that have ended
        self._module = SimpleNamespace()
        self._fixtures = Fixtures(namespace, connection)

    def run(self, called_names: set[str], used_names: set[str]) -> None:
        """Run the tests: functions and plain classes first, then TestCases. Raises the exception of
        the first one that fails.

        called_names: functions that the module itself calls; they are not run again. used_names:
        all names that it reads. A function in used_names whose parameters nothing provides is a
        helper, not a test.
        """
        vars(self._module).update(self._namespace)
        _call_hook(self._module, "setup_module", self._module)
        for name, value in list(self._namespace.items()):
            if _is_test_function(name, value):
                is_helper = name in used_names and self._fixtures.lacks_arguments(value)
                marks = small_pytest.list_marks(value)
                is_called = name in called_names and not any(m.name == "parametrize" for m in marks)
                if not is_called and not is_helper:
                    self._run_function(name, value, None)
            elif name.startswith("Test") and isinstance(value, type):
                self._run_class(value)
        if "unittest" in sys.modules:
            self._run_test_cases(sys.modules["unittest"])
        self._fixtures.close_all()
        _call_hook(self._module, "teardown_module", self._module)

    def _run_class(self, cls: type) -> None:
        if is_test_case(cls):
            return
        if getattr(cls, "__unittest_skip__", False) or not getattr(cls, "__test__", True):
            self._report.skip(cls.__qualname__)
            return
        names = {name: None for base in reversed(cls.__mro__) for name in vars(base)}
        self._fixtures.open("class")
        _call_hook(cls, "setup_class", cls)
        members = {name: getattr(cls, name, None) for name in names}
        for name, member in members.items():
            if _is_test_function(name, member):
                self._run_function(name, member, cls)
        self._fixtures.close("class")
        _call_hook(cls, "teardown_class", cls)
        for name, member in members.items():
            if name.startswith("Test") and isinstance(member, type):
                self._run_class(member)

    def _run_function(self, name: str, function: Any, cls: type | None) -> None:
        """Run a test once for each of its cases. name: its name in its class or module."""
        test = function.__qualname__
        cases = self._fixtures.list_cases(function, cls)
        names = [f"{test}[{number}]" for number in range(len(cases))] if len(cases) > 1 else [test]
        skipped_names = [n for n, case in zip(names, cases, strict=False) if case.is_skipped]
        for one in dict.fromkeys(
            [*skipped_names, test] if len(skipped_names) == len(cases) else skipped_names
        ):
            self._report.skip(one)
        for case in cases:
            if case.is_skipped:
                continue
            try:
                self._run_case(name, function, cls, case)
            except small_pytest.FAILURES as error:
                self.end_test(test, case.marks, error)
            else:
                self.end_test(test, case.marks, None)

    def end_test(
        self, test: str, marks: list[small_pytest.Mark], error: BaseException | None
    ) -> None:
        """Report how a test has ended. Raises what makes the tests fail: one failure decides."""
        expected = small_pytest.find_expected_failure(marks)
        is_answered = self._requests_of_tests < self._connection.request_count
        self._requests_of_tests += self._count_own_requests() - self._first_request
        self.begin_test()
        if is_skip(error):
            # The stand-in's answers may be the reason, and any candidate's could be.
            is_sure = not is_answered or self._straight_lines.issuperset(list_lines(error))
            if is_sure or not self._is_tolerant():
                self._report.skip(test)
        elif error is None:
            if expected and expected.options.get("strict") and not self._is_tolerant():
                raise AssertionError(f"{test} is expected to fail and passes")
        elif expected and expected.excuses(error):
            self._report.fail_as_expected(test)
        elif isinstance(error, ImportError) or not self._is_tolerant():
            raise error

    def begin_test(self) -> None:
        """Note that what is asked from here on is asked by one test."""
        self._first_request = self._count_own_requests()

    def _count_own_requests(self) -> int:
        """Return the requests so far but those of fixtures whose answers later tests have, too."""
        return self._connection.request_count - self._fixtures.shared_requests

    def _run_case(self, name: str, function: Any, cls: type | None, case: Case) -> None:
        self.begin_test()
        fixtures = self._fixtures
        case.function, case.cls = function, cls
        case.owner = None if cls is None else cls()
        kind = "function" if cls is None else "method"
        hooks = self._module if cls is None else case.owner
        # A function counts as a class of its own.
        scopes = ["function"] if cls is not None else ["function", "class"]
        for scope in scopes:
            fixtures.open(scope)
        _call_hook(hooks, f"setup_{kind}", function)
        try:
            for fixture in fixtures.list_outer(cls, case.marks):
                fixtures.get_value(fixture, case)
            bound = function if cls is None else getattr(case.owner, name)
            result = bound(**{p: fixtures.get_value(p, case) for p in list_parameters(bound)})
            if isinstance(result, CoroutineType):
                __import__("asyncio").run(result)
        finally:
            try:
                for scope in scopes:
                    fixtures.close(scope)
            finally:
                _call_hook(hooks, f"teardown_{kind}", function)

    def _run_test_cases(self, unittest: Any) -> None:
        loader, suite = unittest.defaultTestLoader, unittest.TestSuite()
        for value in list(self._namespace.values()):
            if isinstance(value, type) and issubclass(value, unittest.TestCase):
                if not getattr(value, "__test__", True):
                    self._report.skip(value.__qualname__)
                    continue
                if self._fixtures.list_outer(value, small_pytest.list_marks(value)):
                    raise self._connection.failures.refuse("a TestCase has fixtures of pytest")
                suite.addTest(loader.loadTestsFromTestCase(value))
        if "load_tests" in self._namespace:  # unittest's own hook
            suite = self._namespace["load_tests"](loader, suite, None)
        suite.run(unittest.TestResult())


def _is_test_function(name: str, value: Any) -> bool:
    """Whether pytest runs it: a fixture may be named as a test is."""
    is_function = name.startswith("test") and isinstance(value, (FunctionType, MethodType))
    return is_function and not hasattr(value, "__fixture__")


def _call_hook(owner: Any, name: str, argument: Any) -> None:
    """Call a function such as setup_method, which may take one argument."""
    hook = getattr(owner, name, None)
    if isinstance(hook, (FunctionType, MethodType)):
        hook(*[argument for _ in list_parameters(hook)])
