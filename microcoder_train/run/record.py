"""What a run writes and prints about its steps; a run that goes on reads it again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from microcoder_train import parallel
from microcoder_train.config import Config
from microcoder_train.environment.prompts import Prompt
from microcoder_train.learner.advantages import Advantages
from microcoder_train.samples import Episode

from . import log
from .console import Progress
from .evaluate import write_samples
from .metrics import count_passed

Groups = Sequence[Sequence[Episode]]


class RunRecord:
    """The metrics, samples and alarms of a run.

    Every rank has the same, and rank 0, the ``is_writer``, writes and prints it. What the folder
    has of later steps than ``step`` is removed.

    history: the metrics of each step, beginning with the evaluation of the untrained model, if any.
    lengths: for each problem, the longest answer when it was last sampled.
    """

    def __init__(self, config: Config, out: Path, step: int) -> None:
        self.is_writer = parallel.rank() == 0
        self._out, self._samples = out, out / log.SAMPLES
        self._sinks = log.open_sinks(config, out) if self.is_writer else []
        if self.is_writer:
            for name in (log.METRICS, log.PROBLEMS):
                log.remove_lines_after(out / name, step)
        self._samples.mkdir(exist_ok=True)
        parallel.barrier()
        self.history, self.lengths = log.read_metrics(out), log.read_lengths(out)
        self._progress = Progress(config.train.steps)
        self.print_text = self._progress.print_text
        self._alarm_kinds: set[str] = set()  # of the previous step

    def close(self) -> None:
        """Close the services of ``log.sinks``."""
        for sink in self._sinks:
            sink.close()

    def add_metrics(self, step: int, metrics: dict[str, float]) -> None:
        """Write and print the metrics of a step."""
        line: dict[str, Any] = {"step": step, **metrics}
        self._append(log.METRICS, line)
        self.history.append(line)
        for sink in self._sinks:
            sink.log(step, metrics)
        self._progress.show(line)

    def add_problems(self, step: int, groups: Groups) -> None:
        """Write what a step says of each problem: answers that passed, and the longest answer."""
        groups_by_problem = {group[0].sample.request.problem_id: group for group in groups}
        passed = {name: count_passed(group) for name, group in groups_by_problem.items()}
        longest = {
            name: max(len(episode.sample.ids) for episode in group)
            for name, group in groups_by_problem.items()
        }
        self.lengths |= longest
        self._append(log.PROBLEMS, {"step": step, "passed": passed, "longest": longest})

    def write_groups(
        self, step: int, prompts: Sequence[Prompt], groups: Groups, advantages: Advantages
    ) -> None:
        """Write the groups of some prompts for people to read. prompts: the first of the step."""
        if not self.is_writer:
            return
        values, masks = advantages.advantages_PG.tolist(), advantages.masked_PG.tolist()
        lines = [
            {
                **_describe_episode(prompt, episode), "advantage": round(advantage, 4),
                "masked": is_masked,
            }
            for prompt, *columns in zip(prompts, groups, values, masks, strict=False)
            for episode, advantage, is_masked in zip(*columns, strict=True)
        ]  # fmt: skip
        log.write_lines(self._name_file("step", step), lines)

    def write_evaluation(self, name: str, step: int, groups: Groups) -> None:
        """Write the samples of an evaluation."""
        if self.is_writer:
            write_samples(groups, self._name_file(name, step))

    def report_alarms(self, step: int, alarms: dict[str, str]) -> None:
        """Print the alarms that begin at this step. An alarm that lasts is printed once."""
        for kind in alarms.keys() - self._alarm_kinds:
            self.print_text(f"ALARM step {step}: {alarms[kind]}")
        self._alarm_kinds = set(alarms)

    def report_honeypots(self, step: int, groups: Groups) -> None:
        """Write the programs that passed a honeypot to a file, and print an alarm."""
        passed = [episode for group in groups for episode in group if episode.judgement.passed]
        if not passed:
            return
        file = self._name_file("hack", step)
        if self.is_writer:
            write_samples([passed], file)
        self.print_text(
            f"ALARM step {step}: {len(passed)} answers pass a honeypot, whose tests no "
            f"honest program passes: {file}; the first, to {passed[0].judgement.problem_id}: "
            f"{passed[0].text[:200]!r}"
        )

    def find_best_step(self) -> int | None:
        """Return the step with the highest accuracy of those after the first; None without one."""
        accuracies = log.select_curve(self.history, "eval/accuracy")
        scores = {step: score for step, score in accuracies.items() if step > 0}
        return max(scores, key=scores.__getitem__) if scores else None

    def _append(self, name: str, line: dict[str, Any]) -> None:
        if self.is_writer:
            log.write_lines(self._out / name, [line], appends=True)

    def _name_file(self, name: str, step: int) -> Path:
        return self._samples / f"{name}_{step:06d}.jsonl"


def _describe_episode(prompt: Prompt, episode: Episode) -> dict[str, Any]:
    judgement = episode.judgement
    tests = judgement.tests_run
    return {
        "problem_id": judgement.problem_id, "prompt": prompt.text, "answer": episode.text,
        "verdict": str(judgement.verdict), "status": str(judgement.status),
        "matched_by": tests[-1].matched_by if tests else None, "flags": list(judgement.flags),
        "tokens": len(episode.sample.ids),
    }  # fmt: skip
