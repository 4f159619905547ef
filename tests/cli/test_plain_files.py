"""Programs and tests as plain files, and what the terminal says of a program that fails."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from microcoder_eval import judge
from microcoder_eval.formats.solutions import read_solutions
from tests.commands import Command, run
from tests.files import read_jsonl, write_files

SUM = "print(sum(map(int, input().split())))\n"
DIFFERENCE = "a, b = map(int, input().split())\nprint(a - b)\n"
TESTS = {"1.in": "1 2\n", "1.out": "3\n", "2.in": "4 5\n", "2.out": "9\n"}
ECHO = {"tests/echo/1.in": "hi\n", "tests/echo/1.out": "hi\n"}
LFS_POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:00ff\nsize 12345\n"
IN_A_FOLDER = {f"tests/{name}": text for name, text in TESTS.items()}


@pytest.fixture
def command(command: Command) -> Command:
    """command(*words): exit code, standard output and error, in an empty folder."""
    return lambda *words: command(*words, "--workers", "1")


def read_verdicts(command: Command, *words: str) -> dict[str, tuple[str, str]]:
    """Judge with -o; return (problem, verdict) by solution."""
    code, _out, err = command(*words, "-o", "r.jsonl", "--force", "-q")
    assert code == 0, err
    lines = read_jsonl(Path("r.jsonl"))
    return {line["solution_id"]: (line["problem_id"], line["verdict"]) for line in lines}


@pytest.mark.parametrize(
    "names",
    [
        ("1.in", "1.out"),
        ("1.in", "1.ans"),
        ("input1.txt", "output1.txt"),
        ("input_1.txt", "answer_1.txt"),
        ("input/1.txt", "output/1.txt"),
        ("sample/1.in", "sample/1.out"),
        ("data/secret/1.in", "data/secret/1.ans"),
        ("01", "01.a"),
    ],
)
def test_a_program_is_judged_by_a_folder_of_inputs_and_outputs(
    names: tuple[str, str], command: Command
) -> None:
    write_files(Path(), {"sum.py": SUM, f"tests/{names[0]}": "1 2\n", f"tests/{names[1]}": "3\n"})
    assert read_verdicts(command, "sum.py", "--tests", "tests") == {"sum.py": ("tests", "AC")}


def test_numbered_folders_are_parts_of_one_problem(command: Command) -> None:
    files = {
        f"tests/sum/{n}/{name}": text for n in ("part1", "part2") for name, text in TESTS.items()
    }
    write_files(Path(), {"sum.py": SUM, **files})
    assert read_verdicts(command, "sum.py", "--tests", "tests") == {"sum.py": ("sum", "AC")}


@pytest.mark.parametrize("problem", ["check-in", "way out", "input/in"])
def test_the_name_of_a_problem_may_hold_in_or_out(problem: str, command: Command) -> None:
    tests = {f"tests/{problem}/{name}": text for name, text in TESTS.items()}
    write_files(Path(), {"sum.py": SUM, **tests})
    verdicts = read_verdicts(command, "sum.py", "--tests", "tests")
    assert [verdict for _problem, verdict in verdicts.values()] == ["AC"]


def test_what_a_compiler_left_beside_the_tests_is_no_output(command: Command) -> None:
    write_files(Path(), {**IN_A_FOLDER, "sum.py": SUM})
    Path("tests/a.out").write_bytes(b"\x7fELF\2\1\1\0")
    assert read_verdicts(command, "sum.py", "--tests", "tests") == {"sum.py": ("tests", "AC")}


def test_tests_are_in_the_order_of_their_numbers(command: Command) -> None:
    write_files(Path(), {"sum.py": SUM, **{f"tests/{n}.in": f"{n} 0" for n in (10, 2, 1)}})
    write_files(Path(), {f"tests/{n}.out": str(n) if n != 10 else "no" for n in (10, 2, 1)})
    assert "sum.py (tests): WA, test 3 of 3 (10.in)" in command("sum.py", "--tests", "tests")[1]


def test_the_language_is_that_of_the_suffix(command: Command) -> None:
    code = '#include <stdio.h>\nint main(){int a,b;scanf("%d%d",&a,&b);printf("%d",a+b);}'
    write_files(Path(), {**IN_A_FOLDER, "sum.c": code, "SUM.PY": SUM})
    for name in ("sum.c", "SUM.PY"):
        assert read_verdicts(command, name, "--tests", "tests") == {name: ("tests", "AC")}


def test_several_programs_and_files_of_solutions_are_judged_together(command: Command) -> None:
    write_files(Path(), {**IN_A_FOLDER, "a.py": SUM, "b.py": DIFFERENCE})
    write_files(Path(), {"s.jsonl": json.dumps({"problem_id": "tests", "code": SUM})})
    verdicts = read_verdicts(command, "a.py", "b.py", "s.jsonl", "--tests", "tests")
    assert {name: verdict for name, (_, verdict) in verdicts.items()} == {
        "a.py": "AC",
        "b.py": "WA",
        "tests#3": "AC",
    }


def test_folders_of_programs_are_matched_to_problems_by_name(command: Command) -> None:
    write_files(Path(), {f"tests/sum/{name}": text for name, text in TESTS.items()})
    write_files(Path(), {**ECHO, "programs/notes.txt": "mine"})
    write_files(Path(), {"programs/echo.py": "print(input())", "programs/sum/best.py": SUM})
    words = ("programs", "--tests", "tests")
    assert "programs: left out 1 file with no suffix of a program: notes.txt" in command(*words)[2]
    assert read_verdicts(command, *words) == {
        "programs/echo.py": ("echo", "AC"),
        "programs/sum/best.py": ("sum", "AC"),
    }


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"tests/1.in": "1 2"}, 'problem "tests": 1.in has no expected output beside it, such as'),
        ({**IN_A_FOLDER, "tests/3.out": "3"}, "3.out has no input beside it, such as 3.in"),
        ({**IN_A_FOLDER, "tests/1.ans": "4"}, "1.ans and 1.out belong to one test"),
        ({"tests/1.in": LFS_POINTER, "tests/1.out": "3"},
         'problem "tests": 1.in is a pointer of Git LFS; fetch the files themselves'),
        ({"tests/readme": "none"}, "tests: is a folder without packages and tests (looked for "),
        ({"tests/a/1.in": "", "tests/a/1.out": "", "tests/b/1.in": "", "tests/b/1.out": ""},
         'problem "sum" is not in tests, which has "'),
        ({f"tests/abc/{name}/{side}/1.txt": "" for name in "AB" for side in ("in", "out")},
         'problem "abc": its tests are in abc/A and abc/B; if these are problems, name the '),
    ],
)  # fmt: skip
def test_what_is_missing_is_named(files: dict[str, str], message: str, command: Command) -> None:
    write_files(Path(), {"sum.py": SUM, **files})
    code, _out, err = command("sum.py", "--tests", "tests")
    assert code == 2
    assert message in err


@pytest.mark.parametrize(
    ("name", "is_told"),
    [("check.cpp", True), ("check/checker.cpp", True), ("interactor.py", True),
     ("check.txt", False), ("checkers.py", False)],
)  # fmt: skip
def test_a_checker_beside_tests_is_not_left_out_in_silence(
    name: str, is_told: bool, command: Command
) -> None:
    write_files(Path(), {"sum.py": SUM, **IN_A_FOLDER, f"tests/{name}": ""})
    code, _out, err = command("sum.py", "--tests", "tests")
    assert code == 0
    assert (f"tests/{name} is not used: outputs are compared" in err) is is_told


def test_packed_tests_are_to_be_unpacked(command: Command) -> None:
    write_files(Path(), {"sum.py": SUM})
    Path("tests").mkdir()
    for name in ("1.in.gz", "1.out.gz"):
        Path("tests", name).write_bytes(gzip.compress(b"3\n"))
    assert (
        "1.in.gz is not UTF-8 (byte 2); unpack it first" in command("sum.py", "--tests", "tests")[2]
    )


def test_a_folder_without_programs_is_refused(command: Command) -> None:
    write_files(Path(), {"empty/notes.txt": "none", "tests/1.in": "", "tests/1.out": ""})
    code, _out, err = command("empty", "--tests", "tests")
    assert code == 2
    assert "empty: is a folder without programs (looked for .py, .cpp" in err


def test_the_library_takes_a_folder_of_tests(command: Command) -> None:
    write_files(Path(), IN_A_FOLDER)
    assert judge(SUM, "tests").passed


@pytest.mark.parametrize("program", ["sum.py", "sum/best.py"])
def test_the_tests_of_another_problem_never_replace_those_that_cannot_be_used(
    program: str, command: Command
) -> None:
    write_files(Path(), {program: SUM, "tests/sum/1.in": "1 2\n"})
    write_files(Path(), ECHO)
    code, out, err = command(program, "--tests", "tests")
    assert code == 2
    assert "none was judged" in out
    assert f'{program}: problem "sum" is not usable: sum/1.in has no expected output' in err
    with pytest.raises(ValueError, match="tests holds 2 problems: say which"):
        judge(SUM, "tests")


def test_a_page_of_plain_files_shows_programs_and_tests(command: Command) -> None:
    write_files(Path(), {"sum.py": DIFFERENCE, "other.py": SUM})
    write_files(Path(), IN_A_FOLDER)
    words = ("sum.py", "other.py", "--tests", "tests/")
    assert command(*words, "-o", "r.jsonl", "--report", "a.html")[0] == 0
    report = ("report", "r.jsonl", "--tests", "tests/", "--solutions", "sum.py", "other.py")
    assert run(*report, "-o", "b.html").returncode == 0
    for page in (Path("a.html").read_text(), Path("b.html").read_text()):
        assert "a, b = map(int, input().split())" in page
        assert "1 2" in page


def test_the_terminal_shows_the_first_failing_test(command: Command) -> None:
    code = "a, b = map(int, input().split())\nprint(3 if a == 1 else 8)"
    write_files(Path(), {**IN_A_FOLDER, "sum.py": code})
    out = command("sum.py", "--tests", "tests")[1].splitlines()
    assert out[:4] == [
        "sum.py (tests): WA, test 2 of 2 (2.in)",
        "  input     4 5",
        "  expected  9",
        "  got       8",
    ]


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("print(1 // 0)", ["RE, test 1 of 2 (1.in)", "input     1 2",
                           "error     ZeroDivisionError: integer division or modulo by zero"]),
        ("x = 1\nprint(x", ["CE, test 1 of 2 (1.in)",
                               "error     SyntaxError: '(' was never closed (line 2)"]),
        ("pass", ["WA, test 1 of 2 (1.in)", "input     1 2", "expected  3", "got       (nothing)"]),
    ],
)  # fmt: skip
def test_the_terminal_says_why_a_program_fails(
    code: str, lines: list[str], command: Command
) -> None:
    write_files(Path(), {"p.py": code, **IN_A_FOLDER})
    out = command("p.py", "--tests", "tests")[1].split("\n\n")[0].splitlines()
    assert [out[0].partition(": ")[2], *(line.strip() for line in out[1:])] == lines


def test_long_outputs_are_cut_around_the_first_difference(command: Command) -> None:
    numbers = "".join(f"{i}\n" for i in range(100))
    write_files(Path(), {"tests/1.in": "100\n", "tests/1.out": numbers})
    write_files(Path(), {"p.py": "for i in range(int(input())): print(i if i != 50 else 'x')"})
    out = command("p.py", "--tests", "tests")[1].splitlines()
    lines = out[out.index("  got") + 1 :]
    assert lines[:4] == ["    … 48 lines", "    48", "    49", "    x"]
    assert max(map(len, out)) < 130


def test_ten_programs_are_shown_all_of_them_or_none(command: Command) -> None:
    write_files(Path(), IN_A_FOLDER | {f"programs/{i:02}.py": DIFFERENCE for i in range(12)})
    words = ("programs", "--tests", "tests")
    first, everything, quiet = (command(*words, *more)[1] for more in ((), ("-v",), ("-q",)))
    assert [text.count("WA, test 1") for text in (first, everything, quiet)] == [10, 12, 0]
    assert "programs/09.py" in first
    assert "programs/10.py" not in first
    assert "2 more programs fail: -v shows all, --report report.html makes a page" in first
    assert "more programs" not in everything + quiet
    assert "verdicts" in quiet


def test_python_programs_run_with_pypy_where_it_is_asked_for(tmp_path: Path) -> None:
    write_files(Path(), {f"{tmp_path}/{name}": "" for name in ("a.py", "b.cpp")})
    languages = [s.language for s in read_solutions(tmp_path, None, language="pypy")]  # type: ignore[union-attr]
    assert languages == ["pypy", "cpp"]


def test_json_stays_json(command: Command) -> None:
    write_files(Path(), {"p.py": DIFFERENCE, **IN_A_FOLDER})
    _code, out, err = command("p.py", "--tests", "tests", "--json", "-v")
    assert json.loads(out)["verdicts"]["WA"] == 1
    assert "expected  3" in err


def test_names_and_outputs_cannot_control_the_terminal(command: Command) -> None:
    write_files(Path(), {"p.py": r"print('\x1b[2J\x9b2J\u202e')", **IN_A_FOLDER})
    out = command("p.py", "--tests", "tests")[1]
    assert not {"\x1b", "\x9b", "\u202e"} & set(out)
    assert r"\x1b[2J\x9b2J\u202e" in out
