"""Proposes inputs for a problem: from the structure of its tests, and from a model's generators."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from microcoder_data.recipe import Strengthen
from microcoder_data.rows import Row, draw_number, get_kind, get_tests
from microcoder_data.syntax import parse_python

from .constraints import widen_model
from .layout import Layout, LayoutError, infer_layout
from .model import Constants, Model, copy_document
from .mutation import propose_documents

_MAX_TEXT = 20_000  # characters of a test that structure is inferred from
_MAX_CONSTANT = 2  # letters: longer texts in programs are answers, or for people
_MAX_EXAMPLES = 40  # tests that structure is inferred from


@dataclass(frozen=True, slots=True)
class CandidateInput:
    """A proposed input, in the form that a row holds. origin: how it was made."""

    value: Any
    origin: str


def propose_inputs(
    row: Row, programs: Sequence[str], recipe: Strengthen, seed: int
) -> list[CandidateInput]:
    """Different inputs like those of the row's tests; none where no structure fits them all.

    programs: the code of right ones, whose constants are values worth a try. The arguments alone
    decide which inputs.
    """
    examples = [test["input"] for test in get_tests(row) if "input" in test]
    structure = _infer_structure(examples, get_kind(row))
    if structure is None:
        return []
    documents, layout = structure
    model = widen_model(Model.infer(documents, layout), row, layout)
    model = model.with_constants(_collect_constants(programs))
    rng = random.Random(int(draw_number(seed, "strengthen", str(row["problem_id"])) * 2**53))
    render: Callable[[Any], Any] = copy_document if layout is None else layout.render
    existing_keys = {repr(example) for example in examples}
    inputs = []
    for proposal in propose_documents(model, documents, recipe.candidates, rng):
        value = render(proposal.document)
        is_small = len(repr(value)) <= recipe.max_test_kb * 1024
        if is_small and repr(value) not in existing_keys:
            existing_keys.add(repr(value))
            inputs.append(CandidateInput(value, proposal.origin))
    return inputs


def _collect_constants(programs: Sequence[str]) -> Constants:
    """Return the numbers and the short texts in programs."""
    values = [
        node.value
        for code in programs
        if (tree := parse_python(code)) is not None
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
    ]
    numbers = {value for value in values if type(value) is int}
    texts = [value for value in values if isinstance(value, str) and len(value) <= _MAX_CONSTANT]
    return Constants(tuple(sorted(numbers)), frozenset("".join(texts)))


def _infer_structure(
    examples: Sequence[Any], kind: str
) -> tuple[list[list[Any]], Layout | None] | None:
    """Return the examples as documents, and their layout where they are texts."""
    samples = [item for item in examples if len(repr(item)) <= _MAX_TEXT][:_MAX_EXAMPLES]
    if not samples:
        return None
    if kind != "stdin":
        if len({len(item) for item in samples if isinstance(item, list)}) != 1:
            return None
        return [copy_document(item) for item in samples], None
    if not all(isinstance(item, str) for item in samples):
        return None
    layout = infer_layout(samples)
    if layout is None:
        return None
    try:
        return [layout.parse(item) for item in samples], layout
    except (LayoutError, IndexError):
        return None
