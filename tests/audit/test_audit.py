"""What the audit finds, told by name, with exit codes and files as the command line promises."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval.audit.findings import FINDINGS
from tests.commands import ROOT, jsonl, require_toolchain, results, run

TWICE = "print(2 * int(input()))"
SAME = "print(int(input()))"
TESTS = [{"input": "1\n", "output": "2\n"}, {"input": "4\n", "output": "8\n"}]


def audit(
    tmp_path: Path,
    problem: dict[str, Any],
    *programs: dict[str, Any],
    options: tuple[str, ...] = (),
) -> tuple[subprocess.CompletedProcess[str], dict[str, dict[str, Any]]]:
    """Run the verb on one problem; (the process, findings by name)."""
    jsonl(tmp_path / "t.jsonl", {"problem_id": "p", **problem})
    rows = [{"problem_id": "p", "solution_id": f"s{n}", **row} for n, row in enumerate(programs)]
    jsonl(tmp_path / "s.jsonl", *(rows or [""]))
    words = ["t.jsonl", *(["s.jsonl"] if rows else []), "-o", "f.jsonl", "--workers", "1", *options]
    done = run("audit", *words, cwd=tmp_path)
    findings = results(tmp_path / "f.jsonl") if done.returncode in (0, 1, 3) else []
    return done, {row["finding"]: row for row in findings}


@pytest.mark.slow
def test_a_fair_problem_has_no_finding(tmp_path: Path) -> None:
    done, found = audit(
        tmp_path, {"tests": TESTS}, {"code": TWICE}, {"code": SAME, "expected_verdict": "WA"}
    )
    assert (done.returncode, found) == (0, {}), done.stdout + done.stderr
    assert "problems audited: 1, with findings: 0" in done.stdout


def test_a_program_that_passes_a_honeypot(tmp_path: Path) -> None:
    problem = {"tests": TESTS, "honeypot": True}
    _done, findings = audit(tmp_path, problem, {"code": TWICE, "accept": True}, {"code": SAME})
    assert "s0: known as unable to pass a honeypot" in findings["wrong_accepted"]["detail"]
    assert "reference_fails" not in findings


@pytest.mark.slow
def test_a_program_that_is_right_now_and_then_is_flaky(tmp_path: Path) -> None:
    code = "import random\nn = int(input())\nprint(2 * n if random.random() < 0.5 else 0)"
    tests = [{"input": f"{n}\n", "output": f"{2 * n}\n"} for n in range(1, 3)]
    found: dict[str, Any] = {}
    for _ in range(6):  # one of six times nine runs differs, but for one in 10^12
        _done, found = audit(tmp_path, {"tests": tests}, {"code": code}, options=("--repeat", "9"))
        if "flaky" in found:
            break
    assert "runs gave" in found["flaky"]["detail"]


@pytest.mark.slow
def test_a_problem_that_cannot_be_judged_exits_with_3(tmp_path: Path) -> None:
    checker = {"source": "raise ValueError('broken')"}
    done, found = audit(tmp_path, {"tests": TESTS, "checker": checker}, {"code": TWICE})
    assert done.returncode == 3
    assert "broken" in found["unjudgeable"]["detail"]


@pytest.mark.slow
def test_test_code_in_another_language_is_audited_by_its_programs(tmp_path: Path) -> None:
    require_toolchain("cpp")
    problem = {
        "kind": "assert",
        "test_language": "cpp",
        "test_code": "int main() { assert(half(8) == 4); }",
    }
    right = {"language": "cpp", "code": "int half(int n) { return n / 2; }"}
    done, found = audit(tmp_path, problem, right)
    assert (done.returncode, found) == (0, {}), done.stdout + done.stderr
    assert "programs were run, and expected values were not read" in done.stderr
    wrong = {"language": "cpp", "code": "int half(int n) { return n; }"}
    passes = {**right, "verdict": "WA"}
    done, found = audit(tmp_path, problem, right, wrong, passes)
    assert (done.returncode, set(found)) == (
        1,
        {"reference_fails", "references_disagree", "wrong_accepted"},
    )


NEEDS_PAIR = {"source": "def check(i, o, e):\n    a, b = o.split()\n    return a + b == i"}


@pytest.mark.slow
def test_a_checker_that_fails_over_the_stored_output_needs_no_program(tmp_path: Path) -> None:
    tests = [{"input": "12", "output": "1 2"}, {"input": "34", "output": "bound"}]
    done, found = audit(tmp_path, {"tests": tests, "checker": NEEDS_PAIR})
    assert done.returncode == 1
    assert found["checker_fails"]["severity"] == "error"
    assert "the stored output of test 2" in found["checker_fails"]["detail"]


@pytest.mark.slow
def test_a_checker_that_accepts_anything(tmp_path: Path) -> None:
    checker = {"source": "def check(i, o, e):\n    return True"}
    done, found = audit(tmp_path, {"tests": TESTS[:1], "checker": checker})
    assert done.returncode == 1
    assert found["careless_checker"]["severity"] == "error"


@pytest.mark.slow
def test_a_stored_output_in_another_form_is_noted_where_right_programs_pass(tmp_path: Path) -> None:
    problem = {"tests": [{"input": "12", "output": "bound"}], "checker": NEEDS_PAIR}
    _done, found = audit(tmp_path, problem, {"code": "print(*input())"})
    assert found["checker_fails"]["severity"] == "note"


@pytest.mark.slow
def test_a_checker_that_fails_over_a_right_program(tmp_path: Path) -> None:
    source = "import sys\nsys.exit('a better answer than the jury' if input() > '1' else 42)"
    checker = {"source": source, "protocol": "kattis"}
    problem = {"tests": [{"input": "", "output": "1"}], "checker": checker}
    _done, found = audit(tmp_path, problem, {"code": "print(2)"})
    assert found["checker_fails"]["severity"] == "error"
    assert "better answer" in found["checker_fails"]["detail"]


@pytest.mark.slow
def test_a_checker_of_calls_is_given_the_stored_values(tmp_path: Path) -> None:
    problem = {"kind": "call", "entry_point": "f", "tests": [{"input": [1], "output": None}]}
    checker = {"source": "def check(i, o, e): return o[0] == 1"}
    _done, found = audit(tmp_path, {**problem, "checker": checker})
    assert "checker_fails" in found


@pytest.mark.slow
def test_a_right_program_near_its_limit(tmp_path: Path) -> None:
    code = "import time\nwhile time.process_time() < 0.5: pass\nprint(2 * int(input()))"
    _done, found = audit(
        tmp_path, {"tests": TESTS[:1], "limits": {"time_s": 0.55}}, {"code": code},
        options=("--repeat", "1"),
    )  # fmt: skip
    assert {"near_limit", "reference_fails"} & found.keys()


def test_the_page_names_all_findings_with_their_meanings_and_what_to_do() -> None:
    page = (ROOT / "docs" / "audit.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$", page, re.M)
    assert rows == [(name, meaning.text, meaning.advice) for name, meaning in FINDINGS.items()]
