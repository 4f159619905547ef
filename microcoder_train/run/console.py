"""What is seen while training: the paper's four curves as sparklines, times, memory, alarms."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from microcoder_train.parallel import rank

CURVES = {
    "eval/accuracy": "accuracy",
    "critic/rewards/mean": "critic reward",
    "response_length/mean": "response length",
    "diversity/d4": "diversity",
}
PHASES = ("gen", "reward_wait", "old_logp", "update", "sync", "eval", "save")
BARS = "▁▂▃▄▅▆▇█"
WIDTH = 48


def sparkline(values: Sequence[float], width: int = WIDTH) -> str:
    """Values as bars between their smallest and largest; long curves are averaged to the width."""
    known = [value for value in values if not math.isnan(value)]
    if len(known) > width:
        edges = [i * len(known) // width for i in range(width + 1)]
        parts = [known[edges[i] : edges[i + 1]] for i in range(width)]
        known = [sum(part) / len(part) for part in parts]
    low, high = min(known, default=0.0), max(known, default=0.0)
    scale = (len(BARS) - 1) / (high - low) if high > low else 0.0
    return "".join(BARS[round((value - low) * scale)] for value in known)


class Progress:
    """A live panel on a terminal, one line a step elsewhere; on standard error."""

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

    def say(self, text: str) -> None:
        """A line that stays."""
        self._console.print(Text(text), soft_wrap=True)

    def show(self, metrics: Mapping[str, float]) -> None:
        """A step is done."""
        self._history.append(metrics)
        if self._live is not None:
            self._live.update(self._panel(), refresh=True)
        else:
            self.say(self._line())

    def _line(self) -> str:
        now = self._history[-1]
        shown = [
            f"{label} {now[name]:.3g}"
            for name, label in CURVES.items()
            if not math.isnan(now.get(name, math.nan))
        ]
        return f"step {int(now['step'])}/{self._steps}  " + "  ".join(shown) + f"  {self._phases()}"

    def _phases(self) -> str:
        now = self._history[-1]
        spent = [(name, now.get(f"timing_s/{name}", 0.0)) for name in PHASES]
        return " ".join(f"{name} {seconds:.1f}s" for name, seconds in spent if seconds >= 0.05)

    def _panel(self) -> Group:
        now = self._history[-1]
        table = Table(box=None, pad_edge=False, show_header=False)
        for name, label in CURVES.items():
            values = [line[name] for line in self._history if name in line]
            last = f"{values[-1]:.3g}" if values and not math.isnan(values[-1]) else "–"
            table.add_row(label, last, sparkline(values))
        memory = f"{now.get('mem/gpu_gb', now.get('mem/rss_gb', 0.0)):.1f} GB"
        head = Text(f"step {int(now['step'])}/{self._steps}   {memory}   {self._phases()}")
        return Group(head, table)
