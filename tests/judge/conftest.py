"""A warm judge shared by the tests of this folder, and scripts in processes of their own."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import Judge, Judgement, Limits
from tests.commands import execute
from tests.judges import SharedJudge

SCRIPT_SECONDS = 120
# Short, but far above what the programs need: other tests may keep every core busy.
LIMITS = Limits(time_s=0.75, wall_s=20.0, memory_mb=128)
Judging = Callable[..., Judgement]
Script = Callable[..., Any]


def verdicts(judgement: Judgement) -> list[str]:
    """The verdicts of all tests that were run."""
    assert judgement.error is None, judgement.error
    return [str(test.verdict) for test in judgement.tests_run]


@pytest.fixture(scope="session")
def pool() -> Judge:
    """Two workers that run every test of a problem."""
    return SharedJudge(workers=2, stop="never", limits=LIMITS, reuse=False)


@pytest.fixture(scope="session")
def early_pool() -> Judge:
    """One worker that stops at the first failure."""
    return SharedJudge(workers=1, limits=LIMITS, reuse=False)


@pytest.fixture
def stdin(pool: Judge) -> Judging:
    """stdin(code, (input, output), …): the judgement of a program that reads and prints."""

    def judging(code: str, *pairs: tuple[str, str], **extra: Any) -> Judgement:
        tests = [{"input": given, "output": expected} for given, expected in pairs]
        return pool.judge({"code": code}, {"kind": "stdin", "tests": tests, **extra})

    return judging


@pytest.fixture
def call(pool: Judge) -> Judging:
    """call(code, (arguments, output), …): the judgement of a function, named f by default."""

    def judging(code: str, *pairs: tuple[list[Any], Any], **extra: Any) -> Judgement:
        tests = [{"input": args, "output": expected} for args, expected in pairs]
        problem = {"kind": "call", "entry_point": "f", "tests": tests, **extra}
        return pool.judge({"code": code}, problem)

    return judging


@pytest.fixture
def asserts(pool: Judge) -> Judging:
    """asserts(code, test_code): the judgement of a function f by assertions."""

    def judging(code: str, test_code: str, **extra: Any) -> Judgement:
        problem = {"kind": "assert", "entry_point": "f", "test_code": test_code, **extra}
        return pool.judge({"code": code}, problem)

    return judging


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """script(text): run it as a file in a fresh interpreter; what it printed last, as JSON."""

    def running(text: str, *arguments: str) -> Any:
        file = tmp_path / "script.py"
        file.write_text(text)
        words = [sys.executable, file, *arguments]
        result = execute(words, timeout=SCRIPT_SECONDS, cwd=tmp_path)
        assert result.returncode == 0, f"{result.stdout}\n{result.stderr}"
        return json.loads(result.stdout.splitlines()[-1])

    return running
