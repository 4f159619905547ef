"""The memory that calls take, each in a child of a process without threads."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.commands import execute

Call = tuple[str, int, Callable[[], object]]


def measure_calls(calls: str) -> dict[str, float]:
    """The peak of memory of each call, as a multiple of the bytes that it is given.

    calls: "module:function", which yields the calls: name, bytes, what to call.
    """
    module, _, function = calls.partition(":")
    code = f"import {module} as it, tests.memory; tests.memory.print_peaks(it.{function}())"
    result = execute([sys.executable, "-W", "ignore", "-c", code], timeout=None)
    assert result.returncode == 0, result.stderr
    return dict(map(json.loads, result.stdout.splitlines()))


def print_peaks(calls: Iterable[Call]) -> None:
    """A line of JSON for each: its name and its peak. In children, as a peak never falls; counting
    allocations would take ten times as long."""
    for name, size, call in calls:
        if os.fork() == 0:
            before = _read_bytes("VmRSS")
            call()
            peak = (_read_bytes("VmHWM") - before) / size
            print(json.dumps([name, peak]), flush=True)
            os._exit(0)
        _, status = os.wait()
        assert status == 0, name


def _read_bytes(key: str) -> int:
    status = Path("/proc/self/status").read_text()
    return int(status.partition(f"{key}:")[2].split()[0]) << 10
