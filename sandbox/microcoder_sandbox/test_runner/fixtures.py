"""The cases of a test, and the values of fixtures that each of them gets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import (
    AsyncGeneratorType,
    CoroutineType,
    FunctionType,
    GeneratorType,
    MethodType,
    SimpleNamespace,
)
from typing import Any

from . import replacement
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
    ``request.param``. owner: the object of its class of tests."""

    def __init__(self, values: dict[str, Any], params: dict[str, Any]) -> None:
        self.values, self.params = values, params
        self.owner: Any = None
        self.cls: type | None = None  # the class of tests; None if the test is a function

    def join(self, other: Case) -> Case:
        """Return the case that both describe together."""
        return Case(self.values | other.values, self.params | other.params)

    def gives(self, name: str) -> bool:
        """Whether it decides the value of a parameter or of a fixture."""
        return name in self.values or name in self.params


class Fixtures:
    """The fixtures of one module, and the values that they have in the scopes that are open."""

    def __init__(self, namespace: dict[str, Any], refuse: Callable[[str], BaseException]) -> None:
        self._namespace = namespace
        self._refuse = refuse
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

    def list_marks(self, function: Any, cls: type | None) -> list[Mark]:
        """Return the marks of a test, with those of its class and of the module."""
        module = SimpleNamespace(**self._namespace)
        return [mark for owner in (function, cls, module) for mark in list_marks(owner)]

    def list_cases(self, function: Any, cls: type | None) -> list[Case]:
        """Return the product of the marks ``parametrize`` and of the parameters of fixtures."""
        marks, cases = self.list_marks(function, cls), [Case({}, {})]
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
            new_cases = [Case({}, {name: value}) for value in fixture.params]
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
            return request or self._make_request(case, self._scopes["function"])
        fixture = self._find(name, case.cls, user)
        if fixture is None or fixture.scope not in self._scopes:
            raise self._refuse(f"the test asks for the fixture {name}")
        scope = self._scopes[fixture.scope]
        names = self._list_needed([name], case.cls)
        key = (fixture, *[id(case.params.get(one)) for one in names])
        if key not in scope.values:
            scope.values[key] = self._make_value(fixture, case, scope)
        return scope.values[key]

    def _make_value(self, fixture: Fixture, case: Case, scope: Scope) -> Any:
        name = fixture.name
        param = {"param": case.params[name]} if name in case.params else {}
        request = self._make_request(case, scope, **param)
        function = fixture.function
        holders = () if case.cls is None else case.cls.__mro__
        if any(function in vars(holder).values() for holder in holders):
            function = MethodType(function, case.owner)
        value = function(**{parameter: self.get_value(parameter, case, request, fixture)
                            for parameter in list_parameters(function)})  # fmt: skip
        if isinstance(value, CoroutineType):
            return __import__("asyncio").run(value)
        if isinstance(value, AsyncGeneratorType):
            raise self._refuse(f"the fixture {name} is an asynchronous generator")
        if not isinstance(value, GeneratorType):
            return value
        scope.finalizers.append(lambda: next(value, None))
        return next(value)

    def _make_request(self, case: Case, scope: Scope, **param: Any) -> Partial:
        """Return pytest's ``request``. scope: of the fixture that asks, or of the test. param: its
        parameter, if it has one."""
        return Partial(
            self._refuse,
            "request",
            addfinalizer=scope.finalizers.append,
            getfixturevalue=lambda name: self.get_value(name, case),
            **param,
        )

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
            members = [v.__func__ if type(v) is staticmethod else v for v in values]
            functions = [value for value in members if type(value) is FunctionType]
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
        yield Case(direct, params)


def list_parameters(function: Any) -> Iterator[str]:
    """Yield the parameters that a caller has to give."""
    code, count = function.__code__, function.__code__.co_argcount
    names = code.co_varnames[isinstance(function, MethodType) : count + code.co_kwonlyargcount]
    defaults = code.co_varnames[count - len(function.__defaults__ or ()) : count]
    return (n for n in names if n not in {*defaults, *(function.__kwdefaults__ or ())})
