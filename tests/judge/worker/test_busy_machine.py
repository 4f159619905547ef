"""Checkers and interactors wait for a core as programs do: their clock stands still meanwhile."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import replace

import pytest

from microcoder_eval import Verdict
from microcoder_eval.languages import PYTHON
from microcoder_eval.worker.expectations import Comparison, Expectation
from microcoder_eval.worker.judge_programs import checkers, interactor
from microcoder_eval.worker.judge_programs.checked_outputs import CheckerBudget, check_output
from microcoder_eval.worker.judge_programs.checkers import SourceChecker
from microcoder_eval.worker.judge_programs.interactor import Interactor
from microcoder_eval.worker.messages import TextTest
from microcoder_eval.worker.text_programs import TextProgram, WorkerContext
from microcoder_eval.worker.verdicts import decide_verdict
from microcoder_sandbox import Outcome, Phase, ResourceLimits, Sandbox, make_plan
from tests.delays import busy_cores, skip_if_starved

pytestmark = [pytest.mark.slow, pytest.mark.timed]
CPU_SECONDS = 0.6
BURN = "import time\nwhile time.process_time() < {}: pass\n"
MOST, SOME = 0.5, 0.25
TEST = TextTest(b"7\n", b"7\n")
ASK = "import sys\n{}answer = input()\nsys.exit(42 if answer == '7' else 43)\n"
ANSWER = "{}print(7, flush=True)\n"


def limit_clock(wall_seconds: float) -> ResourceLimits:
    """Return the limits of a checker or an interactor with this clock."""
    return replace(checkers.LIMITS, cpu_seconds=CPU_SECONDS, wall_seconds=wall_seconds)


def run_checker(source: str, output: bytes) -> Comparison:
    """Return what a checker says of an output."""
    with Sandbox(make_plan()) as sandbox:
        checker = SourceChecker(WorkerContext(sandbox), {"source": source}, None)
        outcome = Outcome(0, None, Phase.FINISHED, 0.0, 0.0, 0, output, b"", b"")
        with closing(checker):
            return check_output(checker, CheckerBudget(), TEST, {}, outcome)


@pytest.mark.parametrize(("output", "verdict"), [(b"7", Verdict.AC), (b"8", Verdict.WA)])
def test_a_checker_that_needs_most_of_its_cpu_time_does_not_fail_on_a_busy_machine(
    output: bytes, verdict: Verdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = f"{BURN.format(0)}def check(input, output, expected):\n"
    source += f"    while time.process_time() < {MOST}: pass\n    return output == '7'"
    with busy_cores() as loops:
        clock = loops.find_clock(MOST)
        monkeypatch.setattr(checkers, "LIMITS", limit_clock(clock))
        start = time.monotonic()
        comparison = run_checker(source, output)
        seconds = time.monotonic() - start
    skip_if_starved(seconds, clock)
    assert (comparison.verdict, comparison.flags) == (verdict, ())
    if seconds <= clock:
        pytest.skip("the machine became less busy: the checker was within its clock")


@pytest.mark.parametrize(
    ("interactor_s", "solution_s"), [(MOST, 0), (0, MOST), (SOME, SOME)],
    ids=["the interactor computes", "the solution computes", "both compute"],
)  # fmt: skip
def test_a_right_program_is_accepted_by_its_interactor_on_a_busy_machine(
    interactor_s: float, solution_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = ASK.format(BURN.format(interactor_s))
    code = ANSWER.format(BURN.format(solution_s)).encode()
    with (
        Sandbox(make_plan()) as sandbox,
        closing(sandbox.prepare_program(code)) as program,
        busy_cores() as loops,
    ):
        clock = loops.find_clock(MOST)
        monkeypatch.setattr(interactor, "LIMITS", limit_clock(clock))
        limits = ResourceLimits(CPU_SECONDS, clock, 1 << 27, 1 << 20)
        context = WorkerContext(sandbox)
        solution = TextProgram(context, PYTHON, program)
        with closing(Interactor(context, {"source": source}, None, 0.1)) as talker:
            run = talker.judge(solution, limits, CheckerBudget(), TEST, None, {})
        ruling = decide_verdict(
            run.outcome, limits, CPU_SECONDS, Expectation(), earlier=run.comparison
        )
    skip_if_starved(run.outcome.wall_s, clock)
    assert (ruling.result.verdict, ruling.result.detail) == (Verdict.AC, None)
    assert "interactor_failed" not in ruling.flags
