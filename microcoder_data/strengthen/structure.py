"""Reads a problem's inputs as documents, and describes them by a field (fields.py).

A document is a list of values: the arguments of a call, or the parts that a layout finds in a text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from microcoder_data.rows import Row, get_kind, get_tests, get_text
from microcoder_sandbox import codec

from .arguments import bound_arguments
from .fields import Field, Shape
from .inference import infer_record
from .layout import Layout, LayoutError, infer_layout
from .statement import bound_lengths
from .text_parts import bound_parts, limits_sum

_MAX_TEXT = 20_000  # characters; longer tests are not used to infer the structure
_MAX_CHECKED = 50_000  # characters; longer rendered texts are not parsed again as a check
_MAX_EXAMPLES = 40  # stored inputs that are read: more show little that these do not


@dataclass(frozen=True, slots=True)
class InputStructure:
    """The documents of a problem's tests, and the field that all of them are values of.

    is_sum_limited: whether the statement bounds a sum over all test cases of a text.
    """

    root: Field
    documents: list[list[Any]]
    layout: Layout | None = None
    is_sum_limited: bool = False

    @classmethod
    def infer(cls, row: Row) -> InputStructure | None:
        """Return the structure of a valid row's inputs; None where none fits them all, or where no
        value may change."""
        examples = [test["input"] for test in get_tests(row)]
        examples = [item for item in examples if len(repr(item)) <= _MAX_TEXT][:_MAX_EXAMPLES]
        layout = infer_layout(examples) if get_kind(row) == "stdin" else None
        if layout is not None:
            documents = [layout.parse(text) for text in examples]
        elif get_kind(row) == "stdin":
            return None
        else:
            documents = [list(codec.from_json(item)) for item in examples]
        if not documents or not documents[0] or len(set(map(len, documents))) != 1:
            return None
        root = infer_record(documents)
        statement = get_text(row, "statement")
        if layout is None:
            root = bound_arguments(root, row, documents)
        else:
            root = bound_parts(root, statement, documents, layout)
        if all(one.shape is Shape.FIXED for one in root.items):
            return None
        return cls(bound_lengths(root), documents, layout, limits_sum(statement))

    def render(self, document: Sequence[Any]) -> Any:
        """Return a document as a row holds it; None if its text would not parse back to the same
        document."""
        if self.layout is None:
            return [codec.to_json(value) for value in document]
        try:
            text = self.layout.render(list(document))
            if len(text) > _MAX_CHECKED:
                return text  # shorter texts of this layout parse back correctly
            is_same = self.layout.parse(text) == document
        except (LayoutError, IndexError):
            return None
        return text if is_same else None
