"""The last stage: the judge runs right and wrong programs; tests that kill wrong ones stay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from microcoder_data.inputs import hash_file
from microcoder_data.reading import read_row
from microcoder_data.recipe import Verify, dump_settings
from microcoder_data.stage import Drop, RawRecord, Stage, StageResult, WorkerKind
from microcoder_eval.api import Judge
from microcoder_eval.errors import DataError, JudgeError
from microcoder_eval.languages import find_language
from microcoder_sandbox.toolchains.toolchain import find_toolchain, how_to_install

from .programs import ProgramStore
from .runner import Runner, UnjudgeableProblemError
from .verifier import ProblemVerifier

_RAY_PROBLEMS = 64  # at a time by default: how many workers a cluster will have is not known


@dataclass(slots=True)
class VerifyStage(Stage):
    """Judges programs, in threads that wait for the workers of a judge."""

    recipe: Verify
    seed: int = 0
    solutions: str | None = None
    labels: str | None = None
    name: str = "verify"
    _judge: Judge | None = field(init=False, default=None)
    _store: ProgramStore = field(init=False)

    def __post_init__(self) -> None:
        """Make the store, for programs of the recipe's languages only."""
        self._store = ProgramStore(self.recipe.languages)

    @property
    def worker_kind(self) -> WorkerKind:
        """See Stage."""
        return WorkerKind.THREADS

    def count_workers(self, workers: int) -> int:
        """See Stage: problems at a time, whose programs the judge shares out."""
        default = _RAY_PROBLEMS if self.recipe.engine == "ray" else workers
        return self.recipe.problems_at_once or default

    def describe_settings(self) -> Mapping[str, Any]:
        """See Stage."""
        files = {
            name: None if path is None else hash_file(Path(path))
            for name, path in (("solutions", self.solutions), ("labels", self.labels))
        }
        return {**dump_settings(self.recipe), **files}

    def open(self, workers: int) -> None:
        """Start the judge and read the programs.

        Raises MicrocoderError, also where this machine has no toolchain for a recipe's language.
        """
        for language in map(find_language, self.recipe.languages):
            if language and language.compiled and find_toolchain(language.toolchain) is None:
                detail = f"[verify] languages names {language.name}, which cannot be compiled here"
                raise DataError(f"{detail}; {how_to_install(language.toolchain)}")
        if self.solutions is not None:
            self._store.read_file(self.solutions, self.labels)
        self._judge = Judge(
            engine=self.recipe.engine,
            # With Ray, each node decides how many workers it has.
            workers=None if self.recipe.engine == "ray" else workers,
            compare=self.recipe.compare,
            min_level=self.recipe.min_level,
            time_scale=self.recipe.time_scale,
        )

    def close(self, cancel: bool) -> None:
        """Close the judge."""
        if self._judge is not None:
            self._judge.close(cancel)

    def describe_facts(self) -> Mapping[str, Any]:
        """See Stage."""
        return {"programs_left_out": dict(sorted(self._store.left_out.items()))}

    def handle_record(self, record: RawRecord) -> StageResult:
        """Verify one problem."""
        row = read_row(record)
        assert self._judge is not None
        verifier = ProblemVerifier(
            Runner(self._judge), self._store, self.recipe, self.seed, self.recipe.make_policy()
        )
        try:
            return verifier.run(row)
        except UnjudgeableProblemError as error:
            return StageResult(row, Drop("unjudgeable", str(error)[:300]))
        except JudgeError as error:
            return StageResult(row, Drop("judge_failed", str(error)[:300]))
