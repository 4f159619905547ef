"""The adapters in their real stacks, as their pages have them, each in an environment of its own.

The environment is made by the test, from the registry: minutes. One that exists already, with our
requirements in it, is named by MICROCODER_STACK_INSPECT_AI=…/bin/python and so on.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.commands import execute
from tests.files import ROOT

pytestmark = [pytest.mark.long, pytest.mark.stacks]
SECONDS = 3600


def run_in_stack(stack: str, program: str, folder: Path) -> Any:
    """What the program says in an environment with the stack."""
    named = os.environ.get(f"MICROCODER_STACK_{stack.partition('==')[0].upper().replace('-', '_')}")
    python = Path(named) if named else folder / "env" / "bin" / "python"
    if not named:
        subprocess.run([sys.executable, "-m", "venv", folder / "env"], check=True, timeout=SECONDS)
        install = [python, "-m", "pip", "install", "--quiet", ROOT, stack]
        subprocess.run(install, check=True, timeout=SECONDS)
    words = [python, Path(__file__).with_name(program), folder]
    result = execute(words, cwd=folder, timeout=SECONDS)
    assert result.returncode == 0, result.stderr[-4000:]
    return json.loads(result.stdout.splitlines()[-1])


def test_inspect_ai_scores_and_leaves_unscored_what_was_not_judged(tmp_path: Path) -> None:
    scores = run_in_stack("inspect-ai==0.3.285", "inspect_run.py", tmp_path)
    assert scores["values"] == [1.0, 1.0, 0.0, None]
    assert scores["mean"] == pytest.approx(2 / 3)
    assert scores["reason"] == "judge_error"


def test_verifiers_rewards_and_keeps_a_failure_of_the_judge_as_an_error(tmp_path: Path) -> None:
    scores = run_in_stack("verifiers==0.4.0", "verifiers_run.py", tmp_path)
    assert scores == [1.0, 0.0, ["JudgeError", None]]


def test_lm_eval_counts_what_was_judged(tmp_path: Path) -> None:
    scores = run_in_stack("lm-eval==0.4.13", "lm_eval_run.py", tmp_path)
    assert scores == {"accepted": 0.5, "judge_error": pytest.approx(1 / 3)}
