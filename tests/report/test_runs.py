"""The verb ``report`` with several results: one page that compares the runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from microcoder_eval.cli import main
from tests.commands import jsonl
from tests.report.parsing import parsed

Command = Callable[..., tuple[int, str]]


@pytest.fixture
def command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    """command(*words): exit code and standard error, in a folder with two runs."""
    monkeypatch.chdir(tmp_path)
    names, tests = ("p0", "p1"), [{"input": "", "output": "1"}]
    problems = [{"problem_id": name, "difficulty": "easy", "tests": tests} for name in names]
    jsonl(tmp_path / "tests.jsonl", *problems)
    for run, verdicts in (("a", ("WA", "WA")), ("b", ("AC", "WA"))):
        lines = [
            {"problem_id": name, "solution_id": "s", "verdict": verdict}
            for name, verdict in zip(names, verdicts, strict=True)
        ]
        jsonl(tmp_path / f"{run}.jsonl", *lines)

    def call(*words: str) -> tuple[int, str]:
        code = main(list(words))
        return code, capsys.readouterr().err

    return call


def words(path: str) -> str:
    return "\n".join(parsed(Path(path).read_text(encoding="utf-8")).texts)


def test_several_results_make_the_page_that_compares_them(command: Command) -> None:
    code, _ = command("report", "a.jsonl", "b.jsonl", "-o", "runs.html", "--title", "A and B")
    assert code == 0
    page = words("runs.html")
    assert "A and B" in page
    assert "95 %" in page
    assert "a.jsonl\n0.0" in page
    assert "b.jsonl\n50.0" in page
    assert "Problems where the runs differ most" in page


def test_with_the_tests_it_compares_by_difficulty(command: Command) -> None:
    files = ("a.jsonl", "b.jsonl", "--tests", "tests.jsonl")
    assert command("report", *files, "-o", "runs.html")[0] == 0
    assert "95 %\neasy\n" in words("runs.html")


@pytest.mark.parametrize("option", [("--solutions", "s.jsonl"), ("--format", "microcoder")])
def test_what_only_the_page_of_one_run_takes_is_refused(
    option: tuple[str, str], command: Command
) -> None:
    code, error = command("report", "a.jsonl", "b.jsonl", "-o", "runs.html", *option)
    assert code == 2
    assert f"{option[0]} is for the page of one run" in error
    assert not Path("runs.html").exists()


def test_one_result_makes_the_page_of_one_run_with_its_title(command: Command) -> None:
    assert command("report", "a.jsonl", "-o", "one.html", "--title", "Run A")[0] == 0
    assert "Run A" in words("one.html")
    assert "Verdicts" in words("one.html")
