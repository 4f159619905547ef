"""What the audit finds, told by name, with exit codes and files as the command line promises."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval.audit.findings import FINDINGS
from tests.commands import run
from tests.files import ROOT, read_jsonl, write_jsonl
from tests.judges import require_toolchain

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
    write_jsonl(tmp_path / "t.jsonl", {"problem_id": "p", **problem})
    rows = [{"problem_id": "p", "solution_id": f"s{n}", **row} for n, row in enumerate(programs)]
    write_jsonl(tmp_path / "s.jsonl", *(rows or [""]))
    words = ["t.jsonl", *(["s.jsonl"] if rows else []), "-o", "f.jsonl", "--workers", "1", *options]
    result = run("audit", *words, cwd=tmp_path)
    findings = read_jsonl(tmp_path / "f.jsonl") if result.returncode in (0, 1, 3) else []
    return result, {row["finding"]: row for row in findings}


@pytest.mark.slow
def test_a_fair_problem_has_no_finding(tmp_path: Path) -> None:
    result, findings = audit(
        tmp_path, {"tests": TESTS}, {"code": TWICE}, {"code": SAME, "expected_verdict": "WA"}
    )
    assert (result.returncode, findings) == (0, {}), result.stdout + result.stderr
    assert "problems audited: 1, with findings: 0" in result.stdout


def test_a_program_that_passes_a_honeypot(tmp_path: Path) -> None:
    problem = {"tests": TESTS, "honeypot": True}
    _done, findings = audit(tmp_path, problem, {"code": TWICE, "accept": True}, {"code": SAME})
    assert "s0: known as unable to pass a honeypot" in findings["wrong_accepted"]["detail"]
    assert "reference_fails" not in findings


@pytest.mark.slow
def test_a_problem_that_cannot_be_judged_exits_with_3(tmp_path: Path) -> None:
    checker = {"source": "raise ValueError('broken')"}
    result, findings = audit(tmp_path, {"tests": TESTS, "checker": checker}, {"code": TWICE})
    assert result.returncode == 3
    assert "broken" in findings["unjudgeable"]["detail"]


@pytest.mark.slow
def test_test_code_in_another_language_is_audited_by_its_programs(tmp_path: Path) -> None:
    require_toolchain("cpp")
    problem = {
        "kind": "assert",
        "test_language": "cpp",
        "test_code": "int main() { assert(half(8) == 4); }",
    }
    right = {"language": "cpp", "code": "int half(int n) { return n / 2; }"}
    result, findings = audit(tmp_path, problem, right)
    assert (result.returncode, findings) == (0, {}), result.stdout + result.stderr
    assert "programs were run, and expected values were not read" in result.stderr
    wrong = {"language": "cpp", "code": "int half(int n) { return n; }"}
    passes = {**right, "verdict": "WA"}
    result, findings = audit(tmp_path, problem, right, wrong, passes)
    assert (result.returncode, set(findings)) == (
        1,
        {"reference_fails", "references_disagree", "wrong_accepted"},
    )


def test_the_page_names_all_findings_with_their_meanings_and_what_to_do() -> None:
    page = (ROOT / "docs" / "audit.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$", page, re.M)
    assert rows == [(name, meaning.text, meaning.advice) for name, meaning in FINDINGS.items()]
