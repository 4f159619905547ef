"""Run the tests that pytest or unittest collects: functions, classes of tests, TestCases.

Which of them are skipped is decided in the dry run, where there is no candidate, and then holds
beside every candidate: nobody has a test skipped by what it answers.
"""

from __future__ import annotations

import ast
import sys
from types import CoroutineType, GeneratorType

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
    """The tests of one module. is_tolerant: whether a test that raises is followed by the next."""

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

    def run(self, tree: ast.Module) -> None:
        """Run the tests, the functions and their classes first. Raises what the first one that
        fails raises."""
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if node.name.startswith("test"):
                    self._run_function(self._namespace[node.name])
            elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
                self._run_class(self._namespace[node.name])
        if "unittest" in sys.modules:
            self._run_test_cases(sys.modules["unittest"])

    def _run_class(self, cls: type) -> None:
        if _is_test_case(cls):
            return
        if getattr(cls, "__unittest_skip__", False):
            self._report.skip(cls.__qualname__)
            return
        for method in [name for name in vars(cls) if name.startswith("test")]:
            case = cls()
            getattr(case, "setup_method", lambda: None)()
            self._run_function(getattr(case, method))

    def _run_function(self, function: Any) -> None:
        try:
            for values in getattr(function, "__cases__", [{}]):
                self._run_case(function, values)
        except Exception as error:
            if is_skip(error):
                self._report.skip(function.__qualname__)
            elif isinstance(error, ImportError) or not self._is_tolerant():
                raise

    def _run_case(self, function: Any, values: dict[str, Any]) -> None:
        values = dict(values)
        open_fixtures: list[Any] = []
        arguments = {name: self._get_value(name, values, open_fixtures)
                     for name in _list_parameters(function)}  # fmt: skip
        result = function(**arguments)
        if isinstance(result, CoroutineType):
            __import__("asyncio").run(result)
        for fixture in reversed(open_fixtures):
            next(fixture, None)

    def _get_value(self, name: str, values: dict[str, Any], open_fixtures: list[Any]) -> Any:
        """Return the value of a parameter of a test or of a fixture. values: those of this case."""
        if name in values:
            return values[name]
        fixture = self._namespace.get(name)
        scope = getattr(fixture, "__fixture__", None)
        if fixture is None or scope is None:
            raise self._connection.refuse(f"the test asks for the fixture {name}")
        cache = values if scope == "function" else self._shared_values
        if name not in cache:
            arguments = {parameter: self._get_value(parameter, values, open_fixtures)
                         for parameter in _list_parameters(fixture)}  # fmt: skip
            value = fixture(**arguments)
            if isinstance(value, GeneratorType):
                open_fixtures += [value] if scope == "function" else []
                value = next(value)
            cache[name] = value
        return cache[name]

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


def _list_parameters(function: Any) -> Iterator[str]:
    code = function.__code__
    return (name for name in code.co_varnames[: code.co_argcount] if name != "self")


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
