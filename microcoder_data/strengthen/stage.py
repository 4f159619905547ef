"""The stage after verify: adds tests that kill wrong programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from microcoder_data.endpoint import open_client
from microcoder_data.recipe import Strengthen
from microcoder_data.rows import Row
from microcoder_data.stage import StageResult
from microcoder_data.verify.program_stage import ProgramStage
from microcoder_eval.audit.trials import Runner

from .strengthener import ProblemStrengthener


@dataclass(slots=True)
class StrengthenStage(ProgramStage):
    """Adds tests to problems, and evidence where they need a checker."""

    recipe: Strengthen
    name: str = "strengthen"

    def _choose_options(self, workers: int) -> dict[str, Any]:
        if self.recipe.endpoint is not None:
            open_client(self.recipe.endpoint, self.name)  # its cache may be unreadable
        return {"workers": workers, "stop": "never"}  # every test that kills a program counts

    def _handle_row(self, row: Row, runner: Runner) -> StageResult:
        return ProblemStrengthener(runner, self._store, self.recipe, self.seed).run(row)
