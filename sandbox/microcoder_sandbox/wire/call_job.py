"""In host, server and guest: the call of a function that a child is to make."""

from __future__ import annotations

from . import light_json
from .light_record import Any, LightRecord


class CallJob(LightRecord):
    """A call, and what is taken for its result.

    entry: the function's name, or "Class.name".
    class_first: see ``guest.calling.find_entry``.
    args, kwargs: as ``codec.to_json`` writes them; in the child, their values.
    hints: what the starter code says of nodes: [texts of the parameters, text of the result].
    is_assertion: whether the result is compared by ``==``, as in test code.
    is_truth: whether only the truth of the result matters.
    in_place: whether the result is the first argument after the call, whatever is returned.
    """

    entry: str
    class_first: bool
    args: list[Any]
    kwargs: dict[str, Any]
    hints: list[Any] | None = None
    is_assertion: bool = False
    is_truth: bool = False
    in_place: bool = False

    def encode(self) -> bytes:
        """Return the job as a child reads it: its fields as a list."""
        return light_json.dumps(self)
