"""The cases of a test, and the values of fixtures that each of them gets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import CoroutineType, FunctionType, GeneratorType, MethodType, SimpleNamespace
from typing import Any

from . import replacement
from .connection import Connection
from .small_pytest import Fixture, Mark, Param, Partial, list_marks


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

    def __init__(self, values: dict[str, Any], params: dict[str, Any], marks: list[Mark]) -> None:
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

    @property
    def is_skipped(self) -> bool:
        """Whether a mark says that it is not run."""
        return any(mark.skips for mark in self.marks)


class Request(Partial):
    """pytest's ``request``. scope: of the fixture that asks, or of the test. param: its parameter,
    if it has one."""

    def __init__(
        self,
        refuse: Callable[[str], BaseException],
        case: Case,
        scope: Scope,
        get_value: Callable[[str, Case], Any],
        **param: Any,
    ) -> None:
        function = case.function
        super().__init__(
            refuse, "request", instance=case.owner, cls=case.cls, function=function, **param
        )
        self._case, self._scope, self._get_value = case, scope, get_value
        node_fields = {} if case.values or case.params else {"name": function.__name__}
        self.node = Partial(refuse, "request.node", **node_fields)

    def addfinalizer(self, function: Callable[[], Any]) -> None:
        """Have a function called when the fixture ends."""
        self._scope.finalizers.append(function)

    def __getattr__(self, name: str) -> Any:
        if name == "param":  # tests ask whether there is one
            raise AttributeError(name)
        return super().__getattr__(name)

    def getfixturevalue(self, name: str) -> Any:
        """Return the value of a fixture."""
        return self._get_value(name, self._case)


class Fixtures:
    """The fixtures of one module, and the values that they have in the scopes that are open.

    shared_requests: how many requests fixtures of a greater scope than "function" have made.
    """

    def __init__(self, namespace: dict[str, Any], connection: Connection) -> None:
        self.shared_requests = 0
        self._namespace = namespace
        self._connection = connection
        self._refuse = connection.failures.refuse
        self._scopes = {"module": Scope(), "package": Scope(), "session": Scope()}
        self._by_class: dict[type | None, list[Fixture]] = {}
        self._of_pytest = replacement.make_fixtures(self._refuse)

    def open(self, scope: str) -> None:
        """Begin a scope."""
        self._scopes[scope] = Scope()

    def close(self, scope: str) -> None:
        """End a scope."""
        self._scopes.pop(scope).close()

    def close_all(self) -> None:
        """End the scopes that outlast each class and function."""
        for scope in self._scopes.values():
            scope.close()

    def list_cases(self, function: Any, cls: type | None) -> list[Case]:
        """Return the product of the marks ``parametrize`` and of the parameters of fixtures."""
        module = SimpleNamespace(**self._namespace)
        marks = [mark for owner in (function, cls, module) for mark in list_marks(owner)]
        cases = [Case({}, {}, marks)]
        for mark in marks:
            if mark.name == "parametrize":
                new_cases = list(_list_parametrized(*mark.args, **mark.options))
                cases = [earlier.join(new) for new in new_cases for earlier in cases]
        fixture_names = self._list_needed(
            [*self.list_outer(cls, marks), *list_parameters(function)], cls
        )
        if any(not case.values.keys() | case.params.keys() <= {*fixture_names} for case in cases):
            raise self._refuse(f"{function.__qualname__} takes not all its parameters")
        for name in fixture_names:
            fixture = self._find(name, cls)
            if fixture is None or fixture.params is None or any(case.gives(name) for case in cases):
                continue
            params = map(_split_param, fixture.params)
            new_cases = [Case({}, {name: value}, value_marks) for value, value_marks in params]
            cases = [old.join(new) for new in new_cases for old in cases]
        return cases

    def list_outer(self, cls: type | None, marks: list[Mark]) -> list[str]:
        """Return the fixtures that a test has without naming them as parameters."""
        names_by_mark = [name for mark in marks if mark.name == "usefixtures" for name in mark.args]
        return [
            *(fixture.name for fixture in self._list(cls) if fixture.is_automatic),
            *names_by_mark,
        ]

    def lacks_arguments(self, function: Any) -> bool:
        """Whether nothing provides a parameter of a function, which is a helper then."""
        cases = self.list_cases(function, None)
        return bool(cases) and not all(
            name == "request" or cases[0].gives(name) or self._find(name, None)
            for name in list_parameters(function)
        )

    def get_value(
        self, name: str, case: Case, request: Any = None, user: Fixture | None = None
    ) -> Any:
        """Return the value of a parameter of a test, or of a fixture (``user``)."""
        if name in case.values:
            return case.values[name]
        if name == "request":
            return request or Request(self._refuse, case, self._scopes["function"], self.get_value)
        fixture = self._find(name, case.cls, user)
        if fixture is None or fixture.scope not in self._scopes:
            raise self._refuse(f"the test asks for the fixture {name}")
        scope = self._scopes[fixture.scope]
        names = self._list_needed([name], case.cls)
        key = (fixture, *[id(case.params.get(one)) for one in names])
        if key not in scope.values:
            before = self._connection.request_count
            scope.values[key] = self._make_value(fixture, case, scope)
            if fixture.scope != "function":
                self.shared_requests += self._connection.request_count - before
        return scope.values[key]

    def _make_value(self, fixture: Fixture, case: Case, scope: Scope) -> Any:
        name = fixture.name
        param = {"param": case.params[name]} if name in case.params else {}
        request = Request(self._refuse, case, scope, self.get_value, **param)
        function = fixture.function
        if case.cls is not None and function in vars(case.cls).values():
            function = MethodType(function, case.owner)
        value = function(**{parameter: self.get_value(parameter, case, request, fixture)
                            for parameter in list_parameters(function)})  # fmt: skip
        if isinstance(value, CoroutineType):
            return __import__("asyncio").run(value)
        if not isinstance(value, GeneratorType):
            return value
        scope.finalizers.append(lambda: next(value, None))
        return next(value)

    def _list_needed(self, names: list[str], cls: type | None) -> list[str]:
        """Return these fixtures, and all that they ask for."""
        names = list(dict.fromkeys(names))
        for name in names:  # the list grows in the loop
            if fixture := self._find(name, cls):
                names += [n for n in list_parameters(fixture.function) if n not in names]
        return names

    def _find(self, name: str, cls: type | None, user: Fixture | None = None) -> Fixture | None:
        """Return the nearest fixture of a name. user: the fixture that asks for it; it may be one
        that replaces another of its name."""
        fixtures = [fixture for fixture in self._list(cls) if fixture.name == name]
        start = fixtures.index(user) + 1 if user in fixtures else 0
        return next(iter(fixtures[start:]), None)

    def _list(self, cls: type | None) -> list[Fixture]:
        """Return the fixtures of a class of tests and of the module, the nearest first."""
        if cls not in self._by_class:
            holders = [*map(vars, () if cls is None else cls.__mro__), self._namespace]
            values = [value for holder in holders for value in holder.values()]
            functions = [value for value in values if type(value) is FunctionType]
            own = [f.__fixture__ for f in functions if hasattr(f, "__fixture__")]
            self._by_class[cls] = [*own, *self._of_pytest]
        return self._by_class[cls]


def _list_parametrized(
    argnames: Any, argvalues: Any, indirect: Any = False, ids: Any = None, scope: Any = None
) -> Iterator[Case]:
    """Yield the cases of one mark ``parametrize``."""
    is_single = isinstance(argnames, str) and "," not in argnames
    names = argnames.replace(",", " ").split() if isinstance(argnames, str) else list(argnames)
    for values in argvalues:
        is_alone = is_single and not isinstance(values, Param)
        pairs = dict(zip(names, (values,) if is_alone else values, strict=True))
        params = {n: v for n, v in pairs.items() if indirect is True or n in (indirect or ())}
        direct = {n: v for n, v in pairs.items() if n not in params}
        yield Case(direct, params, list(getattr(values, "marks", ())))


def _split_param(value: Any) -> tuple[Any, list[Mark]]:
    """Return a parameter of a fixture, and its marks."""
    return (value[0], list(value.marks)) if isinstance(value, Param) else (value, [])


def list_parameters(function: Any) -> Iterator[str]:
    """Yield the parameters that a caller has to give."""
    code, count = function.__code__, function.__code__.co_argcount
    names = code.co_varnames[isinstance(function, MethodType) : count + code.co_kwonlyargcount]
    defaults = code.co_varnames[count - len(function.__defaults__ or ()) : count]
    return (n for n in names if n not in {*defaults, *(function.__kwdefaults__ or ())})
