"""The stage after verify: adds tests that kill wrong programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from microcoder_data.recipe import Strengthen
from microcoder_data.verify.program_stage import ProgramStage
from microcoder_data.verify.programs import ProgramStore

from .strengthener import ProblemStrengthener


@dataclass(slots=True)
class StrengthenStage(ProgramStage):
    """Adds tests to problems, and evidence where they need a checker."""

    worker = ProblemStrengthener
    recipe: Strengthen
    name: str = "strengthen"

    def __post_init__(self) -> None:
        """Make the store, which keeps programs without a label."""
        self._store = ProgramStore(takes_unlabelled=True)

    def _choose_options(self, workers: int) -> dict[str, Any]:
        return {"workers": workers, "stop": "never"}  # every test that kills a program counts
