"""The verb ``report`` with several results: one page that compares the runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from microcoder_eval.records import Solution, Verdict
from tests.commands import run
from tests.files import write_jsonl
from tests.report.making import make_judgement
from tests.report.parsing import parse_page


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the results of two runs."""
    names, tests = ("p0", "p1"), [{"input": "", "output": "1"}]
    problems = [{"problem_id": name, "difficulty": "easy", "tests": tests} for name in names]
    write_jsonl(tmp_path / "tests.jsonl", *problems)
    for name, verdicts in (("a", ("WA", "WA")), ("b", ("AC", "WA"))):
        lines = [
            make_judgement(Solution(problem, "s"), verdict=Verdict(verdict)).to_dict()
            for problem, verdict in zip(names, verdicts, strict=True)
        ]
        write_jsonl(tmp_path / f"{name}.jsonl", *lines)
    return tmp_path


def report(folder: Path, *options: str) -> str:
    """The words of the page that is made of a.jsonl, by itself or with others."""
    result = run("report", "a.jsonl", *options, "-o", "page.html", cwd=folder)
    assert result.returncode == 0, result.stderr
    return "\n".join(parse_page((folder / "page.html").read_text(encoding="utf-8")).texts)


def test_several_results_make_the_page_that_compares_them(folder: Path) -> None:
    page = report(folder, "b.jsonl", "--title", "A and B")
    assert "A and B" in page
    assert "95 %" in page
    assert "\na\n0.0" in page
    assert "\nb\n50.0" in page
    assert "Problems where the runs differ most" in page


def test_with_the_tests_it_compares_by_difficulty(folder: Path) -> None:
    assert "95 %\neasy\n" in report(folder, "b.jsonl", "--tests", "tests.jsonl")


def test_problems_that_cannot_be_used_are_named(folder: Path) -> None:
    tests = folder / "broken.jsonl"
    tests.write_text((folder / "tests.jsonl").read_text() + "{broken\n")
    result = run("diff", "a.jsonl", "b.jsonl", "--by", "difficulty", "--tests", tests, cwd=folder)
    assert result.returncode == 2
    assert "broken.jsonl" in result.stderr
    assert "not JSON" in result.stderr
    assert "easy" in result.stdout


@pytest.mark.parametrize("option", [("--solutions", "s.jsonl"), ("--format", "microcoder")])
def test_what_only_the_page_of_one_run_takes_is_refused(
    option: tuple[str, str], folder: Path
) -> None:
    result = run("report", "a.jsonl", "b.jsonl", "-o", "runs.html", *option, cwd=folder)
    assert result.returncode == 2
    assert f"{option[0]} is for the page of one run" in result.stderr
    assert not (folder / "runs.html").exists()


def test_one_result_makes_the_page_of_one_run_with_its_title(folder: Path) -> None:
    page = report(folder, "--title", "Run A")
    assert "Run A" in page
    assert "Verdicts" in page
