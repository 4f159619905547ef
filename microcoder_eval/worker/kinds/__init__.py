"""The kinds of problems: one row each, and a module with its ``KIND``. A kind yields test cases
and knows of no verdict."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from microcoder_eval.languages import PYTHON, Language
from microcoder_eval.records import Kind, Problem

if TYPE_CHECKING:
    from microcoder_eval.worker.solution_tests import ProblemKind

# A module, and whether it judges programs in this language for a problem. The first match is used.
_KINDS: tuple[tuple[str, Callable[[Problem, Language], bool]], ...] = (
    ("stdin", lambda problem, language: problem.kind is Kind.STDIN),
    ("test_program", lambda problem, language: problem.test_language is not None),
    ("assertion", lambda problem, language: problem.kind is Kind.ASSERT),
    ("call", lambda problem, language: language is PYTHON),
    ("compiled_call", lambda problem, language: True),
)


def find_kind(problem: Problem, language: Language) -> ProblemKind:
    """Return the kind that judges programs in a language for this problem."""
    return _load(next(name for name, judges in _KINDS if judges(problem, language)))


@cache
def _load(name: str) -> ProblemKind:
    # Imported late, so that a worker only holds the modules of the kinds that it has met.
    kind: ProblemKind = import_module(f".{name}", __package__).KIND
    return kind
