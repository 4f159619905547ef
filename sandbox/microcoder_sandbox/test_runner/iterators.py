"""The iterators that tests pass: they stay here, and the program asks for one item at a time."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from typing import Any


class Iterators:
    """Iterators by number. pack: makes a message of an item. is_asked: whether one is drawn from
    now."""

    def __init__(self, pack: Callable[[Any], dict[str, Any]]) -> None:
        self._pack = pack
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
        """Return the answer that holds the next item, or says that there is none. Raises
        ValueError."""
        iterator = self.find(number)
        was_asked, self.is_asked = self.is_asked, True
        try:
            item = next(iterator)
        except Exception as error:
            return {"raised": _find_built_in(error), "args": [*map(str, error.args)]}
        finally:
            self.is_asked = was_asked
        return {"ok": self._pack(item)}

    def try_new(self) -> None:
        """Draw an item of each iterator that is new since the last call, as a program would."""
        numbers = range(self._tried_count, len(self._iterators))
        self._tried_count = len(self._iterators)
        for number in numbers:
            self.draw(number)


def _find_built_in(error: Exception) -> str:
    """Return the name of the closest built-in class of an exception, which the program has, too."""
    known = vars(builtins)
    classes = type(error).__mro__
    names: list[str] = [cls.__name__ for cls in classes if known.get(cls.__name__) is cls]
    return names[0]
