"""Run the tests that pytest or unittest collects: functions, classes of tests, TestCases.

All of them run: to skip one is refused, as a candidate's answers could be the reason.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CoroutineType, FunctionType, MethodType, SimpleNamespace
from typing import Any

from . import small_pytest
from .connection import Connection
from .fixtures import Case, Fixtures, list_parameters
from .test_cases import is_skip, is_test_case


class ModuleTests:
    """The tests of one module. is_tolerant: whether to go on after a test that raises, which only a
    dry run does."""

    __test__ = False  # not a pytest class

    def __init__(
        self, namespace: dict[str, Any], connection: Connection, is_tolerant: Callable[[], bool]
    ) -> None:
        self._namespace = namespace
        self._refuse = connection.failures.refuse
        self._is_tolerant = is_tolerant
        self._module = SimpleNamespace()
        self._fixtures = Fixtures(namespace, self._refuse)

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
        if is_test_case(cls) or not getattr(cls, "__test__", True):
            return
        if hasattr(cls, "__unittest_skip__"):
            raise self._refuse(f"the test code skips {cls.__qualname__}")
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
        skip = f"the test code skips {function.__qualname__}"
        cases = self._fixtures.list_cases(function, cls)
        if not cases:
            raise self._refuse(skip)
        for case in cases:
            try:
                self._run_case(name, function, cls, case)
            except small_pytest.FAILURES as error:
                if is_skip(error):
                    raise self._refuse(skip) from error
                self.fail(error)

    def fail(self, error: BaseException) -> None:
        """Raise what a test raised: one failure decides."""
        if isinstance(error, ImportError) or not self._is_tolerant():
            raise error

    def _run_case(self, name: str, function: Any, cls: type | None, case: Case) -> None:
        fixtures = self._fixtures
        case.cls, case.owner = cls, None if cls is None else cls()
        kind = "function" if cls is None else "method"
        hooks = self._module if cls is None else case.owner
        # A function counts as a class of its own.
        scopes = ["function"] if cls is not None else ["function", "class"]
        for scope in scopes:
            fixtures.open(scope)
        _call_hook(hooks, f"setup_{kind}", function)
        for fixture in fixtures.list_outer(cls, fixtures.list_marks(function, cls)):
            fixtures.get_value(fixture, case)
        bound = function if cls is None else getattr(case.owner, name)
        result = bound(**{p: fixtures.get_value(p, case) for p in list_parameters(bound)})
        if isinstance(result, CoroutineType):
            __import__("asyncio").run(result)
        for scope in scopes:
            fixtures.close(scope)
        _call_hook(hooks, f"teardown_{kind}", function)

    def _run_test_cases(self, unittest: Any) -> None:
        loader, suite = unittest.defaultTestLoader, unittest.TestSuite()
        for value in list(self._namespace.values()):
            if isinstance(value, type) and issubclass(value, unittest.TestCase):
                if not getattr(value, "__test__", True):
                    continue
                if self._fixtures.list_outer(value, small_pytest.list_marks(value)):
                    raise self._refuse("a TestCase has fixtures of pytest")
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
