"""The command line: stages in a row, figures, exit codes, messages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.cli import main
from microcoder_data.reasons import REASONS
from microcoder_data.recipe import Process
from microcoder_eval.audit.findings import FINDINGS, Finding
from tests.data.clean import problems
from tests.data.lines import read, write

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_a_recipe_runs_its_stages_in_a_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = problems(4)
    write(tmp_path / "raw.jsonl", [*rows, rows[0]])
    write(tmp_path / "eval.jsonl", [rows[1]])
    recipe = tmp_path / "r.toml"
    recipe.write_text(
        'seed = 3\n[run]\ninputs = ["raw.jsonl"]\noutput = "corpus.jsonl.gz"\n'
        '[verify]\nmutants = 2\n[decontaminate]\nagainst = ["eval.jsonl"]\n'
        "span_share = 1.0\nstatement = 1.0\nparaphrase = 1.0\n"
    )
    assert main(["run", str(recipe), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["stage"] for one in told] == [
        "collect",
        "process",
        "filter",
        "decontaminate",
        "verify",
    ]
    assert told[0]["reasons"] == {"duplicate_id": 1}
    assert "contaminated_statement" in told[3]["reasons"]
    assert (tmp_path / "corpus.1-collect.jsonl").exists()
    before = (tmp_path / "corpus.jsonl.gz").read_bytes()
    assert main(["run", str(recipe), "--resume"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("\nflags of the problems kept\n") == 1
    assert "score_calibration" in printed
    assert "{" not in printed
    assert main(["run", str(recipe), "--json", "--force"]) == 0
    assert (tmp_path / "corpus.jsonl.gz").read_bytes() == before


@pytest.mark.slow
def test_figures_are_told_and_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(tmp_path / "in.jsonl", [*problems(40), {"problem_id": "bare"}])
    out, page = tmp_path / "out.jsonl", tmp_path / "page.html"
    main(["process", str(source), "-o", str(out)])
    capsys.readouterr()
    assert main(["stats", str(out), "--html", str(page), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["problems"] == told["trainable"] == 40
    assert told["drops by reason"] == {"not_trainable": 1}
    assert told["year"] == {"2025": 40}
    assert told["tests per problem"] == {"13-20": 40}
    html = page.read_text()
    assert html.count("<svg") == len([key for key in told if isinstance(told[key], dict)])
    assert "http" not in re.sub(r"https?://example\.org\S*|http-equiv", "", html)
    assert main(["stats", str(out)]) == 0
    assert "40 problems" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["process", "missing.jsonl", "-o", "out.jsonl"], "no such file"),
        (["process", "in.jsonl"], "-o"),
        (["polish", "in.jsonl", "-o", "out.jsonl"], "polish"),
        (["process", "in.jsonl", "-o", "in.jsonl"], "is an input"),
        (["process", "in.jsonl", "-o", "no/such/folder/out.jsonl"], "no folder"),
        (["decontaminate", "in.jsonl", "-o", "out.jsonl"], "--against"),
        (["verify", "in.jsonl", "-o", "out.jsonl", "--labels", "l.jsonl"], "--solutions"),
        (["run", "broken.toml"], "not TOML"),
        (["run", "empty.toml"], "no output"),
        (["run", "empty.toml", "in.jsonl", "-o", "in.jsonl", "--force"], "is an input"),
        (["filter", "in.jsonl", "-o", "out.jsonl", "--pass-rates", "in.jsonl"], "pass_rate"),
        (["stats", "missing.jsonl"], "no such file"),
        (["stats", "solutions.jsonl"], "solutions.jsonl:1: it is a solution, not a problem"),
    ],
)
def test_words_that_make_no_sense_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    words: list[str], said: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "in.jsonl", problems(2))
    write(tmp_path / "solutions.jsonl", [{"problem_id": "a", "code": "print(1)"}])
    (tmp_path / "broken.toml").write_text("= 1")
    (tmp_path / "empty.toml").write_text("")
    assert main(words) == 2
    assert said in capsys.readouterr().err


def test_unreadable_lines_are_exit_2_and_the_rest_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path / "in.jsonl", [*problems(2), b"{torn"])
    assert main(["process", str(source), "-o", str(tmp_path / "out.jsonl")]) == 2
    assert len(read(tmp_path / "out.jsonl")) == 2
    out = capsys.readouterr().out
    assert "unreadable" in out
    assert "in.jsonl:3: not JSON" in out


def test_an_empty_input_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(tmp_path / "in.jsonl", [])
    assert main(["collect", str(source), "-o", str(tmp_path / "out.jsonl")]) == 1
    assert "holds no problem" in capsys.readouterr().err


def test_every_name_that_stages_use_has_a_meaning() -> None:
    used: set[str] = set()
    for path in (ROOT / "microcoder_data").rglob("*.py"):
        used |= set(re.findall(r"\b(?:Finding|Drop)\(\s*\"(\w+)\"", path.read_text()))
    assert used
    assert used - set(REASONS) == {"submission_disagrees"}  # of check, which drops nothing


def test_every_name_that_the_audit_uses_has_a_meaning() -> None:
    folder = ROOT / "microcoder_eval" / "audit"
    texts = [path.read_text() for path in folder.glob("*.py")]
    used = {name for text in texts for name in re.findall(r"\bFinding\(\s*\"(\w+)\"", text)}
    assert used
    assert used - set(FINDINGS) == set()


def test_the_gravest_finding_is_the_reason_and_others_are_named() -> None:
    some = [Finding("few_tests", "x"), Finding("damaged_test", "y"), Finding("no_tests", "z")]
    drop: Any = Process().choose_drop(some)
    assert (drop.reason, drop.evidence["also"]) == ("no_tests", ["damaged_test", "few_tests"])
    assert Process(keep=("no_tests", "damaged_test")).choose_drop(some) is None


@pytest.mark.slow
def test_what_comes_out_is_what_judge_and_trainer_read(tmp_path: Path) -> None:
    from microcoder_eval.formats import open_problems

    source = write(tmp_path / "in.jsonl", problems(6))
    out = tmp_path / "out.jsonl"
    (tmp_path / "r.toml").write_text(
        f'[run]\ninputs = ["{source}"]\noutput = "{out}"\n[verify]\nmutants = 2\n'
    )
    assert main(["run", str(tmp_path / "r.toml")]) == 0
    with open_problems(out) as read_back:
        assert read_back.bad == []
        first = read_back.get_at(0)
    assert first.statement
    assert first.difficulty in ("easy", "medium", "hard")
    assert first.meta["verified"]["references"] == 2
    assert first.meta["trainable"] is True


def test_an_evaluation_that_holds_no_problem_stops_decontaminate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path / "in.jsonl", problems(2))
    against = write(tmp_path / "eval.jsonl", [b"not JSON"])
    words = ["decontaminate", str(source), "-o", str(tmp_path / "o.jsonl"), "--against"]
    assert main([*words, str(against)]) == 2
    assert "eval.jsonl:1: not JSON" in capsys.readouterr().err
    assert not (tmp_path / "o.part").exists()


@pytest.mark.slow
def test_lines_of_an_evaluation_that_were_not_compared_with_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path / "in.jsonl", problems(2, seed=1))
    against = write(tmp_path / "eval.jsonl", [b"not JSON", {**problems(9, seed=2)[8]}])
    out = str(tmp_path / "o.jsonl")
    words = ["decontaminate", str(source), "-o", out, "--against", str(against), "--json"]
    assert main(words) == 2
    facts = json.loads(capsys.readouterr().out)[0]["facts"]
    assert facts["evaluation_problems"] == 1
    assert facts["evaluation_unreadable"][0].startswith("eval.jsonl:1: not JSON")


@pytest.mark.parametrize(
    "words",
    [
        ["filter", "in.jsonl", "-o", "o.jsonl", "--pass-rates", "bad.jsonl"],
        ["verify", "in.jsonl", "-o", "o.jsonl", "--solutions", "in.jsonl", "--labels", "bad.jsonl"],
        ["stats", "bad.jsonl"],
    ],
)
def test_a_bad_line_of_a_file_beside_is_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "in.jsonl", problems(1))
    write(tmp_path / "bad.jsonl", [b"not JSON"])
    assert main(words) == 2
    assert "bad.jsonl:1: not JSON" in capsys.readouterr().err
    assert not (tmp_path / "o.part").exists()


def test_what_became_of_a_problem_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From each stage, for a problem that was kept and for one that was dropped."""
    kept, dropped = [row for row in problems(9) if row["kind"] == "stdin"][:2]
    kept["statement"] = "<p>" + kept["statement"].replace("\n", "<br>") + "</p>"
    dropped["statement"] = f"<p>{dropped['statement']}</p> Read the input from the file data.in."
    write(tmp_path / "in.jsonl", [kept, dropped])
    recipe = tmp_path / "r.toml"
    recipe.write_text(
        '[run]\ninputs = ["in.jsonl"]\noutput = "out.jsonl"\n'
        'stages = ["collect", "process", "filter"]\n[process]\ndrop = ["file_io"]\n'
    )
    assert main(["run", str(recipe)]) == 0
    out = str(tmp_path / "out.jsonl")
    capsys.readouterr()
    assert main(["show", out, kept["problem_id"], "--json"]) == 0
    steps = json.loads(capsys.readouterr().out)
    assert [step["stage"] for step in steps] == ["collect", "process", "filter"]
    assert steps[1]["before"]["statement"] == kept["statement"]
    assert "<p>" not in steps[1]["after"]["statement"]
    assert main(["show", out, dropped["problem_id"]]) == 0
    told = capsys.readouterr().out
    assert "process: dropped\n  file_io: it says" in told
    assert main(["show", out, "nobody"]) == 2
    page = tmp_path / "page.html"
    assert main(["stats", out, "--html", str(page)]) == 0
    section = page.read_text().partition("<h2>file_io</h2>")[2].partition("</section>")[0]
    assert "&lt;p&gt;" in section.partition("output")[0]
    assert "&lt;p&gt;" not in section.partition("output")[2]


def test_two_runs_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = problems(4)
    write(tmp_path / "one.jsonl", rows)
    rows[1] = {**rows[1], "title": "Another"}
    rows[2] = {**rows[2], "tests": []}
    write(tmp_path / "two.jsonl", rows)
    outs = [str(tmp_path / f"out-{name}.jsonl") for name in ("one", "two")]
    for name, out in zip(("one", "two"), outs, strict=True):
        assert main(["process", str(tmp_path / f"{name}.jsonl"), "-o", out]) == 0
    capsys.readouterr()
    assert main(["diff", *outs, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["equal"] == 2
    assert told["only"] == [{rows[2]["problem_id"]: "process: no_tests"}, {}]
    assert "title" in told["changed"][rows[1]["problem_id"]]
    assert main(["diff", *outs]) == 1
    assert "process: no_tests: 1" in capsys.readouterr().out
    assert main(["diff", outs[0], outs[0]]) == 0
