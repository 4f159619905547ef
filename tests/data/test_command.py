"""The command line: stages in a row, figures, exit codes, messages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.reasons import REASONS
from microcoder_data.recipe import Process
from microcoder_eval.audit.findings import FINDINGS, Finding
from microcoder_eval.formats import open_problems
from tests.commands import Command
from tests.data.clean import problems
from tests.data.lines import read, write
from tests.files import ROOT


def show_json(command: Command, *words: str, code: int = 0) -> Any:
    """What a command prints with --json."""
    exit_code, out, err = command(*words, "--json")
    assert exit_code == code, err
    return json.loads(out)


@pytest.mark.slow
def test_a_recipe_runs_its_stages_in_a_row(command: Command) -> None:
    rows = problems(4)
    write(Path("raw.jsonl"), [*rows, rows[0]])
    write(Path("eval.jsonl"), [rows[1]])
    Path("r.toml").write_text(
        'seed = 3\n[run]\ninputs = ["raw.jsonl"]\noutput = "corpus.jsonl.gz"\n'
        '[verify]\nmutants = 2\n[decontaminate]\nagainst = ["eval.jsonl"]\n'
        "span_share = 1.0\nstatement = 1.0\nparaphrase = 1.0\n"
    )
    stages_run = show_json(command, "run", "r.toml")
    stages = ["collect", "process", "filter", "decontaminate", "verify"]
    assert [one["stage"] for one in stages_run] == stages
    assert stages_run[0]["reasons"] == {"duplicate_id": 1}
    assert "contaminated_statement" in stages_run[3]["reasons"]
    assert Path("corpus.1-collect.jsonl").exists()
    before = Path("corpus.jsonl.gz").read_bytes()
    code, output, _ = command("run", "r.toml", "--resume")
    assert code == 0
    assert output.count("\nflags of the problems kept\n") == 1
    assert "score_calibration" in output
    assert "{" not in output
    assert command("run", "r.toml", "--json", "--force")[0] == 0
    assert Path("corpus.jsonl.gz").read_bytes() == before


@pytest.mark.slow
def test_figures_are_told_and_drawn(command: Command) -> None:
    write(Path("in.jsonl"), [*problems(40), {"problem_id": "bare"}])
    command("process", "in.jsonl", "-o", "out.jsonl")
    figures = show_json(command, "stats", "out.jsonl", "--html", "page.html")
    assert figures["problems"] == figures["trainable"] == 40
    assert figures["drops by reason"] == {"not_trainable": 1}
    assert figures["year"] == {"2025": 40}
    assert figures["tests per problem"] == {"13-20": 40}
    html = Path("page.html").read_text()
    groups = [key for key in figures if isinstance(figures[key], dict)]
    assert [key for key in groups if f'<th scope="col">{key}</th>' not in html] == []
    assert html.count("<svg") >= len(groups)
    assert "http" not in re.sub(r"https?://example\.org\S*|http-equiv", "", html)
    assert "40 problems" in command("stats", "out.jsonl")[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["process", "missing.jsonl", "-o", "out.jsonl"], "no such file"),
        (["process", "in.jsonl"], "-o"),
        (["polish", "in.jsonl", "-o", "out.jsonl"], "polish"),
        (["process", "in.jsonl", "-o", "in.jsonl"], "is an input"),
        (["process", "in.jsonl", "-o", "no/such/folder/out.jsonl"], "no folder"),
        (["decontaminate", "in.jsonl", "-o", "out.jsonl"], "--against"),
        (["verify", "in.jsonl", "-o", "out.jsonl", "--labels", "l.jsonl"], "--solutions"),
        (["review", "in.jsonl", "-o", "out.jsonl"], "review.endpoint"),
        (["run", "broken.toml"], "broken.toml: cannot be read: Invalid statement"),
        (["run", "empty.toml"], "no output"),
        (["run", "empty.toml", "in.jsonl", "-o", "in.jsonl", "--force"], "is an input"),
        (["filter", "in.jsonl", "-o", "out.jsonl", "--pass-rates", "in.jsonl"], "pass_rate"),
        (["stats", "missing.jsonl"], "no such file"),
        (["stats", "solutions.jsonl"], "solutions.jsonl:1: it is a solution, not a problem"),
        (["stats", "bad.jsonl"], "bad.jsonl:1: not JSON"),
        (["filter", "in.jsonl", "-o", "o.jsonl", "--pass-rates", "bad.jsonl"], "bad.jsonl:1: not"),
        (["verify", "in.jsonl", "-o", "o.jsonl", "--solutions", "in.jsonl", "--labels",
          "bad.jsonl"], "bad.jsonl:1: not JSON"),
        (["decontaminate", "in.jsonl", "-o", "o.jsonl", "--against", "bad.jsonl"],
         "bad.jsonl:1: not JSON"),
    ],
)  # fmt: skip
def test_words_that_make_no_sense_are_told(
    command: Command, words: list[str], message: str
) -> None:
    write(Path("in.jsonl"), problems(2))
    write(Path("solutions.jsonl"), [{"problem_id": "a", "code": "print(1)"}])
    write(Path("bad.jsonl"), [b"not JSON"])
    Path("broken.toml").write_text("= 1")
    Path("empty.toml").write_text("")
    code, _, err = command(*words)
    assert code == 2
    assert message in err
    assert not list(Path().glob("*.part"))


def test_unreadable_lines_are_exit_2_and_the_rest_is_done(command: Command) -> None:
    write(Path("in.jsonl"), [*problems(2), b"{torn"])
    code, out, _ = command("process", "in.jsonl", "-o", "out.jsonl")
    assert code == 2
    assert len(read(Path("out.jsonl"))) == 2
    assert "unreadable" in out
    assert "in.jsonl:3: not JSON" in out


def test_an_empty_input_is_told(command: Command) -> None:
    write(Path("in.jsonl"), [])
    code, _, err = command("collect", "in.jsonl", "-o", "out.jsonl")
    assert code == 1
    assert "holds no problem" in err


@pytest.mark.parametrize(
    ("folder", "meanings"),
    [("microcoder_data", {*REASONS, "submission_disagrees"}),  # of check, which drops nothing
     ("microcoder_eval/audit", {*FINDINGS})],
)  # fmt: skip
def test_every_name_of_a_finding_has_a_meaning(folder: str, meanings: set[str]) -> None:
    texts = [path.read_text() for path in (ROOT / folder).rglob("*.py")]
    call = r"\b(?:Finding|Drop)\(\s*\"(\w+)\""
    used = {name for text in texts for name in re.findall(call, text)}
    assert used
    assert used <= meanings


def test_the_gravest_finding_is_the_reason_and_others_are_named() -> None:
    some = [Finding("few_tests", "x"), Finding("damaged_test", "y"), Finding("no_tests", "z")]
    drop: Any = Process().choose_drop(some)
    assert (drop.reason, drop.evidence["also"]) == ("no_tests", ["damaged_test", "few_tests"])
    assert Process(keep=("no_tests", "damaged_test")).choose_drop(some) is None


@pytest.mark.slow
def test_what_comes_out_is_what_judge_and_trainer_read(command: Command) -> None:
    write(Path("in.jsonl"), problems(6))
    Path("r.toml").write_text(
        '[run]\ninputs = ["in.jsonl"]\noutput = "out.jsonl"\n[verify]\nmutants = 2\n'
    )
    assert command("run", "r.toml")[0] == 0
    with open_problems(Path("out.jsonl")) as read_back:
        assert read_back.bad == []
        first = read_back.get(read_back.ids[0])
    assert first.statement
    assert first.difficulty in ("easy", "medium", "hard")
    assert first.meta["verified"]["references"] == 2
    assert first.meta["trainable"] is True


@pytest.mark.slow
def test_lines_of_an_evaluation_that_were_not_compared_with_are_told(command: Command) -> None:
    write(Path("in.jsonl"), problems(2, seed=1))
    write(Path("eval.jsonl"), [b"not JSON", {**problems(9, seed=2)[8]}])
    words = ("decontaminate", "in.jsonl", "-o", "o.jsonl", "--against", "eval.jsonl")
    facts = show_json(command, *words, code=2)[0]["facts"]
    assert facts["evaluation_problems"] == 1
    assert facts["evaluation_unreadable"][0].startswith("eval.jsonl:1: not JSON")


def test_what_became_of_a_problem_is_shown(command: Command) -> None:
    """From each stage, for a problem that was kept and for one that was dropped."""
    page_row, file_row = [row for row in problems(9) if row["kind"] == "stdin"][:2]
    page_row["statement"] = "<p>" + page_row["statement"].replace("\n", "<br>") + "</p>"
    file_row["statement"] = f"<p>{file_row['statement']}</p> Read the input from the file data.in."
    write(Path("in.jsonl"), [page_row, file_row])
    Path("r.toml").write_text(
        '[run]\ninputs = ["in.jsonl"]\noutput = "out.jsonl"\n'
        'stages = ["collect", "process", "filter"]\n[process]\ndrop = ["file_io"]\n'
    )
    assert command("run", "r.toml")[0] == 0
    steps = show_json(command, "show", "out.jsonl", page_row["problem_id"])
    assert [step["stage"] for step in steps] == ["collect", "process", "filter"]
    assert steps[1]["before"]["statement"] == page_row["statement"]
    assert "<p>" not in steps[1]["after"]["statement"]
    code, text, _ = command("show", "out.jsonl", file_row["problem_id"])
    assert code == 0
    assert "process: dropped\n  file_io: it says" in text
    assert command("show", "out.jsonl", "nobody")[0] == 2
    assert command("stats", "out.jsonl", "--html", "page.html")[0] == 0
    page = Path("page.html").read_text()
    section = page.partition("<h2>file_io</h2>")[2].partition("</section>")[0]
    assert "&lt;p&gt;" in section.partition("output")[0]
    assert "&lt;p&gt;" not in section.partition("output")[2]
    Path("out.2-process.jsonl").rename("later.2-process.jsonl")  # of a run that has not ended
    Path("out.2-process.timings.jsonl").rename("later.2-process.timings.jsonl")
    for words in (
        ("show", "later.jsonl", "nobody"), ("stats", "later.jsonl"),
        ("diff", "out.jsonl", "later.jsonl"), ("stats", "later.jsonl.gz"),
    ):  # fmt: skip
        assert "has come to later.2-process.jsonl" in command(*words)[2]


def test_two_runs_are_compared(command: Command) -> None:
    rows = problems(4)
    write(Path("one.jsonl"), rows)
    rows[1] = {**rows[1], "title": "Another"}
    rows[2] = {**rows[2], "tests": []}
    write(Path("two.jsonl"), rows)
    outs = ("out-one.jsonl", "out-two.jsonl")
    for name, out in zip(("one.jsonl", "two.jsonl"), outs, strict=True):
        assert command("process", name, "-o", out)[0] == 0
    difference = show_json(command, "diff", *outs, code=1)
    assert difference["equal"] == 2
    assert difference["only"] == [{rows[2]["problem_id"]: "process: no_tests"}, {}]
    assert "title" in difference["changed"][rows[1]["problem_id"]]
    code, out, _ = command("diff", *outs)
    assert (code, "process: no_tests: 1" in out) == (1, True)
    assert command("diff", outs[0], outs[0])[0] == 0


@pytest.mark.parametrize(
    "words",
    [["stats", "a.jsonl"], ["diff", "a.jsonl", "b.jsonl"], ["check", "."],
     ["decontaminate", "a.jsonl", "-o", "out.jsonl", "--against", "a.jsonl"]],
)  # fmt: skip
def test_no_terminal_obeys_what_a_problem_says(command: Command, words: list[str]) -> None:
    row = {**problems(1)[0], "problem_id": "a\x1b[31m\u202e", "platform": "\x1b[31m\x9b31m"}
    write(Path("a.jsonl"), [row])
    write(Path("b.jsonl"), [{**row, "platform": "b"}])
    Path("problem.yaml").write_text('"\\e[31m": 1\n')
    _, out, err = command(*words)
    assert "\\x1b" in out + err
    assert not re.search("[\x1b\x9b\u202e]", out + err)
