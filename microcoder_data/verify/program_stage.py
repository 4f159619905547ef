"""What verify and strengthen share: right and wrong programs, and a judge to run them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from microcoder_data.recipe import Strengthen, Verify
from microcoder_data.row_reader import read_row
from microcoder_data.rows import Row
from microcoder_data.source_files import hash_file
from microcoder_data.stage import RawRecord, Stage, StageResult
from microcoder_eval.api import Judge
from microcoder_eval.audit.trials import Runner

from .programs import ProgramStore


@dataclass(slots=True)
class ProgramStage(Stage):
    """Judges programs, in threads that wait for the workers of a judge.

    solutions, labels: files of right and wrong programs, besides those of the problems' rows.
    """

    recipe: Verify | Strengthen
    seed: int = 0
    solutions: str | None = None
    labels: str | None = None
    name: str = ""
    _judge: Judge | None = field(init=False, default=None)
    _store: ProgramStore = field(init=False, default_factory=ProgramStore)

    def count_threads(self, workers: int) -> int:
        """See Stage."""
        return workers

    def describe_settings(self) -> Mapping[str, Any]:
        """See Stage."""
        files = {
            name: None if path is None else hash_file(Path(path))
            for name, path in (("solutions", self.solutions), ("labels", self.labels))
        }
        return {**self.recipe.model_dump(mode="json"), **files}

    def open(self, workers: int) -> None:
        """Read the programs and start the judge. Raises MicrocoderError."""
        if self.solutions is not None:
            self._store.read_file(self.solutions, self.labels)
        self._judge = Judge(
            compare=self.recipe.compare,
            min_level=self.recipe.min_level,
            time_scale=self.recipe.time_scale,
            **self._choose_options(workers),
        )

    @abstractmethod
    def _choose_options(self, workers: int) -> dict[str, Any]:
        """Return further options of this stage's judge. Raises DataError."""

    def close(self, cancel: bool) -> None:
        """Close the judge."""
        if self._judge is not None:
            self._judge.close(cancel)

    def describe_facts(self) -> Mapping[str, Any]:
        """See Stage."""
        return {"programs_left_out": dict(sorted(self._store.left_out.items()))}

    def handle_record(self, record: RawRecord) -> StageResult:
        """Handle one problem. Raises what Runner.judge_programs raises, and EndpointError."""
        row = read_row(record)
        assert self._judge is not None
        return self._handle_row(row, Runner(self._judge))

    @abstractmethod
    def _handle_row(self, row: Row, runner: Runner) -> StageResult:
        """Handle one problem. Raises as ``handle_record``."""
