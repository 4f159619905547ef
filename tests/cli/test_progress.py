"""The progress of the main command: counts at once, a throughput once there is one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from microcoder_eval.console import progress as progress_module
from tests.cli.test_command import SQUARE
from tests.commands import Command, jsonl

PROGRAM = "import time; time.sleep(0.02); print(int(input()) ** 2) # "


def test_the_main_command_follows_the_rule_of_all_counters(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    jsonl(Path("tests.jsonl"), SQUARE)
    lines = [{"problem_id": "sq", "code": f"{PROGRAM}{n}"} for n in range(20)]
    jsonl(Path("solutions.jsonl"), *lines, "{torn")
    monkeypatch.setattr(progress_module, "PLAIN_SECONDS", 0.0)
    words = ("solutions.jsonl", "--tests", "tests.jsonl", "--workers", "1")
    shown = command(*words)[2]
    assert "of 21 judged · AC " in shown
    assert " · 1 bad lines\n" in shown
    assert "/s" not in shown
    monkeypatch.setattr(progress_module, "_MIN_SECONDS", 0.1)
    assert re.search(
        r"\d of 21 judged · AC \d+( · 1 bad lines)? · [\d.]+/s · \d+ s left\n", command(*words)[2]
    )
