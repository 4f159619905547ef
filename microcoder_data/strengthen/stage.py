"""The stage after verify: adds tests that kill wrong programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from microcoder_data.endpoint import Client, EndpointError, open_client
from microcoder_data.inputs import hash_file
from microcoder_data.reading import read_row
from microcoder_data.recipe import Strengthen, dump_settings
from microcoder_data.stage import Drop, RawRecord, Stage, StageResult, WorkerKind
from microcoder_data.verify.programs import ProgramStore
from microcoder_data.verify.runner import Runner, UnjudgeableProblemError
from microcoder_eval.api import Judge
from microcoder_eval.errors import JudgeError

from .strengthener import ProblemStrengthener


@dataclass(slots=True)
class StrengthenStage(Stage):
    """Judges programs, in threads that wait for the workers of a judge.

    solutions, labels: files of right and wrong programs, besides those of the problems' rows.
    """

    recipe: Strengthen
    seed: int = 0
    solutions: str | None = None
    labels: str | None = None
    name: str = "strengthen"
    _judge: Judge | None = field(init=False, default=None)
    _client: Client | None = field(init=False, default=None)
    _store: ProgramStore = field(init=False, default_factory=ProgramStore)

    @property
    def worker_kind(self) -> WorkerKind:
        """See Stage."""
        return WorkerKind.THREADS

    def describe_settings(self) -> Mapping[str, Any]:
        """See Stage."""
        files = {
            name: None if path is None else hash_file(Path(path))
            for name, path in (("solutions", self.solutions), ("labels", self.labels))
        }
        return {**dump_settings(self.recipe), **files}

    def open(self, workers: int) -> None:
        """Start the judge, read the programs. Raises MicrocoderError."""
        if self.solutions is not None:
            self._store.read_file(self.solutions, self.labels)
        if self.recipe.endpoint is not None:
            self._client = open_client(self.recipe.endpoint)
        self._judge = Judge(
            workers=workers,
            compare=self.recipe.compare,
            min_level=self.recipe.min_level,
            time_scale=self.recipe.time_scale,
            stop="never",  # every test that kills a program counts
        )

    def close(self, cancel: bool) -> None:
        """Close the judge."""
        if self._judge is not None:
            self._judge.close(cancel)

    def describe_facts(self) -> Mapping[str, Any]:
        """See Stage."""
        return {"programs_left_out": dict(sorted(self._store.left_out.items()))}

    def handle_record(self, record: RawRecord) -> StageResult:
        """Strengthen one problem."""
        row = read_row(record)
        assert self._judge is not None
        strengthener = ProblemStrengthener(
            Runner(self._judge), self._store, self.recipe, self.seed, self._client
        )
        try:
            return strengthener.run(row)
        except UnjudgeableProblemError as error:
            return StageResult(row, Drop("unjudgeable", str(error)[:300]))
        except EndpointError as error:
            return StageResult(row, Drop("endpoint_failed", str(error)[:300]))
        except JudgeError as error:
            return StageResult(row, Drop("judge_failed", str(error)[:300]))
