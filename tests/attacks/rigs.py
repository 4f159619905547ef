"""A driver process as some user at some level, and how it is started."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NOBODY = 65534
_SYSTEM_PYTHON = Path("/usr/bin/python3")


@dataclass
class Rig:
    """One driver process. packages: those that programs can import there."""

    user: str
    level: int
    process: subprocess.Popen[str]
    unavailable: str | None
    packages: frozenset[str]

    def ask(self, order: dict[str, Any]) -> dict[str, Any]:
        """Have one attack run."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer


def start_driver(user: str, level: int, place: Path) -> Rig:
    python, extra = Path(sys.executable), {}
    if user == "nobody" and os.getuid() == 0:
        python = _SYSTEM_PYTHON
        extra = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    paths = [str(place), str(place / "sandbox"), str(place / "site")]
    process = subprocess.Popen(
        [python, "-B", place / "driver.py", str(level)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd="/",
        env={"PYTHONPATH": os.pathsep.join(paths), "PATH": "/usr/bin:/bin"},
        **extra,  # type: ignore[arg-type]
    )
    assert process.stdout is not None
    assert process.stderr is not None
    hello = process.stdout.readline()
    if not hello:
        return Rig(
            user, level, process, process.stderr.read().strip().splitlines()[-1], frozenset()
        )
    return Rig(user, level, process, None, frozenset(json.loads(hello)["packages"]))
