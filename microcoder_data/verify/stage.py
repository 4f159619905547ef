"""The stage in which the judge runs right and wrong programs and keeps the tests that wrong ones
fail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from microcoder_data.recipe import Verify
from microcoder_data.rows import Row
from microcoder_data.stage import StageResult
from microcoder_eval.audit.trials import Runner
from microcoder_eval.errors import DataError
from microcoder_eval.languages import find_language
from microcoder_sandbox import find_toolchain, how_to_install

from .program_stage import ProgramStage
from .programs import ProgramStore
from .verifier import ProblemVerifier

_RAY_PROBLEMS = 64  # problems at a time by default: the number of workers of a cluster is unknown


@dataclass(slots=True)
class VerifyStage(ProgramStage):
    """Checks problems by their programs, and chooses among their tests."""

    recipe: Verify
    name: str = "verify"

    def __post_init__(self) -> None:
        """Make the store, for programs of the recipe's languages only."""
        self._store = ProgramStore(self.recipe.languages)

    def count_threads(self, workers: int) -> int:
        """See Stage. A worker is a thread with one problem; the judge distributes its programs."""
        default = _RAY_PROBLEMS if self.recipe.engine == "ray" else workers
        return self.recipe.problems_at_once or default

    def _choose_options(self, workers: int) -> dict[str, Any]:
        """Raise DataError where this machine has no toolchain for a recipe's language."""
        for language in map(find_language, self.recipe.languages):
            if language and language.compiled and find_toolchain(language.toolchain) is None:
                detail = f"[verify] languages names {language.name}, which cannot be compiled here"
                raise DataError(f"{detail}; {how_to_install(language.toolchain)}")
        # With Ray, each node decides how many workers it has.
        engine = self.recipe.engine
        return {"engine": engine, "workers": None if engine == "ray" else workers}

    def _handle_row(self, row: Row, runner: Runner) -> StageResult:
        return ProblemVerifier(runner, self._store, self.recipe, self.seed).run(row)
