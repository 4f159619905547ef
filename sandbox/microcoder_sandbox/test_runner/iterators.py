"""The iterators that tests pass: they stay here, and the program asks for one item at a time."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from typing import Any


class Iterators:
    """Iterators by number.

    pack: makes a message of an item. can_cross: whether a value can be in one.
    is_asked: whether one is drawn from now.
    failure: an assertion of the test's that has failed in one.
    """

    def __init__(
        self, pack: Callable[[Any], dict[str, Any]], can_cross: Callable[[Any], bool]
    ) -> None:
        self._pack = pack
        self._can_cross = can_cross
        self.failure: AssertionError | None = None
        self._iterators: list[Iterator[Any]] = []
        self._numbers: dict[int, int] = {}  # by id; _iterators keeps them alive
        self._tried_count = 0
        self.is_asked = False

    def add(self, iterator: Iterator[Any]) -> int:
        """Return the number of an iterator, a new one if it has none."""
        number = self._numbers.setdefault(id(iterator), len(self._iterators))
        if number == len(self._iterators):
            self._iterators.append(iterator)
        return number

    def find(self, number: Any) -> Iterator[Any]:
        """Return the iterator of a number. Raises ValueError."""
        if type(number) is not int or not 0 <= number < len(self._iterators):
            raise ValueError("an unknown iterator")
        return self._iterators[number]

    def draw(self, number: int) -> dict[str, Any]:
        """Return the answer that holds the next item, or what is raised instead. Raises
        ValueError."""
        iterator = self.find(number)
        was_asked, self.is_asked = self.is_asked, True
        try:
            item = next(iterator)
        except Exception as error:
            known = error if self._can_cross(error) else _make_built_in(error)
            if isinstance(error, AssertionError) and "_mc_proxy" not in vars(error):
                self.failure = error
                known = AssertionError()  # its message may say what is expected
            return {"ok": {**self._pack(known), "is_raised": True}}
        finally:
            self.is_asked = was_asked
        return {"ok": self._pack(item)}

    def take_failure(self) -> AssertionError | None:
        """Return ``failure``, and forget it."""
        failure, self.failure = self.failure, None
        return failure

    def try_new(self) -> None:
        """Draw an item of each iterator that is new since the last call, as a program would."""
        numbers = range(self._tried_count, len(self._iterators))
        self._tried_count = len(self._iterators)
        for number in numbers:
            self.draw(number)
        self.failure = None  # no program has drawn


def _make_built_in(error: Exception) -> BaseException:
    """Return an exception of the closest built-in class, with texts as its arguments."""
    known = vars(builtins)
    cls = next(cls for cls in type(error).__mro__ if known.get(cls.__name__) is cls)
    return cls.__new__(cls, *map(str, error.args))  # type: ignore[no-any-return]
