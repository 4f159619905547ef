"""Proposes inputs for a problem: from the structure of its tests, and from a model's generators."""

from __future__ import annotations

import ast
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from microcoder_data.recipe import Strengthen
from microcoder_data.rows import Row, draw_number, get_kind, get_tests
from microcoder_eval.syntax import parse_python

from .constraints import bounds_sizes_together, widen_model
from .large import CandidateInput, LargeInputs
from .layout import Document, Layout, LayoutError, infer_layout
from .model import MAX_ITEMS, Constants, Model, copy_document
from .mutation import propose_documents

_MAX_TEXT = 20_000  # characters of a test that structure is inferred from
_MAX_CONSTANT = 2  # letters: longer texts in programs are answers, or for people
_MAX_EXAMPLES = 40  # tests that structure is inferred from
_MAX_LONG = 2  # longer tests, which show greater sizes and values,
_LONGER = 1.5  # times the longest test: a large input where no statement bounds sizes
_MAX_LONG_TEXT = 1_000_000  # of at most so many characters


@dataclass(frozen=True, slots=True)
class InputStructure:
    """What the inputs of a problem have in common.

    documents: those that are not long. model: of inputs with sizes like theirs. large: makes inputs
    of the greatest sizes.
    """

    documents: Sequence[Document]
    layout: Layout | None
    model: Model
    large: LargeInputs

    @classmethod
    def infer(
        cls, row: Row, programs: Sequence[str], recipe: Strengthen, seed: int
    ) -> InputStructure | None:
        """Return the structure of a row's inputs; None where none fits them all.

        programs: the code of right ones, whose constants are values worth a try. The arguments
        alone decide which inputs are made.
        """
        examples = [test["input"] for test in get_tests(row) if "input" in test]
        parsed = _parse_examples(examples, get_kind(row))
        if parsed is None:
            return None
        short, long, layout = parsed
        common = Model.infer([*short, *long], layout).with_constants(_collect_constants(programs))
        large_model, max_characters = common, _LONGER * max(len(repr(item)) for item in examples)
        if not bounds_sizes_together(row):
            large_model = widen_model(common, row, layout, MAX_ITEMS)
        if large_model is not common:
            max_characters = int(recipe.large_kb * 1024)
        large = LargeInputs(
            large_model,
            max(short, key=lambda document: len(repr(document))),
            copy_document if layout is None else layout.render,
            min(int(max_characters), int(recipe.large_kb * 1024)),
            f"{seed} {row['problem_id']}",
        )
        model = widen_model(common.restrict_sizes(short), row, layout)
        return cls(short, layout, model, large)


def propose_inputs(
    structure: InputStructure, row: Row, recipe: Strengthen, seed: int
) -> list[CandidateInput]:
    """Different inputs like those of the row's tests."""
    rng = random.Random(int(draw_number(seed, "strengthen", str(row["problem_id"])) * 2**53))
    existing_keys = {repr(test["input"]) for test in get_tests(row) if "input" in test}
    inputs = []
    for proposal in propose_documents(structure.model, structure.documents, recipe.candidates, rng):
        value = structure.large.render(proposal.document)
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


def _parse_examples(
    examples: Sequence[Any], kind: str
) -> tuple[list[Document], list[Document], Layout | None] | None:
    """Return the examples as documents, short ones and a few long ones, and their layout where
    they are texts."""
    sizes = {number: len(repr(item)) for number, item in enumerate(examples)}
    short = [examples[number] for number in sizes if sizes[number] <= _MAX_TEXT][:_MAX_EXAMPLES]
    readable = [number for number in sizes if _MAX_TEXT < sizes[number] <= _MAX_LONG_TEXT]
    readable.sort(key=lambda number: -sizes[number])
    long = [examples[number] for number in readable[:_MAX_LONG]]
    if not short:
        return None
    if kind != "stdin":
        if len({len(item) for item in (*short, *long) if isinstance(item, list)}) != 1:
            return None
        return [copy_document(item) for item in short], [copy_document(item) for item in long], None
    if not all(isinstance(item, str) for item in (*short, *long)):
        return None
    layout = infer_layout(short)
    if layout is None:
        return None
    try:
        return [layout.parse(item) for item in short], [layout.parse(item) for item in long], layout
    except (LayoutError, IndexError):
        return None
