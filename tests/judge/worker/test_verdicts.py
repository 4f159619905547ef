"""Each verdict letter for each kind of problem, and the contract on what a judgement says."""

from __future__ import annotations

import pytest

from microcoder_eval import DataError, Judge, Status, Verdict
from tests.files import read_table
from tests.judge.conftest import Judging

TABLE = read_table(__file__)


@pytest.mark.parametrize(("code", "verdict"), TABLE["stdin"])
def test_stdin_programs_get_the_letter_of_what_they_do(
    stdin: Judging, code: str, verdict: str
) -> None:
    assert stdin(code, ("2\n", "4\n"), limits={"output_mb": 1}).verdict == verdict


@pytest.mark.parametrize(("code", "verdict"), TABLE["calls"])
def test_called_functions_get_the_letter_of_what_they_do(
    call: Judging, code: str, verdict: str
) -> None:
    assert call(code, ([2], 4), limits={"output_mb": 1}).verdict == verdict


@pytest.mark.parametrize("test_code", ["assert f(2) == 4", "r = f(2)\nassert r == 4, 'wrong'"])
@pytest.mark.parametrize(("code", "verdict"), TABLE["assertions"])
def test_asserted_functions_get_the_letter_of_what_they_do(
    asserts: Judging, code: str, verdict: str, test_code: str
) -> None:
    assert asserts(code, test_code).verdict == verdict


def test_a_test_that_needs_the_program_in_its_own_process_is_the_judges_failure(
    asserts: Judging,
) -> None:
    judgement = asserts("def f(n): return 4", "import inspect\nassert inspect.getsource(f) == ''")
    assert judgement.verdict is Verdict.JE
    assert judgement.status is Status.ERROR
    assert judgement.score is None
    assert judgement.reward is None
    assert judgement.error
    assert "in-process access" in judgement.error
    with pytest.raises(ValueError, match="no reward"):
        float(judgement)


@pytest.mark.parametrize("kind", ["stdin", "call"])
def test_a_problem_without_tests_is_a_data_error(pool: Judge, kind: str) -> None:
    with pytest.raises(DataError):
        pool.judge({"code": "x = 1"}, {"kind": kind, "entry_point": "f", "tests": []})


@pytest.mark.parametrize("test_code", ["", "x = 1", "def check(candidate):\n    pass"])
def test_test_code_that_asserts_nothing_is_a_data_error(pool: Judge, test_code: str) -> None:
    problem = {"kind": "assert", "entry_point": "f", "test_code": test_code}
    with pytest.raises(DataError):
        pool.judge({"code": "def f(): pass"}, problem)


PARTLY = "n = int(input())\nif n == 3: 1 / 0\nprint(n if n != 2 else 0)"
FOUR = [{"input": f"{n}\n", "output": f"{n}\n"} for n in (1, 2, 3, 4)]


def test_never_runs_every_test_and_scores_the_fraction_that_passed(pool: Judge) -> None:
    judgement = pool.judge({"code": PARTLY}, FOUR)
    assert [str(t.verdict) for t in judgement.tests_run] == ["AC", "WA", "RE", "AC"]
    assert (judgement.verdict, judgement.score) == (Verdict.WA, 0.5)
    assert (judgement.status, judgement.passed) == (Status.INCORRECT, False)
    assert (judgement.reward, judgement.error) == (0.0, None)
    assert float(judgement) == 0.0


def test_a_pass_is_complete_and_says_what_accepted(early_pool: Judge) -> None:
    judgement = early_pool.judge({"code": "print(input())"}, FOUR)
    assert (judgement.verdict, judgement.score, judgement.status) == ("AC", 1.0, "correct")
    assert judgement.passed
    assert float(judgement) == 1.0
    assert judgement.sandbox_level >= 3
    assert judgement.isolation == "batch"
    for test in judgement.tests:
        assert test is not None
        assert test.matched_by
        assert test.detail is None
        assert 0 < test.cpu_s <= test.wall_s + 0.05
    # Where tests shared a process only the first one's peak is known.
    assert [t.memory_mb is not None for t in judgement.tests] == [True, False, False, False]


def test_ce_ends_the_run_at_once(pool: Judge) -> None:
    judgement = pool.judge({"code": "def f(:"}, FOUR)
    assert [t.verdict for t in judgement.tests] == ["CE", None, None, None]
    assert judgement.score == 0.0
    assert judgement.tests[0] is not None
    assert "SyntaxError" in (judgement.tests[0].detail or "")


@pytest.mark.parametrize(("response", "verdict", "status", "flagged"), TABLE["answers"])
def test_answers_cut_off_are_incomplete_unless_their_last_whole_program_passes(
    pool: Judge, response: str, verdict: str, status: str, flagged: bool
) -> None:
    judgement = pool.judge({"response": response}, FOUR)
    assert (judgement.verdict, judgement.status) == (verdict, status)
    assert ("truncated" in judgement.flags) is flagged
    assert judgement.reward == (1.0 if verdict == "AC" else 0.0)
    if verdict == "CE":
        assert (judgement.error, judgement.score) == ("no finished program", 0.0)


def test_a_thread_left_running_is_flagged(stdin: Judging) -> None:
    code = (
        "import threading, time\n"
        "threading.Thread(target=time.sleep, args=(99,), daemon=True).start()\nprint(4)"
    )
    judgement = stdin(code, ("", "4"))
    assert judgement.verdict is Verdict.AC
    assert "left_over_threads" in judgement.flags


def test_an_exit_inside_a_call_is_flagged(call: Judging) -> None:
    judgement = call("def f(n): exit(0)", ([2], 4))
    assert judgement.verdict is Verdict.RE
    assert "early_exit" in judgement.flags


def test_the_three_hashes_change_with_what_they_stand_for(pool: Judge, early_pool: Judge) -> None:
    def of(judge: Judge, code: str, output: str) -> tuple[str, str, str]:
        j = judge.judge({"code": code}, [{"input": "", "output": output}])
        return j.tests_sha256, j.code_sha256, j.config_sha256

    base = of(pool, "print(1)", "1")
    assert of(pool, "print(1)", "1") == base
    for index, other in enumerate(
        (of(pool, "print(1)", "2"), of(pool, "print(2)", "1"), of(early_pool, "print(1)", "1"))
    ):
        assert [a != b for a, b in zip(base, other, strict=True)] == [i == index for i in range(3)]


FILES = "open('a', 'w').write(input())\nimport os\nprint(os.listdir('.'), open('a').read())"


def test_a_problem_that_asks_for_files_gives_each_run_an_empty_folder(stdin: Judging) -> None:
    pairs = [("x\n", "['a'] x\n"), ("y\n", "['a'] y\n")]
    assert stdin(FILES, *pairs, limits={"files_mb": 1}).passed
    assert stdin(FILES, *pairs).verdict == "RE"


def test_functions_write_files_only_where_a_limit_allows_it(call: Judging) -> None:
    code = "def f(x):\n    open('a', 'w').write(x)\n    return open('a').read() * 2"
    assert call(code, (["z"], "zz"), limits={"files_mb": 1}).passed
    assert call(code, (["z"], "zz")).verdict == "RE"


@pytest.mark.parametrize(
    ("given", "reaches"),
    [
        ("a\r\nb\r\n", b"a\nb\n"),
        ("a\r\nb\n", b"a\nb\n"),
        ("a\r\nb", b"a\nb"),
        ("a\nb\r\n", b"a\nb\r\n"),
        ("a\rb\r\n", b"a\rb\r\n"),
        ("a\r", b"a\r"),
        ("a\n", b"a\n"),
    ],
)
def test_an_input_stored_with_dos_line_ends_reaches_the_program_with_line_feeds(
    stdin: Judging, given: str, reaches: bytes
) -> None:
    code = "import sys; print(sys.stdin.buffer.read())"
    assert stdin(code, (given, f"{reaches!r}\n")).passed
