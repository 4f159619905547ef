"""Values of classes that the candidate derives from built-in types, in the tests' process.

Such a value is compared as the plain value that it is. Its arithmetic is the candidate's own where
that of an object is (``remote``).
"""

from __future__ import annotations

from typing import Any

from microcoder_sandbox.wire import operations, packing

from .program_errors import ProgramObject


class ProgramValue(ProgramObject):
    """A plain value whose class the program derives from a built-in type."""


def _forward_arithmetic(name: str, base: Any) -> Any:
    """Return an operator of a ProgramValue, which ``Connection.performs`` sends or not."""
    perform_plain = getattr(base, name, None)

    def operate(self: ProgramValue, *others: Any) -> Any:
        connection, target = self._remote._mc_connection, self._remote._mc_target
        if (
            name not in operations.BINARY
            or isinstance(others[0], ProgramObject)
            or connection.performs(target, name, others[0])
        ):
            return connection.operate(target, name, *others)
        return NotImplemented if perform_plain is None else perform_plain(self, *others)

    return operate


_VALUE_OPERATORS = operations.ARITHMETIC | {"__bool__", "__contains__", "__format__", "__round__"}
VALUE_CLASSES = {
    base: type(
        base.__name__,
        (ProgramValue, base),
        {name: _forward_arithmetic(name, base) for name in _VALUE_OPERATORS},
    )
    for base in packing.IMMUTABLE
    if base is not bool
}
