"""The command as its users meet it: real files, real messages, and processes where they end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from microcoder_eval.results.files import open_compressed, open_decompressed
from microcoder_sandbox import find_toolchain
from tests.commands import command, execute, run, start
from tests.files import ROOT, read_jsonl, write_jsonl
from tests.processes import is_alive, wait_until
from tests.report.parsing import parse_page

SQUARE = {"problem_id": "sq", "tests": [{"input": "2\n", "output": "4\n"}]}
RIGHT, WRONG = "print(int(input()) ** 2)", "print(5)"
NO_INSPECTING = {
    "problem_id": "in",
    "entry_point": "f",
    "test_code": "import inspect\nassert 'x' in inspect.getsource(f)",
}
TIMES = ("cpu_s", "wall_s", "memory_mb")


def drop_times(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    for line in lines:
        for test in filter(None, line["tests"]):
            for name in TIMES:
                del test[name]
    return lines


@pytest.fixture
def tests_file(tmp_path: Path) -> Path:
    return write_jsonl(tmp_path / "tests.jsonl", SQUARE)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out.jsonl"


Judging = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def judge(tests_file: Path, out: Path) -> Judging:
    """judge(solutions, *words): judge them by ``tests_file`` into ``out``."""
    return lambda solutions, *words: run(solutions, "--tests", tests_file, "-o", out, *words)


def write_right(folder: Path) -> Path:
    return write_jsonl(
        folder / "good.jsonl", *({"problem_id": "sq", "code": RIGHT} for _ in range(4))
    )


@pytest.fixture
def right(tmp_path: Path) -> Path:
    return write_right(tmp_path)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The results of ``good``."""
    folder = tmp_path_factory.mktemp("whole")
    tests, out = write_jsonl(folder / "tests.jsonl", SQUARE), folder / "out.jsonl"
    assert run(write_right(folder), "--tests", tests, "-o", out).returncode == 0
    return out.read_bytes()


@pytest.mark.parametrize("isolation", ["batch", "test"])
def test_results_say_which_isolation_was_asked_for(
    isolation: str, right: Path, judge: Judging, out: Path
) -> None:
    result = judge(right, "--isolation", isolation, "--limit", 1)
    assert result.returncode == 0, result.stderr
    assert [line["isolation"] for line in read_jsonl(out)] == [isolation]


def test_a_line_longer_than_allowed_is_a_bad_line(
    judge: Judging, out: Path, tmp_path: Path
) -> None:
    long = {"problem_id": "sq", "code": RIGHT + "\n" * 2000}
    solutions = write_jsonl(tmp_path / "solutions.jsonl", long, {"problem_id": "sq", "code": RIGHT})
    result = judge(solutions, "--max-line-mb", 2**-10)
    assert result.returncode == 2
    reason = "longer than 0.000976562 MiB; raise the limit with --max-line-mb"
    assert f"solutions.jsonl:1: {reason}" in result.stderr
    assert [line["solution_id"] for line in read_jsonl(out)] == ["sq#1"]


@pytest.mark.slow
def test_bad_lines_are_told_with_their_place_and_the_good_ones_are_judged(
    judge: Judging, out: Path, tmp_path: Path
) -> None:
    right = {"problem_id": "sq", "code": RIGHT}
    bad = ("{not json", "\x00\x01 garbage", {"problem_id": "sq"}, [1, 2])
    result = judge(write_jsonl(tmp_path / "solutions.jsonl", *[right] * 16, *bad, right))
    assert result.returncode == 2
    reasons = ("17: not JSON", "18: not JSON", '19: neither "code"', "20: a solution must be")
    assert [words for words in reasons if f"solutions.jsonl:{words}" not in result.stderr] == []
    assert [line["verdict"] for line in read_jsonl(out)] == ["AC"] * 17
    assert [line["line"] for line in read_jsonl(tmp_path / "out.errors.jsonl")] == [17, 18, 19, 20]


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        ({"problem_id": "sq", "tests": [{"input": "1"}]}, 'no "output"'),
        ({**SQUARE, "checker": "nosuch"}, 'no comparer "nosuch"'),
    ],
)
@pytest.mark.slow
def test_a_bad_problem_is_told_and_its_solutions_are_not_wrong(
    tmp_path: Path, right: Path, problem: dict[str, Any], message: str
) -> None:
    tests = write_jsonl(tmp_path / "tests.jsonl", problem)
    result = run(right, "--tests", tests, "--json")
    assert result.returncode == 2
    assert message in result.stderr
    assert "tests.jsonl:1" in result.stderr
    summary = json.loads(result.stdout)
    assert (summary["judged"], summary["bad_lines"]) == (0, 5)


@pytest.mark.slow
def test_an_output_that_exists_is_kept_unless_forced(right: Path, judge: Judging) -> None:
    assert judge(right).returncode == 0
    again = judge(right)
    assert (again.returncode, "--resume" in again.stderr) == (2, True)
    assert judge(right, "--force").returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_compressed_results_hold_the_same(
    tmp_path: Path, right: Path, tests_file: Path, suffix: str
) -> None:
    out = tmp_path / f"out.jsonl{suffix}"
    assert run(right, "--tests", tests_file, "-o", out).returncode == 0
    resumed = run(right, "--tests", tests_file, "-o", out, "--resume", "--json")
    assert json.loads(resumed.stdout)["resumed"] == 4


@pytest.mark.sampled(6, "slow")
@pytest.mark.parametrize(
    ("suffix", "cut", "end"),
    [("", 1, b""), ("", 2, b""), ("", 40, b""), ("", "to the first letters", b""),
     ("", 40, b"\n"), (".gz", 40, b""), (".zst", 40, b"")],
)  # fmt: skip
def test_resume_judges_again_what_a_torn_last_line_was_about(
    tmp_path: Path, right: Path, tests_file: Path, results: bytes, suffix: str, cut: int | str,
    end: bytes,
) -> None:  # fmt: skip
    out = tmp_path / f"out.jsonl{suffix}"
    keep = len(results) - cut if isinstance(cut, int) else results[:-1].rindex(b"\n") + 5
    with open_compressed(out, out.name) as stream:
        stream.write(results[:keep] + end)
    resumed = run(right, "--tests", tests_file, "-o", out, "--resume", "--json")
    assert resumed.returncode == 0, resumed.stderr
    assert json.loads(resumed.stdout)["resumed"] == (4 if cut == 1 else 3)
    with open_decompressed(out) as stream:
        assert [json.loads(line)["solution_id"] for line in stream] == [
            json.loads(line)["solution_id"] for line in results.splitlines()
        ]


@pytest.mark.slow
def test_resume_reads_a_compressed_file_that_is_cut_off(
    tmp_path: Path, right: Path, tests_file: Path, results: bytes
) -> None:
    out = tmp_path / "out.jsonl.gz"
    with open_compressed(out, out.name) as stream:
        stream.write(results)
    out.write_bytes(out.read_bytes()[:-20])
    resumed = run(right, "--tests", tests_file, "-o", out, "--resume", "--json")
    assert resumed.returncode == 0, resumed.stderr
    with open_decompressed(out) as stream:
        assert len(stream.readlines()) == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code"), [([], 0), (["--fail-under", "0.5"], 0), (["--fail-under", "0.51"], 1)]
)
def test_wrong_answers_exit_with_1_only_below_the_threshold(
    judge: Judging, tmp_path: Path, words: list[str], code: int
) -> None:
    lines = ({"problem_id": "sq", "code": code} for code in (RIGHT, WRONG))
    assert judge(write_jsonl(tmp_path / "s.jsonl", *lines), *words).returncode == code


@pytest.mark.slow
def test_a_judge_s_failure_is_in_no_denominator(tmp_path: Path) -> None:
    tests = write_jsonl(tmp_path / "t.jsonl", SQUARE, NO_INSPECTING)
    solutions = write_jsonl(
        tmp_path / "s.jsonl",
        {"problem_id": "sq", "code": RIGHT},
        {"problem_id": "in", "code": "def f(): x = 1"},
    )
    out = tmp_path / "out.jsonl"
    result = run(solutions, "--tests", tests, "--json", "-o", out)
    assert result.returncode == 3
    summary = json.loads(result.stdout)
    assert (summary["pass_at_k"], summary["judged"], summary["judge_errors"]) == ({"1": 1.0}, 1, 1)
    failed = read_jsonl(out)[1]
    assert (failed["verdict"], failed["score"], failed["status"]) == ("JE", None, "error")
    assert "in-process" in failed["error"]


def test_json_puts_one_object_on_stdout_and_the_rest_on_stderr(
    tmp_path: Path, tests_file: Path
) -> None:
    solutions = write_jsonl(tmp_path / "s.jsonl", "oops", {"problem_id": "sq", "code": RIGHT})
    result = run(solutions, "--tests", tests_file, "--json", "--k", "1,5")
    summary = json.loads(result.stdout)
    assert summary["bad_lines"] == 1
    assert summary["pass_at_k"] == {"1": 1.0, "5": None}
    assert summary["pass_at_k_problems_left_out"] == {"5": 1}
    assert "s.jsonl:1" in result.stderr


@pytest.fixture
def sleepers(tmp_path: Path) -> Path:
    code = "import time; time.sleep(0.4); print(int(input()) ** 2)"
    lines = [{"problem_id": "sq", "code": f"# {n}\n{code}"} for n in range(16)]
    return write_jsonl(tmp_path / "slow.jsonl", *lines)


def _lines_in(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.slow
def test_after_a_kill_resume_ends_as_if_nothing_had_happened(
    tmp_path: Path, sleepers: Path, tests_file: Path, judge: Judging, out: Path
) -> None:
    expected, journal = tmp_path / "whole.jsonl", tmp_path / "out.part"
    assert run(sleepers, "--tests", tests_file, "-o", expected).returncode == 0
    with start(sleepers, "--tests", tests_file, "-o", out) as process:
        assert wait_until(lambda: _lines_in(journal) >= 3)
        process.kill()
    with journal.open("ab") as torn:
        torn.write(b'{"problem_id": "sq", "solu')
    result = judge(sleepers, "--resume", "--json")
    assert result.returncode == 0, result.stderr
    assert 3 <= json.loads(result.stdout)["resumed"] < 16
    assert drop_times(read_jsonl(out)) == drop_times(read_jsonl(expected))
    assert not journal.exists()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_stops_at_once_keeps_what_is_done_and_leaves_nobody(
    tmp_path: Path, sleepers: Path, tests_file: Path, number: signal.Signals
) -> None:
    out, journal = tmp_path / "out.jsonl", tmp_path / "out.part"
    with start(sleepers, "--tests", tests_file, "-o", out) as process:
        assert wait_until(lambda: _lines_in(journal) >= 2)
        ours = psutil.Process(process.pid).children(recursive=True)
        started = time.monotonic()
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
        seconds = time.monotonic() - started
    assert process.returncode == 130
    assert "--resume" in errors
    assert _lines_in(journal) >= 2
    assert wait_until(lambda: not any(map(is_alive, ours)), 20.0)
    assert seconds < 30  # a second on a quiet machine


@pytest.mark.slow
@pytest.mark.skipif(find_toolchain("g++") is None, reason="no g++ on this machine")
def test_results_of_empty_programs_are_resumed(tmp_path: Path, judge: Judging) -> None:
    rows = [{"problem_id": "sq", "language": "cpp", key: ""} for key in ("code", "response")]
    solutions = write_jsonl(tmp_path / "s.jsonl", *rows)
    for words in ([], ["--resume"]):
        result = judge(solutions, *words)
        assert result.returncode == 0, result.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("tests", "with other tests"),
        ("code", "for another program"),
        ("settings", "(limits.time_s: default then, 3.0 now)"),
        ("language", "for another program"),
        ("repeats", "was judged 2x; use --repeat 2"),
    ],
)
def test_resume_against_something_else_is_refused(
    right: Path,
    tests_file: Path,
    judge: Judging,
    out: Path,
    results: bytes,
    change: str,
    reason: str,
) -> None:
    out.write_bytes(results)
    words: list[str] = []
    if change == "tests":
        write_jsonl(tests_file, {**SQUARE, "tests": [{"input": "3\n", "output": "9\n"}]})
    elif change == "code":
        write_jsonl(right, *({"problem_id": "sq", "code": WRONG} for _ in range(4)))
    elif change == "repeats":
        words = ["--repeat", "3"]
        repeats = {"meta": {"repeats": [{"verdict": "AC"}] * 2}}
        write_jsonl(out, *({**line, **repeats} for line in read_jsonl(out)))
    else:
        words = ["--time-limit", "3"] if change == "settings" else ["--language", "js"]
    before = out.read_bytes()
    result = judge(right, "--resume", *words)
    assert result.returncode == 2
    assert "--resume refused" in result.stderr
    assert reason in result.stderr
    assert out.read_bytes() == before


@pytest.mark.slow
def test_repeat_finds_a_program_that_passes_at_times(
    tmp_path: Path, judge: Judging, out: Path
) -> None:
    flaky = "import os; print(4 if os.urandom(1)[0] % 2 else 5)"
    solutions = write_jsonl(tmp_path / "s.jsonl", {"problem_id": "sq", "code": flaky})
    html = tmp_path / "r.html"
    assert judge(solutions, "--repeat", "24", "--report", html).returncode == 0
    (line,) = read_jsonl(out)
    assert len(line["meta"]["repeats"]) == 24
    assert "flaky" in line["flags"]
    assert line["verdict"] == line["meta"]["repeats"][0]["verdict"]
    page = parse_page(html.read_text())
    assert "Flaky: passed in some runs only" in page.texts
    assert set(page.details()[0]["repeats"]) == {"AC", "WA"}


@pytest.mark.slow
def test_limits_on_the_command_line_replace_the_problem_s(tmp_path: Path) -> None:
    tests = write_jsonl(
        tmp_path / "t.jsonl", {**SQUARE, "limits": {"time_s": 20, "memory_mb": 2000}}
    )
    spin = {"problem_id": "sq", "solution_id": "spin", "code": "while True: pass"}
    hungry = {"problem_id": "sq", "solution_id": "hungry", "code": "x = bytearray(300 << 20)"}
    solutions = write_jsonl(tmp_path / "s.jsonl", spin, hungry)
    out = tmp_path / "out.jsonl"
    run(solutions, "--tests", tests, "--time-limit", "0.5", "--memory-limit", "100", "-o", out)
    assert [line["verdict"] for line in read_jsonl(out)] == ["TLE", "MLE"]


@pytest.mark.slow
def test_compare_says_which_method_accepts_or_what_differs(tmp_path: Path) -> None:
    actual, expected = tmp_path / "a.txt", tmp_path / "e.txt"
    actual.write_text("1 2  3\n")
    expected.write_text("1 2 3\n")
    accepted = run("compare", actual, expected, "--json")
    assert accepted.returncode == 0
    assert json.loads(accepted.stdout)["matched_by"] == "tokens"
    actual.write_text("1 2 4\n")
    refused = run("compare", actual, expected)
    assert refused.returncode == 1
    assert 'got "4", expected "3"' in refused.stdout
    assert run("compare", actual, tmp_path / "none").returncode == 2


@pytest.mark.slow
def test_doctor_names_the_layers_and_the_level() -> None:
    result = run("doctor", "--json", "--min-level", "1")
    assert result.returncode == 0
    facts = json.loads(result.stdout)
    assert {layer["layer"] for layer in facts["layers"]} >= {"landlock", "seccomp", "namespaces"}
    at_four = run("doctor", "--min-level", "4")
    assert at_four.returncode == (0 if facts["level"] >= 4 else 3)


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can drop a container's capabilities")
def test_doctor_in_a_container_says_that_level_3_is_enough_before_it_offers_rights() -> None:
    result = execute([sys.executable, ROOT / "tools/container.py", *command("doctor")])
    result.check_returncode()
    text = " ".join(result.stdout.split())
    assert text.startswith("isolation level 3")
    assert "--cap-add" not in text.partition("level 3 is enough")[0]
    assert "--cap-add" in text.partition("level 3 is enough")[2]


def test_a_file_that_is_no_journal_is_left_alone(
    tmp_path: Path, right: Path, judge: Judging
) -> None:
    stranger = tmp_path / "out.part"
    stranger.write_text("my notes, without a newline")
    result = judge(right, "--resume")
    assert (result.returncode, "not a journal" in result.stderr) == (2, True)
    assert stranger.read_text() == "my notes, without a newline"
