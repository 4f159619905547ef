"""Source checkers decide what is right. One that cannot be loaded is the judge's failure; one that
fails over an output refuses it."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import Judge, Judgement, Limits, Verdict
from microcoder_eval.conversion import make_solution_request, resolve_problem
from microcoder_eval.errors import DataError
from microcoder_eval.formats import problem_from
from microcoder_eval.records import Solution
from microcoder_eval.settings import JudgeOptions
from microcoder_eval.worker.judge_programs import checked_outputs, checkers, interactor
from microcoder_eval.worker.judge_programs.checked_outputs import (
    CheckerBudget,
    check_output,
    expect_checked_value,
)
from microcoder_eval.worker.judge_programs.checkers import SourceChecker
from microcoder_eval.worker.judging import judge_solution
from microcoder_eval.worker.messages import TextTest
from microcoder_eval.worker.prepared_problem import PreparedProblem
from microcoder_eval.worker.text_programs import WorkerContext
from microcoder_sandbox import Outcome, Phase, Sandbox, make_plan
from microcoder_sandbox.toolchains.toolchain import find_toolchain
from tests.files import read_table
from tests.judges import SharedJudge


def needs_compiler(test: Any) -> Any:
    """Marks a test of a compiled checker."""
    is_missing = pytest.mark.skipif(find_toolchain() is None, reason="no g++ on this machine")
    return pytest.mark.slow(is_missing(test))


PROGRAMS = read_table(__file__)
SUM_OF_TWO, VALIDATOR = PROGRAMS["sum_of_two"], PROGRAMS["validator"]
TESTS = [{"input": "10\n", "output": "1 9\n"}, {"input": "7\n", "output": "1 6\n"}]
PARTS = "n = int(input())\nprint({} , n - {})"


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Judge:
    """One worker that knows a testlib.h."""
    header = tmp_path_factory.mktemp("lib") / "testlib.h"
    header.write_text(PROGRAMS["header"])
    testlib = str(header.parent)
    return SharedJudge(workers=1, stop="never", testlib=testlib, limits=Limits(2, 20))


def judge_code(judge: Judge, code: str, checker: dict[str, Any], **extra: Any) -> Judgement:
    problem = {"kind": "stdin", "tests": TESTS, "checker": checker, **extra}
    return judge.judge({"code": code}, problem)


def python(body: str) -> dict[str, str]:
    return {"source": f"def check(input, output, expected):\n    {body}", "language": "python"}


ANY_SUM = python("return sum(map(int, output.split())) == int(input)")


@pytest.mark.parametrize(("first", "verdict"), [(3, "AC"), (5, "AC"), ("n", "AC"), ("1 +", "WA")])
def test_any_answer_the_checker_accepts_is_right(judge: Judge, first: Any, verdict: str) -> None:
    code = PARTS.format(first if first != "1 +" else 2, first if first != "1 +" else 1)
    assert judge_code(judge, code, ANY_SUM).verdict == verdict


def test_the_checker_is_named_as_what_matched(judge: Judge) -> None:
    judgement = judge_code(judge, PARTS.format(3, 3), ANY_SUM)
    assert [test and test.matched_by for test in judgement.tests] == ["checker", "checker"]


@pytest.mark.parametrize(
    ("answer", "verdict", "detail"),
    [
        ("return True", "AC", None),
        ("return False", "WA", "refused by the checker"),
        ("return False, 'too long'", "WA", "too long"),
        ("return True, 'fine'", "AC", None),
        ("return 1.0", "AC", None),
        ("return 0.5", "WA", "the checker gave 0.5 of 1"),
        ("return output.split()[0] == expected.split()[0]", "AC", None),
    ],
)
def test_what_a_checker_may_answer(
    judge: Judge, answer: str, verdict: str, detail: str | None
) -> None:
    judgement = judge_code(judge, "print(1)", python(answer))
    assert (judgement.verdict, judgement.tests[0] and judgement.tests[0].detail) == (
        verdict,
        detail,
    )


@pytest.mark.parametrize(("body", "reason"), PROGRAMS["failing"])
def test_a_checker_that_fails_over_an_output_refuses_it_with_a_flag(
    judge: Judge, body: str, reason: str
) -> None:
    judgement = judge_code(judge, "print(1)", python(body))
    assert (judgement.verdict, judgement.reward, judgement.flags) == (
        "WA",
        0.0,
        ("checker_failed",),
    )
    assert reason in (judgement.tests[0].detail or "")


# What a candidate makes a checker do that takes its words for more than they are.
OBEYED = PROGRAMS["obeyed"]


@pytest.mark.sampled(3, "slow")
@pytest.mark.parametrize("action", OBEYED.values(), ids=OBEYED)
def test_a_candidate_that_a_checker_obeys_gets_no_je(judge: Judge, action: str) -> None:
    source = (
        "import os\ndef recurse(depth): return depth and recurse(depth - 1) + 1\n"
        f"{python(f'{action}; raise ValueError')['source']}"
    )
    for printed in (3, 6, 9, 96, 97, 10**6 - 1):
        judgement = judge_code(judge, f"print({printed})", {"source": source}, tests=TESTS[:1])
        assert (judgement.verdict, judgement.flags) == ("WA", ("checker_failed",)), judgement.error


@pytest.mark.parametrize("expected", ["", "7\n", "seed 5\n", None])
@pytest.mark.parametrize("code", ["print('x')", "pass", "print('cost: 8\\npath: 1')"])
def test_garbage_is_wrong_where_the_tests_own_output_is_not_in_the_checkers_form(
    judge: Judge, code: str, expected: str | None
) -> None:
    checker = python("rows = dict(x.split(': ') for x in output.splitlines())\n"
                     "    return int(rows['cost']) == len(rows['path'].split('-'))")  # fmt: skip
    tests = [{"input": "3\n", "output": expected or ""}]
    assert judge_code(judge, code, checker, tests=tests).verdict == "WA"
    right = "print('cost: 3')\nprint('path: 1-2-3')"
    assert judge_code(judge, right, checker, tests=tests).verdict == "AC"


def test_a_junk_value_is_wrong_where_the_checker_raises_on_the_tests_own(judge: Judge) -> None:
    problem = {
        "kind": "call",
        "entry_point": "f",
        "tests": [{"input": [3], "output": 7}],
        "checker": python("return output['cost'] == expected and len(output['path']) == input[0]"),
    }
    verdicts = [
        judge.judge({"code": f"def f(n): return {value}"}, problem).verdict
        for value in ("{'cost': 7, 'path': [1, 2, 3]}", "{'cost': 8, 'path': []}", "1", "None")
    ]
    assert verdicts == ["AC", "WA", "WA", "WA"]


CAREFUL = python("\n    try:\n        return int(output) == int(expected)\n"
                 "    except ValueError:\n        return False")  # fmt: skip
ENDLESS = {"source": "number = int(input())\nwhile number: number += 1"}
KEPT_BUSY = {"checker": (CAREFUL, "print('9' * 3000000)"), "interactor": (ENDLESS, "print(1)")}


@pytest.mark.slow
@pytest.mark.parametrize("role", KEPT_BUSY)
def test_failed_checks_of_one_solution_have_one_allowance_of_time(
    role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a tenth of the time that there is, and so without a worker of its own."""
    monkeypatch.setattr(checked_outputs, "_FAILED_CHECKS_BUDGET_S", 0.6)
    for module in (checkers, interactor):
        monkeypatch.setattr(module, "LIMITS", replace(checkers.LIMITS, cpu_seconds=1.0))
    program, code = KEPT_BUSY[role]
    tests = [{"input": "", "output": "7\n"}] * 4
    row = {"problem_id": "p", "tests": tests, role: program, "limits": {"time_s": 0.2}}
    resolved = resolve_problem(problem_from(row), JudgeOptions(stop="never"), 1.0)
    request = make_solution_request("", Solution("", "", code), 0)
    problem = PreparedProblem(resolved)
    with Sandbox(make_plan()) as sandbox:
        reply = judge_solution(WorkerContext(sandbox), problem, request)
        problem.release()
    results = [result for result in reply.results or () if result is not None]
    assert [str(result.verdict) for result in results] == ["WA"] * 4
    assert reply.flags == (f"{role}_failed",)
    details = [result.detail or "" for result in results]
    assert "stopped at its" in details[0]
    assert all("the time for failed checks was used up" in detail for detail in details[1:])
    assert [result.cpu_s for result in results[1:]] == [0.0] * 3  # the program is not run


def test_checks_that_end_properly_take_nothing_of_that_allowance(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(checked_outputs, "_FAILED_CHECKS_BUDGET_S", 0.2)
    body = "t = time.process_time()\n    while time.process_time() < t + 0.3: pass\n    return True"
    outcome = Outcome(0, None, Phase.FINISHED, 0.0, 0.0, 0, b"", b"", b"")
    with Sandbox(make_plan()) as sandbox:
        source = {"source": f"import time\n{python(body)['source']}"}
        budget = CheckerBudget()
        with closing(SourceChecker(WorkerContext(sandbox), source, None)) as checker:
            for _ in range(2):
                comparison = check_output(checker, budget, TextTest(b"", b""), {}, outcome)
                assert comparison.verdict is Verdict.AC, comparison
                assert budget.refuse_test() is None


@pytest.mark.parametrize(("answer", "code", "verdict"), PROGRAMS["candidates_answers"])
@pytest.mark.slow
def test_what_a_checker_answers_it_may_have_from_the_candidate(
    judge: Judge, answer: str, code: str, verdict: str
) -> None:
    judgement = judge_code(judge, code, python(answer))
    assert (judgement.verdict, judgement.reward) == (verdict, 0.0), judgement.error


UNLOADABLE = PROGRAMS["unloadable"]


@pytest.mark.parametrize("checker", [{"name": "nosuch"}, {"name": "floats", "nosuch": 1}])
def test_a_comparer_that_does_not_exist_is_the_judges_failure(
    judge: Judge, checker: dict[str, Any]
) -> None:
    assert judge_code(judge, "print(1)", checker).verdict == "JE"


@pytest.mark.parametrize("name", UNLOADABLE)
def test_a_checker_that_cannot_be_loaded_is_the_judges_failure_for_any_output(
    judge: Judge, name: str
) -> None:
    source, reason = UNLOADABLE[name]
    for code in ("print(1)", "pass", PARTS.format(3, 3)):
        judgement = judge_code(judge, code, {"source": source})
        assert (judgement.verdict, judgement.reward) == ("JE", None)
        assert reason in (judgement.error or "")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("def", "invalid syntax"),
        ('"""Doc."""\nimport sys\nimport numpi\nsys.exit(42)', "numpi"),
        ("import sys\nEPS = 1e-6\ndef read(x=0): pass\nimport numpi\nsys.exit(42)", "numpi"),
    ],
)
@pytest.mark.parametrize("protocol", ["kattis", "testlib"])
def test_a_script_whose_first_imports_fail_is_the_judges_failure(
    judge: Judge, protocol: str, source: str, reason: str
) -> None:
    checker = {"source": source, "language": "python", "protocol": protocol}
    judgement = judge_code(judge, "print(1)", checker)
    assert (judgement.verdict, reason in (judgement.error or "")) == ("JE", True), judgement.error


@pytest.mark.parametrize(
    ("source", "reason"),
    [("import sys\nimport numpi\nprint(1)", "numpi"), ("def", "invalid syntax"), ("print(1)", "")],
)
def test_a_script_of_a_codeforces_row_is_loaded_before_it_reads_anything(
    judge: Judge, source: str, reason: str
) -> None:
    row = {
        "id": "1/A",
        "description": "Print one.",
        "official_tests": [{"input": "", "output": "1"}],
        "generated_checker": source,
    }
    for code in ("print(1)", "print(2)"):
        judgement = judge.judge({"code": code}, row)
        assert judgement.verdict == ("JE" if reason else "AC")
        assert reason in (judgement.error or "")


def test_loading_a_script_runs_none_of_its_statements(judge: Judge) -> None:
    source = "import sys\nif len(sys.argv) < 4: raise ValueError\nimport json\nsys.exit(42)"
    checker = {"source": source, "language": "python", "protocol": "kattis"}
    assert judge_code(judge, "print(1)", checker).verdict == "AC"


@pytest.mark.slow
def test_a_checker_that_an_output_sends_to_sleep_is_no_excuse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(checkers, "LIMITS", replace(checkers.LIMITS, wall_seconds=2.0))
    sleeping = python("time.sleep(int(output)); return True")["source"]
    with Sandbox(make_plan()) as sandbox:
        checker = SourceChecker(
            WorkerContext(sandbox), {"source": f"import time\n{sleeping}"}, None
        )
        outcome = Outcome(0, None, Phase.FINISHED, 0.0, 0.0, 0, b"1000", b"", b"")
        with closing(checker):
            arguments = (checker, CheckerBudget(), TextTest(b"0", b"0"), {}, outcome)
            comparison = check_output(*arguments)
            again = check_output(*arguments)
    assert (comparison.verdict, comparison.flags) == (Verdict.WA, ("checker_failed",))
    assert again.detail == comparison.detail  # two seconds do not use the budget up


def test_a_checker_sees_no_more_than_its_three_texts(judge: Judge) -> None:
    body = "open('/etc/passwd'); return True"
    detail = judge_code(judge, "print(1)", python(body)).tests[0].detail or ""
    assert "PermissionError" in detail or "FileNotFound" in detail


@pytest.mark.parametrize(
    ("code", "verdict"),
    [("print(1); raise ValueError", "RE"), ("print(1); exit(1)", "RE"), ("print(1", "CE")],
)
def test_a_program_that_failed_is_not_shown_to_the_checker(
    judge: Judge, code: str, verdict: str
) -> None:
    assert judge_code(judge, code, python("return True")).verdict == verdict


def test_bytes_that_are_no_text_reach_the_checker(judge: Judge) -> None:
    code = "import sys; sys.stdout.buffer.write(b'\\xff\\x00')"
    assert judge_code(judge, code, python("return output == '\\udcff\\x00'")).verdict == "AC"


def test_values_of_calls_are_checked_as_values(judge: Judge) -> None:
    problem = {
        "kind": "call",
        "entry_point": "f",
        "tests": [{"input": [[3, 1, 2]], "output": [1, 2, 3]}],
        "checker": python("return sorted(output) == expected and len(input[0]) == 3"),
    }
    assert judge.judge({"code": "def f(x): return [2, 3, 1]"}, problem).verdict == "AC"
    assert judge.judge({"code": "def f(x): return [2, 2, 1]"}, problem).verdict == "WA"


def test_checkers_can_be_ignored(judge: Judge) -> None:
    plain = judge.with_changes(ignore_checkers=True)
    assert judge_code(plain, PARTS.format(3, 3), ANY_SUM).verdict == "WA"


def test_testlib_needs_its_header() -> None:
    checker = {"source": SUM_OF_TWO, "language": "cpp", "protocol": "testlib"}
    judgement = judge_code(SharedJudge(workers=1), "print(1)", checker)
    assert judgement.verdict == "JE"
    assert "--testlib PATH" in (judgement.error or "")


SWAPPED = "ans.init(argv[2], _answer);\nouf.init(argv[3], _output);\n"
EITHER = f"#ifdef CMS\n{SWAPPED}#else\nouf.init(argv[2], _output);\nans.init(argv[3], _answer);\n"


def test_a_testlib_that_takes_the_answer_for_the_output_is_refused(tmp_path: Path) -> None:
    checker = {"source": SUM_OF_TWO, "language": "cpp", "protocol": "testlib"}
    header = tmp_path / "testlib.h"

    def read(text: str) -> None:
        own = {**checker, "files": {"testlib.h": text}}
        problem_from({"problem_id": "p", "tests": TESTS, "checker": own})

    header.write_text(SWAPPED)
    with pytest.raises(DataError, match=r"testlib: .*testlib\.h takes the answer before the"):
        JudgeOptions.from_keywords(testlib=tmp_path)
    with pytest.raises(DataError, match=r'"checker": its testlib\.h takes the answer before'):
        read(SWAPPED)
    header.write_text(EITHER)
    assert JudgeOptions.from_keywords(testlib=tmp_path).testlib == EITHER
    read(EITHER)


def test_a_python_validator_speaks_the_kattis_protocol(judge: Judge) -> None:
    source = PROGRAMS["python_validator"]
    checker = {"source": source, "language": "python", "protocol": "kattis"}
    assert judge_code(judge, PARTS.format(4, 4), checker).verdict == "AC"
    assert judge_code(judge, PARTS.format(4, 3), checker).verdict == "WA"
    crashed = judge_code(judge, "print('x y')", checker)
    assert (crashed.verdict, crashed.flags) == ("WA", ("checker_failed",))
    mistaken = judge_code(
        judge, PARTS.format(4, 4), {**checker, "source": "import sys\nsys.exit(0)"}
    )
    assert "exit status 0; in protocol kattis 42 accepts, 43 refuses" in (
        mistaken.tests[0].detail or ""
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("protocol", "level"), [("testlib", 4), ("kattis", 4), ("python", 4), ("testlib", 3)]
)
def test_an_output_larger_than_64_mib_reaches_the_checker(protocol: str, level: int) -> None:
    source = f"PROTOCOL = {protocol!r}\n{PROGRAMS['counting']}"
    if protocol == "python":
        source = "def check(input, output, expected): return len(output) == 70 << 20"
    checker = {"source": source, "language": "python", "protocol": protocol}
    limits = Limits(10, 60, output_mb=100)
    judge = SharedJudge(workers=1, max_level=level, limits=limits)
    # Bytes that are no text take six times as many in JSON.
    code = "import os\nfor _ in range(70): os.write(1, b'\\xff' * (1 << 20))"
    judgement = judge_code(judge, code, checker)
    assert judgement.verdict == "AC", judgement.error or judgement.tests


def make_outcome(body: bytes) -> Outcome:
    return Outcome(0, None, Phase.FINISHED, 0.0, 0.0, 0, b"", b"", b"V" + body)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "size", "verdict"), [([1], 1_200_000, "WA"), ([[1] * 400_000], 1_200_000, "AC")]
)
def test_a_checker_is_given_results_as_large_as_the_test_explains(
    given: list[Any], size: int, verdict: str
) -> None:
    with Sandbox(make_plan()) as sandbox:
        checker = SourceChecker(WorkerContext(sandbox), python("return True"), None)
        with closing(checker):
            answer = expect_checked_value(checker, CheckerBudget(), given, None)
            result = answer.compare(make_outcome(json.dumps([1] * size).encode()))
    assert result.verdict == verdict, result


@needs_compiler
@pytest.mark.parametrize(
    ("protocol", "source", "printed", "verdict", "detail"),
    [
        ("testlib", SUM_OF_TWO, "4, n - 4", "AC", ""),
        ("testlib", SUM_OF_TWO, "4, n", "WA", "not the sum"),
        ("testlib", SUM_OF_TWO, "4", "WA", ""),
        ("kattis", VALIDATOR, "4, n - 4", "AC", ""),
        ("kattis", VALIDATOR, "4, n", "WA", "read 4 and 10"),
        ("kattis", VALIDATOR, "'x'", "WA", "no numbers"),
    ],
)
def test_a_compiled_checker_decides_and_says_why(
    judge: Judge, protocol: str, source: str, printed: str, verdict: str, detail: str
) -> None:
    checker = {"source": source, "language": "cpp", "protocol": protocol}
    judgement = judge_code(judge, f"n = int(input())\nprint({printed})", checker)
    assert judgement.verdict == verdict, judgement.error
    assert detail in (judgement.tests[0].detail or "")
    assert detail == "" or detail not in judgement.feedback(hide_expected=True)


def test_what_a_checker_writes_for_the_judges_is_bounded_and_never_needed(judge: Judge) -> None:
    start = "import os, sys\nos.chdir(sys.argv[3])\nprint('why', file=sys.stderr)\n"
    writes = {
        "open('judgemessage.txt', 'wb').write(b'\\xff a\\n b' + b'x' * 10**6)": "\ufffd a bxx",
        "open('judgemessage.txt', 'w')": "why",
        "os.mkdir('judgemessage.txt')": "why",
        "": "why",
    }
    for line, detail in writes.items():
        source = f"{start}{line}\nsys.exit(43)"
        checker = {"source": source, "language": "python", "protocol": "kattis"}
        test = judge_code(judge, "print(1)", checker).tests[0]
        assert test.verdict == "WA"
        assert (test.detail or "")[: len(detail)] == detail, (line, test.detail)
        assert len(test.detail or "") <= 300


@needs_compiler
@pytest.mark.parametrize("protocol", ["testlib", "kattis"])
def test_no_exit_status_that_an_output_asks_for_is_the_judges_failure(
    judge: Judge, protocol: str
) -> None:
    source = PROGRAMS["obedient_validator"]
    checker = {"source": source, "language": "cpp", "protocol": protocol}
    for status in (3, 4, 5, 8, 16, 42, 127, 255):
        judgement = judge_code(judge, f"print({status})", checker, tests=TESTS[:1])
        is_accepted = (protocol, status) == ("kattis", 42)
        flags = () if is_accepted else ("checker_failed",)
        assert (judgement.verdict, judgement.flags) == ("AC" if is_accepted else "WA", flags), (
            status
        )


@needs_compiler
def test_what_fail_says_is_the_detail(judge: Judge) -> None:
    checker = {"source": SUM_OF_TWO, "language": "cpp", "protocol": "testlib"}
    tests = [{"input": "10\n", "output": "2\n"}]
    judgement = judge_code(judge, PARTS.format(4, 4), checker, tests=tests)
    assert (judgement.verdict, judgement.flags) == ("WA", ("checker_failed",))
    assert "the answer file is not as it should be" in (judgement.tests[0].detail or "")


@needs_compiler
def test_a_compiled_checker_that_does_not_compile_is_the_judges_failure(judge: Judge) -> None:
    checker = {"source": "int main() { return 1 }", "language": "cpp", "protocol": "kattis"}
    judgement = judge_code(judge, PARTS.format(4, 4), checker)
    assert (judgement.verdict, "does not compile" in (judgement.error or "")) == ("JE", True)


@needs_compiler
def test_a_compiled_checker_that_crashes_refuses(judge: Judge) -> None:
    source = "int main() { __builtin_trap(); }"
    checker = {"source": source, "language": "cpp", "protocol": "kattis"}
    judgement = judge_code(judge, PARTS.format(4, 4), checker)
    assert (judgement.verdict, judgement.flags) == ("WA", ("checker_failed",))
    assert "exit status -4" in (judgement.tests[0].detail or "")


@needs_compiler
def test_a_compiled_checker_is_compiled_once_for_all_workers_and_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    checker = {"source": VALIDATOR, "language": "cpp", "protocol": "kattis"}
    for _ in range(2):
        with Judge(workers=1) as fresh:
            assert judge_code(fresh, PARTS.format(4, 4), checker).passed
    (binary,) = (tmp_path / "microcoder" / "binaries").iterdir()
    before = binary.stat().st_mtime_ns
    binary.write_bytes(b"damaged\n" + binary.read_bytes()[8:])
    with Judge(workers=1) as fresh:
        assert judge_code(fresh, PARTS.format(4, 4), checker).passed
    assert binary.stat().st_mtime_ns > before
