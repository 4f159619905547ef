"""Where the candidate's objects come from, which decides who performs an operator on them.

The program performs a binary operator (arithmetic, ``==``, ordering, ``in``)

* between two of its objects;
* between an object and a value of the test, if the test itself made that object and uses it as one
  (``is_made_by_test``). Otherwise the value may be the expected one, and a method of the
  candidate's class would decide ``abs(f(1) - 3) < 1e-6``.

It performs no arithmetic where the test makes no objects and takes for numbers what arithmetic
gives (``_expects_numbers``): an object could answer ``abs(f(2) * f(2) - 2) < 1e-6``.

The same rules hold for arithmetic and order of a value whose class the program derives from a
built-in type. It equals what the plain value equals. Two such values are ordered as plain ones, and
``[]`` is the plain value's, unless a name in capitals gave one of them: else a tuple could say that
it is sorted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from microcoder_sandbox.rpc import operations

from .proxy import ProgramValue, Proxy, find_proxy

NUMBERS = "."  # among the makers: arithmetic of results without a label gives numbers


class Origins:
    """What made each object of the candidate: its label, as "Money" or "Money.__add__"; ".__add__"
    of results without a label.

    makers: the calls and operators that make objects, by their labels; the dry run finds them.
    labels: by the object's handle.
    """

    def __init__(self, makers: Iterable[str] = ()) -> None:
        self.makers = set(makers)
        self.labels: dict[int, str] = {}

    def get_label(self, target: dict[str, Any]) -> str | None:
        """Return the label of an object, None if it has none."""
        return self.labels.get(target.get("$handle", -1))

    def make_label(self, target: dict[str, Any], operation: str) -> str | None:
        """Return the label of what makes a result: the call of a name in capitals, or arithmetic.
        None for anything else."""
        if operation in operations.ARITHMETIC:
            root = (self.get_label(target) or "").partition(".")[0]
            return f"{root}.{operations.OPERATOR_OF.get(operation, operation)}"
        name: str = target.get("$name", "")
        return name if operation == "call" and name[:1].isupper() else None

    def is_given_by_class(self, target: dict[str, Any]) -> bool:
        """Whether a name in capitals has given a value, or arithmetic with such a value."""
        return not (self.get_label(target) or ".").startswith(".")

    def is_made_by_test(self, target: dict[str, Any]) -> bool:
        """Whether the test made an object, by what it uses to make objects."""
        return self.get_label(target) in self.makers and self.is_given_by_class(target)

    def runs_in_candidate(
        self, target: dict[str, Any], name: str, other: Any, is_value: bool = False
    ) -> bool:
        """Whether a binary operator is the candidate's own. is_value: whether the first operand is
        a plain value of a derived class."""
        other_proxy = find_proxy(other)
        targets = [target, {} if other_proxy is None else other_proxy._mc_target]
        is_of_class = any(map(self.is_given_by_class, targets))
        if name not in operations.ARITHMETIC:
            if is_value and isinstance(other, ProgramValue):
                return is_of_class
            return type(other) is Proxy or self.is_made_by_test(target)
        if self._expects_numbers() and not is_of_class:
            return False
        # A candidate learns nothing by a product with a number, or where a sum begins.
        is_product = name in ("__mul__", "__rmul__") and type(other) in (int, float)
        is_start = name == "__radd__" and type(other) is int and other == 0
        is_sent = other_proxy is not None or is_product or is_start
        return is_sent or self.is_made_by_test(target)

    def _expects_numbers(self) -> bool:
        """Whether the test takes for numbers what arithmetic of results gives, and makes no object
        of the program's. An object that answers ``r * r`` is no number."""
        return NUMBERS in self.makers and self.makers <= {NUMBERS, "Solution"}
