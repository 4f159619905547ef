"""The progress of a run on standard error: the paper's four curves, times and alarms."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping

from microcoder_eval.console.progress import format_seconds
from microcoder_eval.console.streams import print_note
from microcoder_train.parallel import rank

CURVES = {
    "eval/accuracy": "accuracy", "critic/rewards/mean": "reward",
    "response_length/mean": "response length", "diversity/d4": "diversity",
}  # fmt: skip
PHASES = ("gen", "reward_wait", "old_logp", "update", "sync", "eval", "save")


class Progress:
    """One line per step, by rank 0."""

    def __init__(self, steps: int) -> None:
        self._steps = steps
        self._step_seconds: list[float] = []

    def print_text(self, text: str) -> None:
        """Print a line."""
        if rank() == 0:
            print_note(text)

    def show(self, metrics: Mapping[str, float]) -> None:
        """Print the metrics of a step."""
        labels = [
            f"{label} {metrics[name]:.3g}"
            for name, label in CURVES.items()
            if not math.isnan(metrics.get(name, math.nan))
        ]
        seconds = {name: metrics.get(f"timing_s/{name}", 0.0) for name in PHASES}
        phases = [f"{name} {value:.1f}s" for name, value in seconds.items() if value >= 0.05]
        self.print_text("  ".join([self._format_step(metrics), *labels, " ".join(phases)]))

    def _format_step(self, metrics: Mapping[str, float]) -> str:
        """Return the step, and the remaining time if later steps take as long as the last ten."""
        step = int(metrics["step"])
        if (seconds := metrics.get("timing_s/step")) is not None:
            self._step_seconds = [*self._step_seconds[-9:], seconds]
        elif not self._step_seconds:  # an evaluation before the first step
            return f"step {step}/{self._steps}"
        left = (self._steps - step) * statistics.median(self._step_seconds)
        return f"step {step}/{self._steps}, {format_seconds(left)} left"
