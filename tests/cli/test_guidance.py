"""What the command line says to somebody who is new: guides, close names, swapped files, causes."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.cli import main as data_main
from microcoder_eval import __version__
from microcoder_eval.cli import main
from microcoder_eval.console import progress as progress_module
from microcoder_eval.version import get_installed_version
from microcoder_train.cli import main as train_main
from tests.commands import Command, execute
from tests.files import read_jsonl, read_table, write_jsonl
from tests.formats.shapes import find_shape

TABLE = read_table(__file__)
TESTS = (
    '{"problem_id": "sum", "date": "2025-03-01", "tests": [{"input": "1 2", "output": "3"}]}\n'
    '{"problem_id": "square", "date": "2024-05-09", "tests": [{"input": "3", "output": "9"}]}\n'
    '{"problem_id": "echo", "tests": [{"input": "3", "output": "3"}]}\n'
)
SUM = "print(sum(map(int, input().split())))"
SOLUTIONS = "".join(
    json.dumps({"problem_id": name, "code": code}) + "\n"
    for name, code in (
        ("sum", SUM),
        ("square", "print(int(input()) ** 2)"),
        ("echo", "print(int(input()) + 1)"),
        ("echo", "print(input())"),
    )
)
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def command(command: Command) -> Command:
    """command(*words): exit code, standard output and error, in a folder with s.jsonl, t.jsonl."""
    Path("t.jsonl").write_text(TESTS)
    Path("s.jsonl").write_text(SOLUTIONS)
    return command


def judge(command: Command, *words: str, solutions: str = "s.jsonl") -> tuple[int, Any, str]:
    """The summary of judging as JSON."""
    code, out, err = command(solutions, "--tests", "t.jsonl", "--workers", "1", "--json", *words)
    return code, json.loads(out) if out else None, err


@pytest.mark.parametrize("run", [main, data_main, train_main])
def test_without_words_there_is_a_guide(run: Callable[..., int], capsys: Capture) -> None:
    assert run([]) == 0
    out = capsys.readouterr().out
    assert "--help" in out or "--show-config" in out
    assert 8 <= len(out.splitlines()) <= 40


@pytest.mark.parametrize(("line", "message"), TABLE["slips"].items())
def test_a_slip_is_answered_with_what_was_meant_and_touches_nothing(
    command: Command, line: str, message: str
) -> None:
    os.link("t.jsonl", "hard.jsonl")
    Path("r.jsonl").write_text('{"verdict": "AC", "passed": true, "tests_sha256": ""}\n')
    Path("named.jsonl").write_text('{"id": "sum", "solution": "pass"}\n')
    Path("empty.jsonl").touch()
    files = {path: path.read_bytes() for path in Path().iterdir()}
    code, out, err = command(*shlex.split(line))
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1
    assert {path: path.read_bytes() for path in Path().iterdir()} == files


def test_standard_input_is_a_file(command: Command) -> None:
    saved = os.dup(0)
    try:
        with open("s.jsonl", "rb") as file:
            os.dup2(file.fileno(), 0)
        assert judge(command, solutions="-")[1]["solutions"] == 4
    finally:
        os.dup2(saved, 0)
        os.close(saved)


@pytest.mark.sampled(3, "slow")
@pytest.mark.parametrize(
    ("words", "count"),
    [
        (["--limit", "2"], 2),
        (["--only", "echo"], 2),
        (["--only", "echo#2"], 1),
        (["--only", "sum", "--only", "square"], 2),
        (["--since", "2025"], 1),
        (["--until", "2024-05-09"], 1),
        (["--since", "2024-05", "--until", "2025-03"], 2),
        (["--since", "2024-05-10", "--limit", "9"], 1),
    ],
)
def test_some_solutions_are_judged(command: Command, words: list[str], count: int) -> None:
    code, summary, _ = judge(command, *words)
    assert (code, summary["solutions"]) == (0, count)


def test_what_a_selection_leaves_out_is_said(command: Command) -> None:
    assert "2 solutions are left out" in judge(command, "--since", "2020")[2]
    code, _, err = judge(command, "--only", "sun")
    assert (code, '"sun" is not in t.jsonl, which has "sum"' in err) == (2, True)
    code, _, err = judge(command, "--since", "2031")
    assert (code, "leave out all 4" in err) == (2, True)


@pytest.mark.sampled(3, "slow")
@pytest.mark.parametrize(
    ("date", "words", "is_judged"),
    [
        ("2025-03-01T23:59:59", ["--until", "2025-03-01"], True),
        ("2025-03-01 00:00:00+09:00", ["--since", "2025-03-01"], True),
        ("2025-03", ["--since", "2025-03"], True),
        ("2025-03", ["--since", "2025-03-15"], None),
        ("2025", ["--until", "2025-06"], None),
        ("2025", ["--since", "2026"], False),
        ("2025", ["--since", "2024-12-31", "--until", "2026-01"], True),
        ("March 2025", ["--since", "2025"], None),
        ("01/03/2025", ["--until", "2030"], None),
        ("2025-3-1", ["--since", "2025-02"], None),
        ("2025-13-01", ["--until", "2026"], None),
        ("20250301", ["--since", "2024"], None),
        ("", ["--until", "2026"], None),
    ],
)
def test_dates_are_compared_as_days_and_others_are_told(
    command: Command, date: str, words: list[str], is_judged: bool | None
) -> None:
    Path("t.jsonl").write_text(TESTS.replace("2025-03-01", date))
    code, summary, err = judge(command, "--only", "sum", *words)
    assert (code, summary["solutions"]) == ((0, 1) if is_judged else (2, 0))
    assert (f'on either side, such as "{date}"' in err) is (is_judged is None)


def test_a_misspelt_key_of_solutions_is_warned_of_once(command: Command) -> None:
    Path("s.jsonl").write_text(SOLUTIONS.replace('"code"', '"languge": "c", "note": 1, "code"'))
    code, _, err = judge(command, "-q")
    assert code == 0
    assert err.endswith('s.jsonl:1: "languge" is not read: did you mean "language"?\n')
    assert err.count("languge") == 1


@pytest.mark.sampled(3, "slow")
@pytest.mark.parametrize(
    ("codes", "hint"),
    [
        (["```python\nprint(1)\n```"] * 3 + [SUM], "3 of 4 programs hold a fence"),
        (["Sure:\n\n```python\nprint(1)\n```\nDone.", SUM], "1 of 2 programs hold a fence"),
        (["import pandas"] * 2 + [SUM], "2 programs failed to import pandas"),
        (["import torch.nn", SUM], "1 program failed to import torch"),
        (
            ["class Solution:\n    def add(self): print(3)", SUM],
            "1 of 2 programs print nothing in any",
        ),
        (["#include <iostream>\nint main() {}", SUM], "1 of 2 programs look like a language other"),
        (
            ["class Main {\n  public int x;\n}", "package main\n", "fn main() {\n}"],
            "3 of 3 programs look like a",
        ),
    ],
)
def test_a_common_cause_is_a_hint(command: Command, codes: list[str], hint: str) -> None:
    write_jsonl(Path("causes.jsonl"), *({"problem_id": "sum", "code": code} for code in codes))
    (sentence,) = judge(command, solutions="causes.jsonl")[1]["hints"]
    assert hint in sentence
    assert command("causes.jsonl", "--tests", "t.jsonl", "--workers", "1")[1].count("hint: ") == 1


@pytest.mark.parametrize(
    ("solution", "flag", "detail"),
    [
        (
            {"code": f"```python\n{SUM}\n```"},
            "fenced_code",
            "the text holds a fence (```): a model",
        ),
        ({"code": r"n = 3\nprint(n)\n"}, "escaped_code", "two characters: the text was encoded"),
        ({"code": "fn main() {}\n"}, "other_language:rust", "why       it looks like r"),
        (
            {"response": f"```rust\n{SUM}\n```"},
            "other_language:rust",
            "why       it looks like r",
        ),
    ],
)
def test_a_text_that_is_no_program_in_its_language_is_told_what_it_seems_to_be(
    command: Command, solution: dict[str, str], flag: str, detail: str
) -> None:
    write_jsonl(Path("one.jsonl"), {"problem_id": "sum", **solution})
    words = ("one.jsonl", "--tests", "t.jsonl", "--workers", "1", "-o", "one_result.jsonl")
    code, out, _ = command(*words)
    (result,) = read_jsonl(Path("one_result.jsonl"))
    assert (code, result["verdict"], result["flags"]) == (0, "CE", [flag])
    assert detail in out
    assert "1 of 1 programs" in " ".join(out.partition("hint: ")[2].split())


def test_a_program_in_python_that_is_judged_as_another_language_is_told(command: Command) -> None:
    write_jsonl(Path("one.jsonl"), {"problem_id": "sum", "code": SUM})
    summary = judge(command, "--language", "c++", solutions="one.jsonl")[1]
    assert "1 of 1 programs look like a language other" in summary["hints"][0]


@pytest.mark.parametrize(
    ("checker", "is_told"),
    [
        ("def check(*_): raise KeyError('x')", True),
        ("def check(*_): return 'yes'", True),
        ("def check(a, output, c): return 1 / int(output) > 0", False),
    ],
)
def test_a_checker_that_never_works_is_named(command: Command, checker: str, is_told: bool) -> None:
    rows = read_jsonl(Path("t.jsonl"))
    write_jsonl(Path("t.jsonl"), *({**row, "checker": {"source": checker}} for row in rows))
    Path("s.jsonl").write_text(SOLUTIONS + json.dumps({"problem_id": "sum", "code": "print(0)"}))
    out = command("s.jsonl", "--tests", "t.jsonl", "--workers", "1", "-q")[1]
    text = "hint: the checker of 3 problems failed on every output: see"
    assert (text in " ".join(out.split())) is is_told


@pytest.mark.parametrize(
    ("text", "other", "warning"),
    [
        ('"output": "9"', '"output": "\\n"',
         "t.jsonl:2: warning: no test of the problem expects output"),
        ('"1 2"', r'"1\\\\n2"',
         r't.jsonl:1: warning: the line ends of the inputs are written as "\n"'),
    ],
    ids=["no output", "inputs that were encoded twice"],
)  # fmt: skip
def test_tests_that_cannot_be_meant_are_warned_of(
    command: Command, text: str, other: str, warning: str
) -> None:
    Path("t.jsonl").write_text(TESTS.replace(text, other))
    err = judge(command, "-q")[2]
    assert warning in err
    assert err.count("warning") == 1


HUMANEVAL = find_shape("humaneval").row
ANSWER = "Here it is:\n\n```python\ndef twice(x):\n    return 2 * x\n```\n"


@pytest.mark.sampled(3, "slow")
@pytest.mark.parametrize(
    ("key", "text", "hint"),
    [
        ("completion", ANSWER, "2 of 2 programs hold a fence"),
        ("solution", ANSWER, "2 of 2 programs hold a fence"),
        ("code", ANSWER, "2 of 2 programs hold a fence"),
        ("completion", "    return 2 * x\n```\n", "2 of 2 programs hold a fence"),
        ("completion", "x += x\n    return x\n", "2 of 2 completions continue a function"),
        ("completion", "return 2 * x", "2 of 2 completions continue a function"),
        ("completion", "    return 2 *", None),
        ("solution", "    return 2 * x\n", "2 of 2 programs begin with white space"),
        ("solution", "\nx = 1\n  y = 2\n", None),
        ("response", ANSWER, None),
    ],
)
def test_why_no_sample_of_a_set_compiles_is_a_hint(
    command: Command, key: str, text: str, hint: str | None
) -> None:
    write_jsonl(Path("set.jsonl"), HUMANEVAL)
    write_jsonl(Path("samples.jsonl"), *[{"task_id": "HumanEval/900", key: text}] * 2)
    code, out, _ = command("samples.jsonl", "--tests", "set.jsonl", "--workers", "1", "--json")
    summary = json.loads(out)
    assert (code, summary["passed"]) == (0, 2 if key == "response" else 0)
    assert [text[: len(hint or "")] for text in summary["hints"]] == ([hint] if hint else [])


def test_functions_that_were_called_by_another_name_are_counted(command: Command) -> None:
    problem = {"problem_id": "add", "entry_point": "add", "tests": [{"input": [1], "output": 2}]}
    write_jsonl(Path("calls.jsonl"), problem)
    codes = ["def mine(x): return x + 1", "def mine(x): return x", "def add(x): return x + 1"]
    write_jsonl(Path("named.jsonl"), *({"problem_id": "add", "code": code} for code in codes))
    out = command("named.jsonl", "--tests", "calls.jsonl", "--workers", "1", "--json")[1]
    (hint,) = json.loads(out)["hints"]
    assert hint.startswith('2 of 3 solutions have no function of the name in "entry_point"')


@pytest.mark.parametrize(
    ("arguments", "is_told"), [([1, 2], True), ([[1, 2]], False), (["x"], False)]
)
def test_arguments_that_are_not_in_a_list_of_their_own_are_a_hint(
    command: Command, arguments: list[Any], is_told: bool
) -> None:
    tests = [{"input": arguments, "output": 3}]
    write_jsonl(Path("t.jsonl"), {"problem_id": "sum", "entry_point": "f", "tests": tests})
    write_jsonl(Path("f.jsonl"), {"problem_id": "sum", "code": "def f(x): return sum(x)"})
    hints = judge(command, solutions="f.jsonl")[1]["hints"]
    assert hints == [] if not is_told else "1 of 1 functions were called with too many" in hints[0]


def test_without_a_common_cause_there_is_no_hint(command: Command) -> None:
    assert judge(command)[1]["hints"] == []


def test_bad_lines_of_a_kind_are_counted(command: Command) -> None:
    write_jsonl(
        Path("unknown.jsonl"), *({"problem_id": f"My/{n}", "code": "x"} for n in range(300))
    )
    code, summary, err = judge(command, "-q", solutions="unknown.jsonl")
    assert (code, summary["bad_lines"]) == (2, 300)
    assert len(err.splitlines()) == 4
    assert 'unknown.jsonl:1: problem "My/0" is not in t.jsonl, which has "s' in err
    assert 'unknown.jsonl: 297 more like this: problem "My/3" is not in t.jsonl, which' in err


def test_a_repeated_reason_takes_no_other_reasons_place(command: Command) -> None:
    names = ["My/0"] * 5 + ["My/1", "My/2", "My/3"]
    write_jsonl(Path("unknown.jsonl"), *({"problem_id": name, "code": "x"} for name in names))
    err = judge(command, "-q", solutions="unknown.jsonl")[2]
    for location, name in ((1, "My/0"), (6, "My/1"), (7, "My/2")):
        assert f'unknown.jsonl:{location}: problem "{name}"' in err
    assert "unknown.jsonl: 5 more like this" in err


def test_a_reason_that_is_repeated_is_cut(command: Command) -> None:
    Path("shape.jsonl").write_text('{"name": "a", "cases": []}\n' * 2)
    err = command("convert", "shape.jsonl")[2]
    assert "shape.jsonl: 1 more like this: neither a problem nor a solution of a known" in err
    assert err.count('in our own, problems need "problem_id" and "tests"') == 1
    err = command("convert", "shape.jsonl", "--format", "verl")[2]
    assert 'neither a problem nor a solution of format "verl" (keys' in err


def test_a_problem_that_cannot_be_judged_is_named_once(command: Command) -> None:
    Path("t.jsonl").write_text('{"problem_id": "none", "tests": []}\n' + TESTS)
    Path("many.jsonl").write_text((json.dumps({"problem_id": "none", "code": "x"}) + "\n") * 9)
    err = judge(command, "-q", solutions="many.jsonl")[2]
    assert len(err.splitlines()) == 3  # the problem, its first solution, and 8 more


def test_a_key_at_the_wrong_place_is_warned_of(command: Command) -> None:
    Path("t.jsonl").write_text(
        TESTS.replace('"date"', '"time_limit": 2, "chcker": 1, "time_limt": 3, "date"')
    )
    code, _, err = judge(command, "-q")
    assert code == 0
    assert 't.jsonl:1: warning: "time_limit" is not read: it belongs in "limits": {"time_s"' in err
    assert '"chcker" is not read: did you mean "checker"?' in err
    assert '"time_limt" is not read: did you mean "limits": {"time_s": …}?' in err
    assert err.count("time_limit") == 1


def test_bad_lines_are_counted_by_their_file(command: Command) -> None:
    Path("t.jsonl").write_text('{"problem_id": "sum", "tests": []}\n' + TESTS.partition("\n")[2])
    code, out, _ = command("s.jsonl", "--tests", "t.jsonl", "--workers", "1", "-q")
    assert code == 2
    assert "1 in t.jsonl, 1 in s.jsonl: not used" in " ".join(out.split())


def test_a_limit_of_the_caller_that_programs_cannot_have_is_named(command: Command) -> None:
    code = (
        "import os, resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20))\n"
        "resource.setrlimit(resource.RLIMIT_STACK, (8 << 20, 8 << 20))\n"  # a thread's, too
        "os.execv(sys.executable, [sys.executable, '-m', 'microcoder_eval', *sys.argv[1:]])"
    )
    words = ["s.jsonl", "--tests", "t.jsonl", "--limit", "1", "--workers", "1", "-q"]
    result = execute([sys.executable, "-c", code, *words])  # fmt: skip
    assert result.returncode == 3
    text = " ".join(result.stdout.split())
    assert "600 MiB of address space (ulimit -v), less than a program's own limits need" in text
    assert "start the judge without that limit" in text


def test_results_shown_beside_tests_of_others_are_told(command: Command) -> None:
    assert judge(command, "-o", "out.jsonl")[0] == 0
    Path("renamed.jsonl").write_text(TESTS.replace('"echo"', '"ecco"'))
    code, _, err = command("report", "out.jsonl", "--tests", "renamed.jsonl", "-o", "r.html")
    assert code == 0
    assert '2 results are shown without their problem: problem "echo" is not in renamed.' in err
    Path("changed.jsonl").write_text(TESTS.replace('"output": "9"', '"output": "8"'))
    err = command("report", "out.jsonl", "--tests", "changed.jsonl", "-o", "r.html")[2]
    assert "1 results were judged with other tests than changed.jsonl now has" in err
    assert command("report", "out.jsonl", "--tests", "t.jsonl", "-o", "r.html")[2] == ""


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("help",), "usage: microcoder-eval"),
        (("compare", "--list"), "calibrated"),
        (("convert", "--list"), "livecodebench"),
    ],
)
def test_what_there_is_is_listed(command: Command, words: tuple[str, ...], line: str) -> None:
    code, out, _ = command(*words)
    assert code == 0
    assert any(each.startswith(line) for each in out.splitlines())


def test_progress_begins_at_once_and_is_quiet_on_request(command: Command) -> None:
    solutions = Path("s.jsonl")
    solutions.write_bytes(solutions.read_bytes().rstrip())  # the last line counts without an end
    assert "judging 4 solutions" in judge(command)[2]
    assert judge(command, "-q")[2] == ""


def test_conversion_has_defaults(command: Command) -> None:
    code, out, _ = command("convert", "t.jsonl")
    assert code == 0
    assert [json.loads(line)["problem_id"] for line in out.splitlines()] == [
        "sum",
        "square",
        "echo",
    ]


@pytest.mark.parametrize("verb", ["", "serve", "audit", "calibrate"])
def test_help_fits_a_screen_and_help_all_has_everything(
    verb: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    texts = []
    for option in ("--help", "--help-all"):
        with pytest.raises(SystemExit, match="0"):
            main([*verb.split(), option])
        texts.append(capsys.readouterr().out)
    short, full = texts
    assert len(short.splitlines()) <= 45
    assert "--help-all" in short
    assert set(re.findall(r"  (--[\w-]+)", short)) < set(re.findall(r"  (--[\w-]+)", full))
    assert {"--workers", "--time-scale", "--testlib"} <= set(re.findall(r"--[\w-]+", full))


def test_help_shows_the_common_path_first(capsys: Capture) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    out = capsys.readouterr().out
    assert out.index("microcoder-eval sum.py --tests tests/") < out.index("--report HTML")
    assert "exit codes" not in out


@pytest.mark.parametrize(
    ("run", "word"),
    [(main, "--version"), (main, "version"), (data_main, "--version"), (train_main, "--version")],
)
def test_each_command_tells_its_version_in_short(
    run: Callable[[list[str]], int], word: str, capsys: Capture
) -> None:
    with pytest.raises(SystemExit, match="0"):
        run([word])
    assert f" {__version__}\nPython " in capsys.readouterr().out


def test_a_package_that_is_not_installed_has_no_version() -> None:
    assert get_installed_version("no-such-package-of-anybody") is None


def test_the_main_command_follows_the_rule_of_all_counters(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = "import time; time.sleep(0.02); print(sum(map(int, input().split()))) # "
    lines = [{"problem_id": "sum", "code": f"{program}{n}"} for n in range(20)]
    write_jsonl(Path("s.jsonl"), *lines, "{torn")
    monkeypatch.setattr(progress_module, "PLAIN_SECONDS", 0.0)
    words = ("s.jsonl", "--tests", "t.jsonl", "--workers", "1")
    progress = command(*words)[2]
    assert "of 21 judged · AC " in progress
    assert " · 1 bad lines\n" in progress
    assert "/s" not in progress
    monkeypatch.setattr(progress_module, "_MIN_SECONDS", 0.1)
    assert re.search(
        r"\d of 21 judged · AC \d+( · 1 bad lines)? · [\d.]+/s · \d+ s left\n", command(*words)[2]
    )
