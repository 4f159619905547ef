"""What test code gets as ``pytest``: the names that it uses most."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


class Failed(BaseException):
    """What ``fail`` raises, and ``raises`` where nothing is raised. As in pytest, a test's ``except
    Exception`` does not catch it."""


FAILURES = (Exception, Failed)  # what fails one test; anything else ends them all
# A test that is skipped, or must fail, says nothing of a program. A program could be the reason.
_REFUSED_MARKS = ("skip", "skipif", "xfail", "filterwarnings")


class Partial:
    """An object of pytest's of which only some attributes are here: any other is refused."""

    def __init__(self, refuse: Callable[[str], BaseException], label: str, **known: Any) -> None:
        vars(self).update(known, _refuse=refuse, _label=label)

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__":
            raise AttributeError(name)
        raise self._refuse(f"the test uses {self._label}.{name}")


class _Raises(Partial):
    """``pytest.raises``: the block must raise one of these; the exception is in ``value``."""

    def __init__(
        self,
        refuse: Callable[[str], BaseException],
        get_class: Callable[[Any], Any],
        expected: Any,
        match: str | None = None,
        check: Callable[[BaseException], object] | None = None,
    ) -> None:
        super().__init__(refuse, "pytest.raises", value=None, type=None, typename="")
        self._get_class, self._expected = get_class, expected
        self._match, self._check = match, check

    def match(self, pattern: str) -> bool:
        import re

        assert re.search(pattern, str(self.value)), f"{self.value} does not match {pattern}"
        return True

    def __enter__(self) -> _Raises:
        return self

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> bool:
        if error is None:
            raise Failed(f"did not raise {self._expected}")
        if not isinstance(error, self._expected):
            return False
        self.value, self.type, self.typename = error, self._get_class(error), kind.__name__
        assert self._check is None or self._check(error), "the check of the exception says no"
        return self._match is None or self.match(self._match)


class _Approx:
    """``pytest.approx``: the same bounds, also inside sequences of any type and dictionaries."""

    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = None  # its own ``==`` decides, as numpy's rule is

    def __init__(
        self, expected: Any, rel: Any = None, abs: Any = None, nan_ok: bool = False
    ) -> None:
        self._expected, self._rel, self._abs, self._nan_ok = expected, rel, abs, nan_ok

    def __eq__(self, actual: object) -> bool:
        return self._is_close(actual, self._expected)

    def _is_close(self, actual: Any, expected: Any) -> bool:
        if isinstance(expected, dict):
            is_same_shape = isinstance(actual, dict) and actual.keys() == expected.keys()
            return is_same_shape and all(
                self._is_close(actual[key], expected[key]) for key in expected
            )
        if _has_length(expected) and not isinstance(expected, (str, bytes, set, frozenset)):
            is_same_shape = _has_length(actual) and len(actual) == len(expected)
            # An object of the program's may yield fewer items than its length says.
            pairs = zip(actual, expected, strict=True) if is_same_shape else ()
            return is_same_shape and all(self._is_close(*pair) for pair in pairs)
        if isinstance(expected, bool) and not isinstance(actual, bool):
            return False
        if actual == expected:
            return True
        if not (_is_number(actual) and _is_number(expected)):
            return False
        if expected != expected:
            return self._nan_ok and bool(actual != actual)
        kind = type(expected) if type(expected).__name__ == "Decimal" else float
        tolerance = kind(self._abs if self._abs is not None else "1e-12")
        if self._rel is not None or self._abs is None:
            relative = kind(self._rel if self._rel is not None else "1e-6")
            tolerance = max(tolerance, relative * abs(expected))
        return bool(abs(actual - expected) <= tolerance < kind("inf"))


def _has_length(value: Any) -> bool:
    return hasattr(type(value), "__len__")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, complex)) or hasattr(type(value), "as_integer_ratio")


class Mark:
    """``pytest.mark.NAME``, with or without arguments. A function or a class that it decorates
    gets it into its ``pytestmark``; a name that pytest does not know is a mere label."""

    def __init__(self, name: str, args: tuple[Any, ...], options: dict[str, Any]) -> None:
        self.name, self.args, self.options = name, args, options
        if name == "parametrize":  # an iterator is used up by its first reader
            self.args = (*args[:1], *map(list, args[1:2]), *args[2:])
            if "argvalues" in options:
                self.options = {**options, "argvalues": list(options["argvalues"])}

    def __call__(self, *args: Any, **options: Any) -> Any:
        if options or len(args) != 1 or not hasattr(args[0], "__qualname__"):
            return Mark(self.name, args, options)
        target = args[0]
        target.pytestmark = [*list_marks(target), self]
        return target


def list_marks(owner: Any) -> list[Mark]:
    """Return the marks of a function, a class or a module: the nearest to its name first."""
    marks = getattr(owner, "pytestmark", [])
    return [marks] if isinstance(marks, Mark) else list(marks)


class Fixture:
    """What ``pytest.fixture`` says of a function."""

    def __init__(
        self,
        function: Any,
        *,
        scope: str = "function",
        params: Any = None,
        autouse: bool = False,
        ids: Any = None,
        name: str | None = None,
    ) -> None:
        self.function, self.scope, self.is_automatic = function, scope, autouse
        self.params = (
            None
            if params is None
            else [value[0] if isinstance(value, Param) else value for value in params]
        )
        self.name = name or function.__name__


def _fail(reason: str = "", **_: Any) -> None:
    raise Failed(reason)


class Param(tuple):  # type: ignore[type-arg]
    """``pytest.param``: the values of one case."""


def _fixture(function: Any = None, **options: Any) -> Any:
    def decorate(function: Any) -> Any:
        function.__fixture__ = Fixture(function, **options)
        return function

    return decorate if function is None else decorate(function)


def ignore(*_: Any, **__: Any) -> None:
    """Replace ``unittest.main()`` and ``pytest.main()``: tests run when the module has ended."""


def make_small_pytest(
    refuse: Callable[[str], BaseException], get_class: Callable[[Any], Any]
) -> Any:
    """Return what stands for pytest: the most used names of it. ``refuse`` handles any other name;
    ``get_class`` is test code's ``type``."""

    def make_mark(name: str) -> Mark:
        if name in _REFUSED_MARKS:
            raise refuse(f"the test uses pytest.mark.{name}")
        return Mark(name, (), {})

    def param(*values: Any, marks: Any = (), id: str | None = None) -> Param:
        if marks:
            raise refuse("the test uses marks of pytest.param")
        return Param(values)

    def raises(expected: Any, *call: Any, match: str | None = None, **kwargs: Any) -> Any:
        block = _Raises(refuse, get_class, expected, match, **({} if call else kwargs))
        if call:
            with block:
                call[0](*call[1:], **kwargs)
        return block

    mark = type(sys)("pytest.mark")
    mark.__dict__["__getattr__"] = make_mark
    return Partial(
        refuse, "pytest", raises=raises, approx=_Approx, fail=_fail, param=param,
        fixture=_fixture, mark=mark, main=ignore,
    )  # fmt: skip
