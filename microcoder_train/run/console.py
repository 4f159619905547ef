"""The progress of a run on the terminal: the paper's four curves, times, memory and alarms."""

from __future__ import annotations

import math
import statistics
import sys
from collections.abc import Mapping, Sequence

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from microcoder_eval.console.progress import format_seconds
from microcoder_train.parallel import rank

CURVES = {
    "eval/accuracy": "accuracy", "critic/rewards/mean": "reward",
    "response_length/mean": "response length", "diversity/d4": "diversity",
}  # fmt: skip
PHASES = ("gen", "reward_wait", "old_logp", "update", "sync", "eval", "save")
BARS = "▁▂▃▄▅▆▇█"
WIDTH = 48


def draw_sparkline(values: Sequence[float]) -> str:
    """Return values as bars from minimum to maximum; long curves are averaged to WIDTH."""
    finite = [value for value in values if not math.isnan(value)]
    if len(finite) > WIDTH:
        edges = [i * len(finite) // WIDTH for i in range(WIDTH + 1)]
        parts = [finite[edges[i] : edges[i + 1]] for i in range(WIDTH)]
        finite = [sum(part) / len(part) for part in parts]
    low, high = min(finite, default=0.0), max(finite, default=0.0)
    scale = (len(BARS) - 1) / (high - low) if high > low else 0.0
    return "".join(BARS[round((value - low) * scale)] for value in finite)


class Progress:
    """A live panel on a terminal, otherwise one line per step; on standard error."""

    def __init__(self, steps: int) -> None:
        self._steps = steps
        self._console = Console(stderr=True, quiet=rank() > 0)
        self._history: list[Mapping[str, float]] = []
        live = sys.stderr.isatty() and rank() == 0
        self._live = Live(console=self._console, auto_refresh=False) if live else None

    def __enter__(self) -> Progress:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def print_text(self, text: str) -> None:
        """Print a line above the panel."""
        self._console.print(Text(text), soft_wrap=True)

    def show(self, metrics: Mapping[str, float]) -> None:
        """Show the metrics of a step."""
        self._history.append(metrics)
        if self._live is not None:
            self._live.update(self._make_panel(), refresh=True)
        else:
            self.print_text(self._format_line())

    def _format_line(self) -> str:
        metrics = self._history[-1]
        labels = [
            f"{label} {metrics[name]:.3g}"
            for name, label in CURVES.items()
            if not math.isnan(metrics.get(name, math.nan))
        ]
        return "  ".join([self._format_step(), *labels, self._format_phases()])

    def _format_step(self) -> str:
        """Return the step, and the remaining time if later steps take as long as the last ten."""
        step = int(self._history[-1]["step"])
        durations = [metrics.get("timing_s/step", 0.0) for metrics in self._history[-10:]]
        step_seconds = [seconds for seconds in durations if seconds > 0]
        left = format_seconds((self._steps - step) * statistics.median(step_seconds or [0.0]))
        # The evaluation before the first step gives nothing to estimate from.
        return f"step {step}/{self._steps}" + (f", {left} left" if step_seconds else "")

    def _format_phases(self) -> str:
        metrics = self._history[-1]
        seconds = {name: metrics.get(f"timing_s/{name}", 0.0) for name in PHASES}
        return " ".join(f"{name} {value:.1f}s" for name, value in seconds.items() if value >= 0.05)

    def _make_panel(self) -> Group:
        metrics = self._history[-1]
        table = Table(box=None, pad_edge=False, show_header=False)
        for name, label in CURVES.items():
            values = [line[name] for line in self._history if name in line]
            current = f"{values[-1]:.3g}" if values and not math.isnan(values[-1]) else "–"
            table.add_row(label, current, draw_sparkline(values))
        memory = f"{metrics.get('mem/gpu_gb', metrics.get('mem/rss_gb', 0.0)):.1f} GB"
        heading = Text(f"{self._format_step()}   {memory}   {self._format_phases()}")
        return Group(heading, table)
