"""What tests put in the place of something in a module, by assignment, pytest or unittest.mock.

The program uses the tests' standard streams and ``input`` while they are replaced: tests then read
what it prints, and decide what it reads. Anything else in a module, a program in another process
would not see: to replace it is refused.
"""

from __future__ import annotations

import builtins
import io
import sys
from collections import namedtuple
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .small_pytest import Fixture, Partial

_PLACES: dict[str, Any] = {"stdin": sys, "stdout": sys, "stderr": sys, "input": builtins}
# What a program may ask for: where it comes from, and the type of its argument.
_QUESTIONS = {"input": ("input", str), "read": ("stdin", int), "readline": ("stdin", int)}
_PLAIN = (str, int, float, bool, type(None))
_MAX_PRINTED_CHARACTERS = 64 << 20
_Module = type(sys)


class Streams:
    """The streams that test code has replaced, compared with what was there at first."""

    def __init__(self, refuse: Callable[[str], BaseException]) -> None:
        self._refuse = refuse
        self._first = {name: getattr(place, name) for name, place in _PLACES.items()}
        self._printed_characters = 0
        self.is_asked = False  # now, by the program

    def list_replaced(self) -> list[str]:
        """Return the names of what is replaced now."""
        return [
            name
            for name, place in _PLACES.items()
            if getattr(place, name, None) is not self._first[name]
        ]

    def write(self, printed: Any, replaced: Sequence[str]) -> None:
        """Write what the program printed. Raises ValueError if that is nonsense."""
        for part in printed if type(printed) is list else [None]:
            match part:
                case ["stdout" | "stderr" as name, str(text)] if name in replaced:
                    self._printed_characters += len(text)
                    if self._printed_characters > _MAX_PRINTED_CHARACTERS:
                        raise ValueError("it prints too much")
                    if (stream := getattr(sys, name)) is not None:
                        stream.write(text)
                case _:
                    raise ValueError("what it printed is malformed")

    def answer(self, question: Any, replaced: Sequence[str]) -> dict[str, Any]:
        """Return the answer to what the program asks. Raises ValueError if that is nonsense."""
        if question == [""]:  # it only printed
            return {"ok": None}
        name, argument = question if type(question) is list and len(question) == 2 else ("", None)
        stream, kind = _QUESTIONS.get(name if type(name) is str else "", ("", None))
        if stream not in replaced or type(argument) is not kind:
            raise ValueError("it asks for what it cannot")
        read = builtins.input if stream == "input" else getattr(sys.stdin, name)
        self.is_asked = True
        try:
            value = read(argument)
        except (Exception, KeyboardInterrupt, SystemExit) as error:
            kind_name = type(error).__name__
            if vars(builtins).get(kind_name) is not type(error):
                raise self._refuse(f"what replaces {stream} raises {kind_name}") from error
            return {"raised": kind_name, "args": [*map(str, error.args)]}
        finally:
            self.is_asked = False
        if type(value) not in _PLAIN:
            raise self._refuse(f"what replaces {stream} returns an object of {type(value)}")
        return {"ok": value}


def _capture(refuse: Callable[[str], BaseException]) -> Iterator[Partial]:
    """Provide pytest's ``capsys``."""
    before, streams = (sys.stdout, sys.stderr), (io.StringIO(), io.StringIO())
    sys.stdout, sys.stderr = streams
    yield Partial(refuse, "capsys", readouterr=lambda: _take_texts(streams))
    sys.stdout, sys.stderr = before


def _take_texts(streams: Sequence[io.StringIO]) -> Any:
    """Return ``out`` and ``err``, what was printed since the last time."""
    texts = [stream.getvalue() for stream in streams]
    for stream in streams:
        stream.seek(0)
        stream.truncate()
    return namedtuple("CaptureResult", "out err")(*texts)


def _patch(refuse: Callable[[str], BaseException]) -> Iterator[Partial]:
    """Provide pytest's ``monkeypatch``, for what can be replaced."""
    replaced: list[tuple[Any, str, Any]] = []

    def replace(target: Any, name: Any, *value: Any, raising: bool = True) -> None:
        # The attribute is named as ``target, name, value`` or as ``"module.name", value``.
        if not value:
            module, _, attribute = target.rpartition(".")
            target, name, value = __import__(module, fromlist=["_"]), attribute, (name,)
        _check_target(target, name, refuse)
        replaced.append((target, name, getattr(target, name)))
        setattr(target, name, *value)

    yield Partial(refuse, "monkeypatch", setattr=replace)
    while replaced:
        setattr(*replaced.pop())


def make_fixtures(refuse: Callable[[str], BaseException]) -> list[Fixture]:
    """Return the fixtures that pytest itself has."""
    makers = {"capsys": _capture, "monkeypatch": _patch}
    return [Fixture(lambda make=make: make(refuse), name=name) for name, make in makers.items()]


def watch_mock(refuse: Callable[[str], BaseException]) -> None:
    """Have ``unittest.mock.patch`` refuse what the program would not see."""
    mock: Any = __import__("unittest.mock").mock
    patch = mock._patch
    enter = patch.__enter__

    def check_and_enter(self: Any) -> Any:
        try:
            target = self.getter()
        except ImportError as error:  # of the program's module, for one, which is not here
            raise refuse(
                f"the test replaces {self.attribute} of what is not here: {error}"
            ) from error
        _check_target(target, self.attribute, refuse)
        return enter(self)

    def refuse_dict(*_: Any, **__: Any) -> None:
        raise refuse("the test uses patch.dict")

    patch.__enter__ = check_and_enter
    mock.patch.dict = refuse_dict


def _check_target(target: Any, name: str, refuse: Callable[[str], BaseException]) -> None:
    """Refuse attributes of modules, and of classes that are not the tests' own."""
    is_shared = isinstance(target, _Module) or (
        isinstance(target, type) and hasattr(sys.modules.get(target.__module__), "__file__")
    )
    if is_shared and _PLACES.get(name) is not target:
        raise refuse(
            f"the test replaces {target.__name__}.{name}, which the program does not share"
        )
