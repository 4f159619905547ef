"""Run the tests that pytest or unittest collects: functions, classes of tests, TestCases.

The dry run, which has no candidate, decides which tests are skipped, and not by the answers of its
stand-in. The decision holds beside every candidate, so none can have a test skipped by its answers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import CoroutineType, FunctionType, GeneratorType, MethodType, SimpleNamespace
from typing import Any

from . import replacement, small_pytest
from .connection import Connection
from .report import Report
from .source_analysis import list_lines
from .test_cases import is_skip, is_test_case


class Scope:
    """The values of fixtures that end together, and what ends them."""

    def __init__(self) -> None:
        self.values: dict[Any, Any] = {}
        self.finalizers: list[Callable[[], Any]] = []

    def close(self) -> None:
        """Run the finalizers, the last one first."""
        while self.finalizers:
            self.finalizers.pop()()


class Case:
    """One run of a test. values: the values of its parameters. params: what its fixtures get as
    ``request.param``. function: the test. owner: the object of its class of tests."""

    def __init__(
        self, values: dict[str, Any], params: dict[str, Any], marks: list[small_pytest.Mark]
    ) -> None:
        self.values, self.params, self.marks = values, params, marks
        self.function: Any = None
        self.owner: Any = None
        self.cls: type | None = None  # the class of tests; None if the test is a function

    def join(self, other: Case) -> Case:
        """Return the case that both describe together."""
        return Case(self.values | other.values, self.params | other.params,
                    [*self.marks, *other.marks])  # fmt: skip

    def gives(self, name: str) -> bool:
        """Whether it decides the value of a parameter or of a fixture."""
        return name in self.values or name in self.params


class Request(small_pytest.Partial):
    """pytest's ``request``."""

    def __init__(self, run: ModuleTests, case: Case, fixture: small_pytest.Fixture | None) -> None:
        refuse, function = run._connection.failures.refuse, case.function
        super().__init__(refuse, "request", instance=case.owner, cls=case.cls, function=function)
        self._run, self._case = run, case
        self._scope = run._scopes[fixture.scope if fixture else "function"]
        known = {} if case.values or case.params else {"name": function.__name__}
        self.node = small_pytest.Partial(refuse, "request.node", **known)
        if fixture is not None and fixture.name in case.params:
            self.param = case.params[fixture.name]

    def addfinalizer(self, function: Callable[[], Any]) -> None:
        """Have a function called when the fixture ends."""
        self._scope.finalizers.append(function)

    def __getattr__(self, name: str) -> Any:
        if name == "param":  # tests ask whether there is one
            raise AttributeError(name)
        return super().__getattr__(name)

    def getfixturevalue(self, name: str) -> Any:
        """Return the value of a fixture."""
        return self._run._get_value(name, self._case)


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
        self._scopes = {"module": Scope(), "package": Scope(), "session": Scope()}
        self._module = SimpleNamespace()
        self._fixtures: dict[type | None, list[small_pytest.Fixture]] = {}  # by the class of tests
        self._pytest_fixtures = replacement.make_fixtures(connection.failures.refuse)

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
                is_helper = name in used_names and self._lacks_arguments(value)
                marks = small_pytest.list_marks(value)
                is_called = name in called_names and not any(m.name == "parametrize" for m in marks)
                if not is_called and not is_helper:
                    self._run_function(name, value, None)
            elif name.startswith("Test") and isinstance(value, type):
                self._run_class(value)
        if "unittest" in sys.modules:
            self._run_test_cases(sys.modules["unittest"])
        for scope in self._scopes.values():
            scope.close()
        _call_hook(self._module, "teardown_module", self._module)

    def _run_class(self, cls: type) -> None:
        if is_test_case(cls):
            return
        if getattr(cls, "__unittest_skip__", False) or not getattr(cls, "__test__", True):
            self._report.skip(cls.__qualname__)
            return
        names = {name: None for base in reversed(cls.__mro__) for name in vars(base)}
        self._scopes["class"] = Scope()
        _call_hook(cls, "setup_class", cls)
        members = {name: getattr(cls, name, None) for name in names}
        for name, member in members.items():
            if _is_test_function(name, member):
                self._run_function(name, member, cls)
        self._scopes.pop("class").close()
        _call_hook(cls, "teardown_class", cls)
        for name, member in members.items():
            if name.startswith("Test") and isinstance(member, type):
                self._run_class(member)

    def _run_function(self, name: str, function: Any, cls: type | None) -> None:
        """Run a test once for each of its cases. name: its name in its class or module."""
        test = function.__qualname__
        cases = self._list_cases(function, cls)
        names = [f"{test}[{number}]" for number in range(len(cases))] if len(cases) > 1 else [test]
        skipped = [
            n
            for n, case in zip(names, cases, strict=False)
            if any(mark.skips for mark in case.marks)
        ]
        for one in dict.fromkeys([*skipped, test] if len(skipped) == len(cases) else skipped):
            self._report.skip(one)
        for case in cases:
            if any(mark.skips for mark in case.marks):
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
        self._requests_of_tests += self._connection.request_count - self._first_request
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
        self._first_request = self._connection.request_count

    def _run_case(self, name: str, function: Any, cls: type | None, case: Case) -> None:
        self.begin_test()
        case.function, case.cls = function, cls
        case.owner = None if cls is None else cls()
        kind = "function" if cls is None else "method"
        hooks = self._module if cls is None else case.owner
        self._scopes["function"] = Scope()
        if cls is None:
            self._scopes["class"] = Scope()  # a function counts as a class of its own
        _call_hook(hooks, f"setup_{kind}", function)
        try:
            for fixture in self._list_outer_fixtures(cls, case.marks):
                self._get_value(fixture, case)
            bound = function if cls is None else getattr(case.owner, name)
            result = bound(**{p: self._get_value(p, case) for p in _list_parameters(bound)})
            if isinstance(result, CoroutineType):
                __import__("asyncio").run(result)
        finally:
            try:
                self._scopes.pop("function").close()
                if cls is None:
                    self._scopes.pop("class").close()
            finally:
                _call_hook(hooks, f"teardown_{kind}", function)

    def _list_cases(self, function: Any, cls: type | None) -> list[Case]:
        """Return the product of the marks ``parametrize`` and of the parameters of fixtures."""
        marks = [
            m for owner in (function, cls, self._module) for m in small_pytest.list_marks(owner)
        ]
        cases = [Case({}, {}, marks)]
        for mark in marks:
            if mark.name == "parametrize":
                new_cases = list(_list_parametrized(*mark.args, **mark.options))
                cases = [earlier.join(new) for new in new_cases for earlier in cases]
        names = [*self._list_outer_fixtures(cls, marks), *_list_parameters(function)]
        needed = self._list_needed(names, cls)
        if any(not case.values.keys() | case.params.keys() <= {*needed} for case in cases):
            raise self._connection.failures.refuse(
                f"{function.__qualname__} takes not all its parameters"
            )
        for name in needed:
            fixture = self._find_fixture(name, cls)
            if fixture is None:
                continue
            params = map(_split_param, fixture.params or ())
            new_cases = [Case({}, {name: value}, value_marks) for value, value_marks in params]
            is_free = fixture.params is not None and not any(case.gives(name) for case in cases)
            cases = [old.join(new) for new in new_cases for old in cases] if is_free else cases
        return cases

    def _list_needed(self, names: list[str], cls: type | None) -> list[str]:
        """Return these fixtures, and all that they ask for."""
        needed = list(dict.fromkeys(names))
        for name in needed:  # the list grows in the loop
            if fixture := self._find_fixture(name, cls):
                needed += [n for n in _list_parameters(fixture.function) if n not in needed]
        return needed

    def _list_outer_fixtures(self, cls: type | None, marks: list[small_pytest.Mark]) -> list[str]:
        """Return the fixtures that a test has without naming them as parameters."""
        fixtures = self._list_fixtures(cls)
        used = [name for mark in marks if mark.name == "usefixtures" for name in mark.args]
        return [*(fixture.name for fixture in fixtures if fixture.is_automatic), *used]

    def _find_fixture(
        self, name: str, cls: type | None, user: small_pytest.Fixture | None = None
    ) -> small_pytest.Fixture | None:
        """Return the nearest fixture of a name. user: the fixture that asks for it; it may be one
        that replaces another of its name."""
        fixtures = [f for f in self._list_fixtures(cls) if f.name == name]
        start = fixtures.index(user) + 1 if user in fixtures else 0
        return next(iter(fixtures[start:]), None)

    def _list_fixtures(self, cls: type | None) -> list[small_pytest.Fixture]:
        """Return the fixtures of a class of tests and of the module, the nearest first."""
        if cls not in self._fixtures:
            holders = [*map(vars, () if cls is None else cls.__mro__), self._namespace]
            values = [value for holder in holders for value in holder.values()]
            functions = [value for value in values if type(value) is FunctionType]
            own = [f.__fixture__ for f in functions if hasattr(f, "__fixture__")]
            self._fixtures[cls] = [*own, *self._pytest_fixtures]
        return self._fixtures[cls]

    def _lacks_arguments(self, function: Any) -> bool:
        cases = self._list_cases(function, None)
        return bool(cases) and not all(
            name == "request" or cases[0].gives(name) or self._find_fixture(name, None)
            for name in _list_parameters(function)
        )

    def _get_value(
        self, name: str, case: Case, request: Any = None, user: small_pytest.Fixture | None = None
    ) -> Any:
        """Return the value of a parameter of a test, or of a fixture (``user``)."""
        if name in case.values:
            return case.values[name]
        if name == "request":
            return request or Request(self, case, None)
        fixture = self._find_fixture(name, case.cls, user)
        if fixture is None or fixture.scope not in self._scopes:
            raise self._connection.failures.refuse(f"the test asks for the fixture {name}")
        scope = self._scopes[fixture.scope]
        needed = self._list_needed([name], case.cls)
        key = (fixture, *[id(case.params.get(one)) for one in needed])
        if key not in scope.values:
            before = self._connection.request_count
            scope.values[key] = self._make_value(fixture, case, scope)
            if fixture.scope != "function":  # later tests have the answers, too
                self._first_request += self._connection.request_count - before
        return scope.values[key]

    def _make_value(self, fixture: small_pytest.Fixture, case: Case, scope: Scope) -> Any:
        request = Request(self, case, fixture)
        function = fixture.function
        if case.cls is not None and function in vars(case.cls).values():
            function = MethodType(function, case.owner)
        value = function(**{parameter: self._get_value(parameter, case, request, fixture)
                            for parameter in _list_parameters(function)})  # fmt: skip
        if isinstance(value, CoroutineType):
            return __import__("asyncio").run(value)
        if not isinstance(value, GeneratorType):
            return value
        scope.finalizers.append(lambda: next(value, None))
        return next(value)

    def _run_test_cases(self, unittest: Any) -> None:
        loader, suite = unittest.defaultTestLoader, unittest.TestSuite()
        for value in list(self._namespace.values()):
            if isinstance(value, type) and issubclass(value, unittest.TestCase):
                if not getattr(value, "__test__", True):
                    self._report.skip(value.__qualname__)
                    continue
                if self._list_outer_fixtures(value, small_pytest.list_marks(value)):
                    raise self._connection.failures.refuse("a TestCase has fixtures of pytest")
                suite.addTest(loader.loadTestsFromTestCase(value))
        if "load_tests" in self._namespace:  # unittest's own hook
            suite = self._namespace["load_tests"](loader, suite, None)
        suite.run(unittest.TestResult())


def _is_test_function(name: str, value: Any) -> bool:
    """Whether pytest runs it: a fixture may be named as a test is."""
    is_function = name.startswith("test") and isinstance(value, (FunctionType, MethodType))
    return is_function and not hasattr(value, "__fixture__")


def _list_parametrized(
    argnames: Any, argvalues: Any, indirect: Any = False, ids: Any = None, scope: Any = None
) -> Iterator[Case]:
    """Yield the cases of one mark ``parametrize``."""
    is_single = isinstance(argnames, str) and "," not in argnames
    names = argnames.replace(",", " ").split() if isinstance(argnames, str) else list(argnames)
    for values in argvalues:
        is_alone = is_single and not isinstance(values, small_pytest.Param)
        pairs = dict(zip(names, (values,) if is_alone else values, strict=True))
        params = {n: v for n, v in pairs.items() if indirect is True or n in (indirect or ())}
        direct = {n: v for n, v in pairs.items() if n not in params}
        yield Case(direct, params, list(getattr(values, "marks", ())))


def _split_param(value: Any) -> tuple[Any, list[small_pytest.Mark]]:
    """Return a parameter of a fixture, and its marks."""
    return (value[0], list(value.marks)) if isinstance(value, small_pytest.Param) else (value, [])


def _call_hook(owner: Any, name: str, argument: Any) -> None:
    """Call a function such as setup_method, which may take one argument."""
    hook = getattr(owner, name, None)
    if isinstance(hook, (FunctionType, MethodType)):
        hook(*[argument for _ in _list_parameters(hook)])


def _list_parameters(function: Any) -> Iterator[str]:
    """Yield the parameters that a caller has to give."""
    code, count = function.__code__, function.__code__.co_argcount
    names = code.co_varnames[isinstance(function, MethodType) : count + code.co_kwonlyargcount]
    defaults = code.co_varnames[count - len(function.__defaults__ or ()) : count]
    return (n for n in names if n not in {*defaults, *(function.__kwdefaults__ or ())})
