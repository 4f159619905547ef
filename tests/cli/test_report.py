"""``--report`` and ``report`` as their users meet them: real runs, real files, real failures."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval.records import Solution, Verdict
from tests.cli.test_command import RIGHT, SQUARE, WRONG
from tests.commands import command, execute, run, start
from tests.files import SAMPLES, read_jsonl, write_jsonl
from tests.processes import wait_until
from tests.report.making import make_judgement
from tests.report.parsing import Parsed, parse_page

CALL = {
    "problem_id": "call",
    "entry_point": "f",
    "difficulty": "easy",
    "tests": [{"input": [[1, 2]], "output": {"a": [1, 2]}}],
}
CALLED = {"problem_id": "call", "code": "def f(x):\n    return {'a': x + [heapq.nsmallest(1, x)]}"}
RUNTIME = "import sys\nprint(1)\nprint('what happened', file=sys.stderr)\n1 / 0"

pytestmark = pytest.mark.slow


def page(path: Path) -> Parsed:
    return parse_page(path.read_text(encoding="utf-8"))


def make_result(problem: str, name: str, verdict: Verdict) -> dict[str, Any]:
    return make_judgement(Solution(problem, name), verdict=verdict).to_dict()


def failures(parsed_page: Parsed) -> dict[str, Any]:
    """Details of what failed by the name of the solution."""
    details = parsed_page.details()
    return {
        row[2]: details[row[12]]["fail"] for row in parsed_page.data("table")["rows"] if row[11]
    }


@pytest.fixture
def tests_file(tmp_path: Path) -> Path:
    return write_jsonl(tmp_path / "tests.jsonl", SQUARE, CALL)


@pytest.fixture
def solutions(tmp_path: Path) -> Path:
    codes = {"right": RIGHT, "wrong": WRONG, "dies": RUNTIME}
    lines = [{"problem_id": "sq", "solution_id": n, "code": code} for n, code in codes.items()]
    return write_jsonl(tmp_path / "solutions.jsonl", *lines, CALLED)


def test_a_run_shows_what_programs_printed_and_returned(
    tmp_path: Path, tests_file: Path, solutions: Path
) -> None:
    out, html = tmp_path / "results.jsonl", tmp_path / "report.html"
    result = run(solutions, "--tests", tests_file, "-o", out, "--report", html, "--json")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["paths"] == {"results": str(out), "report": str(html)}
    report = page(html)
    assert [row[3] for row in report.data("table")["rows"]] == ["AC", "WA", "RE", "WA"]
    failed = failures(report)
    wrong = failed["wrong"]
    assert (wrong["input"]["text"], wrong["expected"]["text"]) == ("2\n", "4\n")
    assert (wrong["got"]["text"], wrong["got"]["mark"]) == ("5\n", [0, 1])
    assert wrong["note"] == ""
    assert "what happened" in failed["dies"]["stderr"]["text"]
    assert failed["dies"]["got"]["text"] == "1\n"
    called = failed["call#1"]
    assert called["input"]["text"] == "f([1, 2])"
    assert called["expected"]["text"] == "{'a': [1, 2]}"
    assert called["got"]["text"] == "{'a': [1, 2, [1]]}"


def test_the_terminal_shows_the_run_that_the_page_shows(tmp_path: Path) -> None:
    clock = {"problem_id": "sq", "code": "import time\nprint(time.time_ns())"}
    files = (
        write_jsonl(tmp_path / "s.jsonl", clock),
        "--tests",
        write_jsonl(tmp_path / "t.jsonl", SQUARE),
    )
    result = run(*files, "--report", tmp_path / "r.html")
    assert failures(page(tmp_path / "r.html"))["sq#1"]["got"]["text"].strip() in result.stdout


def test_a_program_that_passes_when_run_again_is_said_to_differ(tmp_path: Path) -> None:
    # No program can know which run it is; one whose answer depends on the clock nearly does.
    lucky = "import time\nprint(4 if time.perf_counter_ns() // 1000 % 2 else 5)"
    solutions = write_jsonl(
        tmp_path / "s.jsonl",
        *({"problem_id": "sq", "solution_id": f"s{n}", "code": f"{lucky}#{n}"} for n in range(40)),
    )
    tests = write_jsonl(tmp_path / "tests.jsonl", SQUARE)
    html = tmp_path / "r.html"
    result = run(solutions, "--tests", tests, "--report", html)
    assert result.returncode == 0, result.stderr
    failed = failures(page(html))
    assert failed
    for failure in failed.values():
        same = failure["got"]["text"] == "5\n"
        assert ("does not do the same" in failure["note"]) is not same


def test_results_judged_before_make_a_page_without_running_anything(
    tmp_path: Path, tests_file: Path, solutions: Path
) -> None:
    out, html = tmp_path / "results.jsonl", tmp_path / "report.html"
    run(solutions, "--tests", tests_file, "-o", out)
    files = ("--tests", tests_file, "--solutions", solutions)
    result = run("report", out, *files, "-o", html, "--k", "1,2", "--json")
    assert result.returncode == 0, result.stderr
    facts = json.loads(result.stdout)
    assert (facts["solutions"], facts["paths"]) == (4, {"report": str(html)})
    failed = failures(page(html))
    assert failed["wrong"]["expected"]["text"] == "4\n"
    assert "not kept" in failed["wrong"]["note"]
    assert "pass@2" in page(html).texts


def test_a_page_can_be_made_of_results_alone_and_of_a_journal(tmp_path: Path) -> None:
    lines = [make_result("p", f"s{n}", Verdict.WA) for n in range(3)]
    html = tmp_path / "r.html"
    for name in ("results.jsonl", "results.part"):
        result = run("report", write_jsonl(tmp_path / name, *lines), "-o", html)
        assert (result.returncode, result.stdout) == (0, f"{html}: 3 solutions, 0 bad lines\n")
    packed = tmp_path / "results.jsonl.gz"
    packed.write_bytes(gzip.compress((tmp_path / "results.jsonl").read_bytes()))
    assert run("report", packed, "-o", html).returncode == 0
    assert len(page(html).data("table")["rows"]) == 3


def test_rows_stand_in_the_order_of_the_solutions(
    tmp_path: Path, tests_file: Path, solutions: Path
) -> None:
    lines = [make_result("sq", name, Verdict.WA) for name in ("dies", "right")]
    journal = write_jsonl(tmp_path / "results.part", *lines)
    html = tmp_path / "r.html"
    result = run("report", journal, "--solutions", solutions, "--tests", tests_file, "-o", html)
    assert result.returncode == 0, result.stderr
    assert [row[2] for row in page(html).data("table")["rows"]] == ["right", "dies"]


def test_bad_lines_are_told_and_the_good_ones_shown(tmp_path: Path) -> None:
    good = make_result("p", "s", Verdict.AC)
    broken = write_jsonl(tmp_path / "r.jsonl", good, "{torn", {"problem_id": "p"})
    result = run("report", broken, "-o", tmp_path / "r.html")
    assert result.returncode == 2
    assert "r.jsonl:2: not JSON" in result.stderr
    assert "r.jsonl:3:" in result.stderr
    assert len(page(tmp_path / "r.html").data("table")["rows"]) == 1


def test_a_file_without_any_result_makes_no_page(tmp_path: Path) -> None:
    result = run("report", write_jsonl(tmp_path / "r.jsonl", "{torn"), "-o", tmp_path / "r.html")
    assert result.returncode == 2
    assert "no result in" in result.stderr
    assert not (tmp_path / "r.html").exists()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no/such/folder.html", "no folder"),
        (".", "is a folder"),
        ("tests.jsonl", "is an input of this run"),
        ("results.jsonl", "choose another name"),
        ("notes.txt", "is not a report: it is kept"),
    ],
)
def test_a_page_never_takes_the_place_of_something_else(
    tmp_path: Path, tests_file: Path, solutions: Path, name: str, message: str
) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    judging = (solutions, "--tests", tests_file, "-o", tmp_path / "results.jsonl")
    result = run(*judging, "--report", tmp_path / name)
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert notes.read_text() == "mine"
    assert not (tmp_path / "results.jsonl").exists()  # told before anything was judged


def test_an_earlier_page_is_replaced_and_another_file_by_force(tmp_path: Path) -> None:
    lines = write_jsonl(tmp_path / "r.jsonl", make_result("p", "s", Verdict.AC))
    html = tmp_path / "r.html"
    assert run("report", lines, "-o", html).returncode == 0
    assert run("report", lines, "-o", html).returncode == 0
    html.write_text("mine")
    assert run("report", lines, "-o", html).returncode == 2
    assert run("report", lines, "-o", html, "--force").returncode == 0
    assert len(page(html).data("table")["rows"]) == 1


def run_with_file_limit(words: list[str], size: int) -> subprocess.CompletedProcess[str]:
    """Run with a limit on the size of files: what anybody can have instead of a full disk."""
    code = (
        "import os, resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, resource.RLIM_INFINITY))\n"
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    whole = [sys.executable, "-c", code, *words]
    return execute(whole)


def test_a_full_disk_costs_the_page_and_no_result(
    tmp_path: Path, tests_file: Path, solutions: Path
) -> None:
    out, html = tmp_path / "results.jsonl", tmp_path / "report.html"
    html.write_text("<!doctype html><!-- microcoder-eval report -->\nearlier")
    judging = (solutions, "--tests", tests_file, "-o", out, "--report", html)
    result = run_with_file_limit(command(*judging), 8000)
    assert result.returncode == 2
    assert "no result is lost" in result.stderr
    assert "Traceback" not in result.stderr
    assert "pass@1" in result.stdout
    assert len(read_jsonl(out)) == 4
    assert html.read_text().endswith("earlier")
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"tests.jsonl", "solutions.jsonl", "results.jsonl", "report.html"}
    words = result.stderr[result.stderr.index("microcoder-eval report") :].split()
    assert run(*words[1:]).returncode == 0  # the command it names
    assert len(page(html).data("table")["rows"]) == 4


def test_an_interrupted_run_says_that_it_has_no_page_and_resuming_makes_it(
    tmp_path: Path, tests_file: Path
) -> None:
    lines = [{"problem_id": "sq", "code": f"{WRONG}#{n}"} for n in range(3)]
    slow = {"problem_id": "sq", "code": "while True: pass"}
    solutions = write_jsonl(tmp_path / "s.jsonl", *lines, slow, slow)
    out, html = tmp_path / "out.jsonl", tmp_path / "r.html"
    options = ("--tests", tests_file, "-o", out, "--report", html, "--time-limit", "0.5")
    child = start(solutions, *options)
    part = tmp_path / "out.part"
    assert wait_until(lambda: part.exists() and part.stat().st_size > 0)
    child.send_signal(signal.SIGINT)
    _, output = child.communicate(timeout=60)
    assert child.returncode == 130
    assert "gets no report" in output
    assert not html.exists()
    result = run(solutions, *options, "--resume")
    assert result.returncode == 0, result.stderr
    assert len(page(html).data("table")["rows"]) == 5
    assert failures(page(html))["sq#1"]["got"]["text"] == "5\n"


def test_the_samples_get_their_labels_and_make_a_page_that_shows_every_verdict(
    tmp_path: Path,
) -> None:
    samples = read_jsonl(SAMPLES / "solutions.jsonl")
    endless = [line for line in samples if line["expected_verdict"] == "TLE"]
    chosen = [line for line in samples if line not in endless[1:]]  # each takes six seconds
    out, html = tmp_path / "results.jsonl", tmp_path / "r.html"
    solutions = write_jsonl(tmp_path / "solutions.jsonl", *chosen)
    result = run(solutions, "--tests", SAMPLES / "tests.jsonl", "-o", out, "--report", html)
    assert result.returncode == 0, result.stderr
    assert "pass@1" in result.stdout
    lines = read_jsonl(out)
    assert [x["verdict"] for x in lines] == [x["meta"]["expected_verdict"] for x in lines]
    assert [x["problem_id"] for x in lines] == [x["problem_id"] for x in chosen]
    assert not out.with_name("results.part").exists()
    rows = page(html).data("table")["rows"]
    assert {row[3] for row in rows} == {"AC", "WA", "TLE", "MLE", "OLE", "RE", "CE"}
    assert all(row[12] >= 0 for row in rows)
    assert os.path.getsize(html) < 1 << 20
