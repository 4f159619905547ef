"""What tests in many folders share: processes of this checkout's code, JSON lines, waiting."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'sandbox'}", "COLUMNS": "160"}


def jsonl(path: Path, *lines: Any) -> Path:
    """Write values as JSON, and texts as they are, one a line."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("".join(f"{text}\n" for text in texts))
    return path


def results(path: Path) -> list[dict[str, Any]]:
    """The values of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def command(*words: object) -> list[str]:
    """The judge's command line."""
    return [sys.executable, "-m", "microcoder_eval", *map(str, words)]


def run(*words: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the judge's command line."""
    return execute(command(*words), cwd=cwd)


def execute(words: list[Any], **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command that finds this checkout. options: of subprocess.run."""
    usual = {"capture_output": True, "text": True, "timeout": 120, "env": ENVIRONMENT}
    return subprocess.run(words, **{**usual, **options}, check=False)


def wait_until(condition: Callable[[], bool], seconds: float = 120.0) -> bool:
    """Whether it came true in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        threading.Event().wait(0.02)
    return condition()
