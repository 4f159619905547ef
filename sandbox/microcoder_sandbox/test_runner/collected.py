"""Run the tests that pytest or unittest collects: functions, classes of tests, TestCases.

The dry run, which has no candidate, decides which tests are skipped. The decision holds beside
every candidate, so no candidate can have a test skipped by its answers.
"""

from __future__ import annotations

import sys
from types import CoroutineType, FunctionType, GeneratorType, MethodType, SimpleNamespace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from .proxies import Connection
    from .report import Report


def is_skip(error: BaseException | None) -> bool:
    """Whether an exception says that a test is skipped."""
    module = sys.modules.get("unittest.case")
    return module is not None and isinstance(error, module.SkipTest)


class TestRun:
    """The tests of one module. is_tolerant: whether to go on after a test that raises."""

    __test__ = False  # not a pytest class

    def __init__(
        self,
        namespace: dict[str, Any],
        connection: Connection,
        report: Report,
        is_tolerant: Callable[[], bool],
    ) -> None:
        self._namespace = namespace
        self._connection = connection
        self._report = report
        self._is_tolerant = is_tolerant
        self._shared_values: dict[str, Any] = {}  # of fixtures for more than one test

    def run(self, called_names: set[str], used_names: set[str]) -> None:
        """Run the tests: functions and plain classes first, then TestCases. Raises the exception of
        the first one that fails.

        called_names: functions that the module itself calls; they are not run again. used_names:
        all names that it reads. A function in used_names whose parameters nothing provides is a
        helper, not a test.
        """
        module = SimpleNamespace(**self._namespace)
        _call_hook(module, "setup_module", module)
        for name, value in list(self._namespace.items()):
            if name.startswith("test") and isinstance(value, FunctionType):
                is_helper = name in used_names and self._lacks_arguments(value)
                if name not in called_names and not is_helper:
                    self._run_function(value, module, "function")
            elif name.startswith("Test") and isinstance(value, type):
                self._run_class(value)
        _call_hook(module, "teardown_module", module)
        if "unittest" in sys.modules:
            self._run_test_cases(sys.modules["unittest"])

    def _run_class(self, cls: type) -> None:
        if _is_test_case(cls):
            return
        if getattr(cls, "__unittest_skip__", False):
            self._report.skip(cls.__qualname__)
            return
        names = {name: None for base in reversed(cls.__mro__) for name in vars(base)}
        _call_hook(cls, "setup_class", cls)
        for method in [name for name in names if name.startswith("test")]:
            case = cls()
            self._run_function(getattr(case, method), case, "method")
        _call_hook(cls, "teardown_class", cls)

    def _run_function(self, function: Any, owner: Any, kind: str) -> None:
        cases = getattr(function, "__cases__", [{}])
        if not cases:
            self._report.skip(function.__qualname__)
        try:
            for values in cases:
                _call_hook(owner, f"setup_{kind}", function)
                self._run_case(function, values)
                _call_hook(owner, f"teardown_{kind}", function)
        except Exception as error:
            if is_skip(error):
                self._report.skip(function.__qualname__)
            elif isinstance(error, ImportError) or not self._is_tolerant():
                raise

    def _lacks_arguments(self, function: Any) -> bool:
        cases = getattr(function, "__cases__", [{}])
        known_names = self._namespace.keys() | {name for case in cases for name in case}
        return bool(cases) and not set(_list_parameters(function)) <= known_names

    def _run_case(self, function: Any, values: dict[str, Any]) -> None:
        values = dict(values)
        open_fixtures: list[Any] = []
        case = getattr(function, "__self__", None)
        names = [*_list_automatic_fixtures(self._namespace, case), *_list_parameters(function)]
        arguments = {name: self._get_value(name, case, values, open_fixtures) for name in names}
        result = function(**{name: arguments[name] for name in _list_parameters(function)})
        if isinstance(result, CoroutineType):
            __import__("asyncio").run(result)
        for fixture in reversed(open_fixtures):
            next(fixture, None)

    def _get_value(
        self, name: str, case: Any, values: dict[str, Any], open_fixtures: list[Any]
    ) -> Any:
        """Return the value of a parameter of a test or of a fixture. values: those of this case."""
        if name in values:
            return values[name]
        fixture = getattr(case, name, None) or self._namespace.get(name)
        scope = getattr(fixture, "__fixture__", None)
        if fixture is None or scope is None:
            raise self._connection.refuse(f"the test asks for the fixture {name}")
        cache = values if scope == "function" else self._shared_values
        key = fixture.__qualname__
        if key not in cache:
            arguments = {parameter: self._get_value(parameter, case, values, open_fixtures)
                         for parameter in _list_parameters(fixture)}  # fmt: skip
            value = fixture(**arguments)
            if isinstance(value, GeneratorType):
                open_fixtures += [value] if scope == "function" else []
                value = next(value)
            cache[key] = value
        return cache[key]

    def _run_test_cases(self, unittest: Any) -> None:
        result = _make_result(self._report, self._is_tolerant)
        for value in list(self._namespace.values()):
            if isinstance(value, type) and issubclass(value, unittest.TestCase):
                unittest.defaultTestLoader.loadTestsFromTestCase(value).run(result)
        if result.unexpectedSuccesses and not self._is_tolerant():
            raise AssertionError("a test that is expected to fail passes")


def _is_test_case(cls: type) -> bool:
    module = sys.modules.get("unittest")
    return module is not None and issubclass(cls, module.TestCase)


def _list_automatic_fixtures(namespace: dict[str, Any], case: Any) -> list[str]:
    """Return the names of the fixtures that each test has, those of its class last."""
    fixtures = [*namespace.items(), *vars(type(case)).items()]
    return [name for name, fixture in fixtures if hasattr(fixture, "__automatic__")]


def _call_hook(owner: Any, name: str, argument: Any) -> None:
    """Call a function such as setup_method, which may take one argument."""
    hook = getattr(owner, name, None)
    if isinstance(hook, (FunctionType, MethodType)):
        hook(*[argument for _ in _list_parameters(hook)])


def _list_parameters(function: Any) -> Iterator[str]:
    """Yield the parameters that a caller has to give."""
    code, defaults = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[: code.co_argcount - len(defaults)]
    return (name for name in names[isinstance(function, MethodType) :])


def _make_result(report: Report, is_tolerant: Callable[[], bool]) -> Any:
    import unittest

    class FirstError(unittest.TestResult):
        """Raise what a test raised instead of collecting it: one failure decides."""

        def addError(self, test: Any, err: Any) -> None:  # noqa: N802
            if err is not None and (isinstance(err[1], ImportError) or not is_tolerant()):
                raise err[1]

        addFailure = addError  # noqa: N815

        def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:  # noqa: N802
            self.addError(test, err)

        def addSkip(self, test: Any, reason: str) -> None:  # noqa: N802
            report.skip(_get_name(test))

        def addExpectedFailure(self, test: Any, err: Any) -> None:  # noqa: N802
            report.fail_as_expected(_get_name(test))

    return FirstError()


def _get_name(test: Any) -> str:
    """Return the qualified name of a test; of a class, where its setUpClass skips all tests."""
    test = getattr(test, "test_case", test)  # of a subTest
    method = getattr(test, "_testMethodName", None)
    if method is None:
        return str(test.description).rpartition(".")[2].rstrip(")")
    name: str = getattr(test, method).__qualname__
    return name
