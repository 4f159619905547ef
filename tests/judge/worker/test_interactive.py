"""An interactor and a solution talk; who is at fault is told apart."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from microcoder_eval import DataError, Judge, Judgement, Limits
from microcoder_eval.languages import PYTHON
from microcoder_eval.worker.expectations import Expectation
from microcoder_eval.worker.judge_programs import interactor as interactor_module
from microcoder_eval.worker.judge_programs.checked_outputs import CheckerBudget
from microcoder_eval.worker.judge_programs.interactor import Interactor
from microcoder_eval.worker.messages import TextTest
from microcoder_eval.worker.text_programs import TextProgram, WorkerContext
from microcoder_eval.worker.verdicts import TestVerdict, decide_verdict
from microcoder_sandbox import ResourceLimits, Sandbox, make_plan
from tests.files import read_table
from tests.judges import SharedJudge, require_toolchain

# Short, but far above what the programs need: other tests may keep every core busy.
LIMITS = Limits(time_s=1.5, wall_s=60.0, memory_mb=128)
PROGRAMS = read_table(__file__)
GUESS, BISECT = PROGRAMS["guess"], PROGRAMS["bisect"]
CPP_GUESS, CPP_BISECT = PROGRAMS["cpp_guess"], PROGRAMS["cpp_bisect"]
TESTS = [{"input": "73\n", "output": ""}, {"input": "1\n", "output": ""}]


@pytest.fixture(scope="session")
def judge() -> Judge:
    """One worker at the highest level of this machine."""
    return SharedJudge(workers=1, limits=LIMITS, reuse=False)


@pytest.fixture(scope="session")
def level_3() -> Judge:
    """One worker at level 3."""
    return SharedJudge(workers=1, limits=LIMITS, reuse=False, max_level=3)


def interact(judge: Judge, code: str, interactor: str = GUESS, **more: Any) -> Judgement:
    spec = {"source": interactor, **more.pop("spec", {})}
    problem = {"kind": "stdin", "tests": more.pop("tests", TESTS), "interactor": spec}
    return judge.judge({"code": code}, problem, **more)


def read_first(judgement: Judgement) -> tuple[str, str]:
    test = judgement.tests[0]
    return str(judgement.verdict), (test.detail or "") if test.verdict else (judgement.error or "")


def test_a_solution_that_finds_the_secret_is_accepted(judge: Judge) -> None:
    judgement = interact(judge, BISECT)
    assert judgement.verdict == "AC", (judgement.error, judgement.tests)
    assert [test.matched_by for test in judgement.tests_run] == ["interactor"] * 2


@pytest.mark.slow
def test_interactions_have_the_same_verdicts_at_level_3(level_3: Judge) -> None:
    assert interact(level_3, BISECT).verdict == "AC"
    assert read_first(interact(level_3, "input()")) == (
        "TLE",
        "idle: both sides waited for the other for 2 s",
    )


@pytest.mark.slow
def test_compiled_programs_talk_to_compiled_and_python_ones(judge: Judge) -> None:
    require_toolchain("cpp")
    cpp = {"language": "cpp", "protocol": "kattis"}
    assert interact(judge, CPP_BISECT, CPP_GUESS, spec=cpp, language="cpp").verdict == "AC"
    assert interact(judge, BISECT, CPP_GUESS, spec=cpp).verdict == "AC"
    assert interact(judge, CPP_BISECT, language="cpp").verdict == "AC"


VERDICTS = PROGRAMS["verdicts"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "interactor"),
    [
        ("import sys\nprint(sum(map(int, sys.stdin)))",
         "import os, sys\nprint(5, flush=True)\nos.close(1)\nsys.exit(43 - (input() == '5'))"),
        ("import os\nprint(1, 2, flush=True)\nos.close(1)\nassert input() == '2'",
         "import sys\nprint(len(sys.stdin.read().split()), flush=True)\nsys.exit(42)"),
    ],
    ids=["interactor", "solution"],
)  # fmt: skip
def test_the_end_of_an_output_is_seen_before_its_program_ends(
    judge: Judge, code: str, interactor: str
) -> None:
    judgement = interact(judge, code, interactor, spec={"protocol": "kattis"})
    assert judgement.verdict == "AC", (judgement.error, judgement.tests)


@pytest.mark.sampled(4, "sandbox")
@pytest.mark.parametrize("name", VERDICTS)
def test_who_is_at_fault_is_told_apart(judge: Judge, name: str) -> None:
    code, verdict, said = VERDICTS[name]
    judgement = interact(judge, code)
    assert judgement.verdict == verdict, (judgement.error, judgement.tests)
    assert said in read_first(judgement)[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    "end",
    [
        "import sys\nassert sys.stdin.read() == ''",
        "for _ in range(200000): print('and so on')",
        "raise SystemExit(0)",
    ],
)
def test_what_a_solution_does_after_the_end_hurts_nobody(judge: Judge, end: str) -> None:
    assert interact(judge, f"{BISECT}\n{end}").verdict == "AC"


@pytest.mark.slow
def test_an_accepted_solution_has_to_end_well(judge: Judge) -> None:
    assert read_first(interact(judge, f"{BISECT}\nraise SystemExit(5)")) == ("RE", "exit status 5")


FAILURES = PROGRAMS["failures"]


@pytest.mark.slow
@pytest.mark.parametrize("name", FAILURES)
def test_an_interactor_that_fails_refuses_with_a_flag(judge: Judge, name: str) -> None:
    source, said = FAILURES[name]
    judgement = interact(judge, "import sys\nsys.stdin.read()", source)
    assert (judgement.verdict, judgement.flags) == ("WA", ("interactor_failed",)), judgement.error
    assert "the interactor failed" in read_first(judgement)[1]
    assert said in read_first(judgement)[1]


@pytest.mark.parametrize(
    ("source", "message"), [("def", "invalid syntax"), ("import sys, numpi\ninput()", "numpi")]
)
def test_an_interactor_that_cannot_be_loaded_is_the_judges_failure(
    judge: Judge, source: str, message: str
) -> None:
    judgement = interact(judge, "pass", source)
    assert (judgement.verdict, message in (judgement.error or "")) == ("JE", True), judgement.error


HOSTILE = PROGRAMS["hostile"]


@pytest.mark.parametrize("code", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.slow
def test_a_solution_over_which_the_interactor_fails_is_wrong_and_flagged(
    judge: Judge, code: str
) -> None:
    judgement = interact(judge, code, PROGRAMS["naive"])
    assert (judgement.verdict, judgement.flags) == ("WA", ("interactor_failed",)), judgement.error
    assert "the interactor failed" in read_first(judgement)[1]


# What an interactor does over a number that the solution names.
OVER_A_NUMBER = PROGRAMS["over_a_number"]


@pytest.mark.sampled(2, "slow")
@pytest.mark.parametrize("name", OVER_A_NUMBER)
def test_a_number_over_which_the_interactor_fails_is_wrong_and_flagged(
    judge: Judge, name: str
) -> None:
    action, number = OVER_A_NUMBER[name]
    interactor = (
        "import os, sys\n"
        "def recurse(depth): return depth and recurse(depth - 1)\n"
        f"number = int(input())\n{action}\nsys.exit(42)"
    )
    judgement = interact(judge, f"print({number})", interactor)
    assert (judgement.verdict, judgement.flags) == ("WA", ("interactor_failed",)), judgement.error


def rule(
    interactor: str,
    code: bytes,
    monkeypatch: pytest.MonkeyPatch,
    time_s: float = 1.0,
    wall_s: float = 1.0,
) -> TestVerdict:
    """The ruling of an interactor that is given a tenth of its CPU time, and so long by the clock.
    time_s: the solution's limit."""
    short_limits = replace(interactor_module.LIMITS, cpu_seconds=1.0, wall_seconds=wall_s)
    monkeypatch.setattr(interactor_module, "LIMITS", short_limits)
    limits = ResourceLimits(time_s, wall_s, 1 << 27, 1 << 20)
    with Sandbox(make_plan()) as sandbox, closing(sandbox.prepare_program(code)) as program:
        context = WorkerContext(sandbox)
        solution = TextProgram(context, PYTHON, program)
        with closing(Interactor(context, {"source": interactor}, None, time_s)) as talker:
            run = talker.judge(solution, limits, CheckerBudget(), TextTest(b"", b""), None, {})
            return decide_verdict(
                run.outcome, limits, time_s, Expectation(), earlier=run.comparison
            )


@pytest.mark.slow
@pytest.mark.parametrize("action", ["time.sleep(number)", "while True: print('x' * number)"])
def test_an_interactor_that_a_solution_makes_last_is_no_excuse(
    action: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    interactor = f"import time\nnumber = int(input())\n{action}"
    ruling = rule(interactor, b"print(1000)", monkeypatch)
    assert (ruling.result.verdict, ruling.flags) == ("WA", ("interactor_failed",))
    assert ruling.result.detail == "the interactor failed: stopped at its wall limit"


@pytest.mark.slow
def test_an_interactor_that_sleeps_by_itself_refuses_too(monkeypatch: pytest.MonkeyPatch) -> None:
    ruling = rule("import time\ntime.sleep(1000)", b"print(1)", monkeypatch)
    assert (ruling.result.verdict, ruling.flags) == ("WA", ("interactor_failed",))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("time_s", "verdict", "flags"), [(0.4, "AC", ()), (0.1, "WA", ("interactor_failed",))]
)
def test_an_interactor_may_compute_as_long_as_many_runs_of_the_solution(
    monkeypatch: pytest.MonkeyPatch, time_s: float, verdict: str, flags: tuple[str, ...]
) -> None:
    interactor = "import sys, time\ninput()\nwhile time.process_time() < 1.3: pass\nsys.exit(42)"
    ruling = rule(interactor, b"print(1)", monkeypatch, time_s, wall_s=40.0)
    assert (ruling.result.verdict, ruling.flags) == (verdict, flags)


@pytest.mark.parametrize(
    "interactor",
    [
        "import sys\nwhile sys.stdin.read(1): pass\nsys.exit(43)",
        "import sys\nprint('first', flush=True)\nsys.stdin.readline()\nsys.exit(42)",
    ],
)
def test_a_flood_meets_the_output_limit(judge: Judge, interactor: str) -> None:
    code = "import os\nwhile True: os.write(1, b'1' * 65536)"
    limits = {"time_s": 20.0, "output_mb": 2.0}
    problem = {"kind": "stdin", "tests": TESTS, "interactor": {"source": interactor}}
    judgement = judge.judge({"code": code}, {**problem, "limits": limits})
    assert read_first(judgement) == ("OLE", "more than 2 MiB of output")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "interactor_s", "verdict"),
    [(PROGRAMS["dribble"], "0", "TLE"), ("print(73, flush=True); input()", "3", "AC")],
)
def test_the_clock_is_extended_by_what_the_interactor_takes_and_no_more(
    judge: Judge, code: str, interactor_s: str, verdict: str
) -> None:
    problem = {
        "kind": "stdin",
        "tests": [{"input": "73", "output": interactor_s}],
        "interactor": {"source": PROGRAMS["patient"]},
    }
    hasty = judge.with_changes(limits={"time_s": 1, "wall_s": 2})
    assert hasty.judge({"code": code}, problem).verdict == verdict


def test_a_solution_cannot_read_what_it_has_written(judge: Judge) -> None:
    code = PROGRAMS["reads_its_own"]
    assert interact(judge, code, PROGRAMS["naive"]).verdict in ("WA", "RE", "TLE")


def test_a_log_for_the_checker_that_a_solution_floods_is_no_excuse(judge: Judge) -> None:
    checker = {"source": "def check(input, output, expected): return output == 20 * 'x\\n'"}
    interactor = {"source": PROGRAMS["logging"], "protocol": "testlib", "checked": True}
    problem = {"tests": TESTS[:1], "interactor": interactor, "checker": checker}
    right, wrong, flood = (
        judge.judge(f"input()\nfor _ in range({count}): print('x')", problem)
        for count in (1, 2, 300_000)
    )
    assert (right.verdict, wrong.verdict, wrong.flags) == ("AC", "WA", ())
    assert (flood.verdict, flood.flags) == ("WA", ("interactor_failed",)), flood.error


@pytest.mark.slow
def test_the_testlib_protocol_has_its_own_statuses(judge: Judge) -> None:
    source = "import sys\nopen(sys.argv[2], 'w')\nsys.exit(int(sys.stdin.readline()))"
    for status, verdict in ((0, "AC"), (1, "WA"), (2, "WA"), (3, "WA")):
        spec = {"protocol": "testlib"}
        judgement = interact(judge, f"print({status}, flush=True)", source, spec=spec)
        assert judgement.verdict == verdict, (status, judgement.error)


@pytest.mark.slow
@pytest.mark.attacks
@pytest.mark.parametrize("level", ["judge", "level_3"])
def test_the_secret_cannot_be_read_by_the_solution(
    level: str, request: pytest.FixtureRequest
) -> None:
    interactor = "import sys\nsys.exit(42 if sys.stdin.readline() == 'none\\n' else 43)"
    tests = [{"input": "secret-73\n", "output": "secret-73\n"}]
    judge: Judge = request.getfixturevalue(level)
    assert interact(judge, PROGRAMS["search"], interactor, tests=tests).verdict == "AC"


def test_an_interactor_belongs_to_text(judge: Judge) -> None:
    problem = {"kind": "call", "entry_point": "f", "tests": [{"input": [1], "output": 1}]}
    with pytest.raises(DataError, match="only stdin problems"):
        judge.judge({"code": "x = 1"}, {**problem, "interactor": {"source": "x"}})
    with pytest.raises(DataError, match="testlib, kattis"):
        interact(judge, "x = 1", spec={"protocol": "python"})
