"""Rules on statements act on evidence: what real contests write is no damage."""

from __future__ import annotations

import calendar
from typing import Any

import pytest

from microcoder_data.process.conversion.bare_samples import fence_samples
from microcoder_data.process.conversion.letters import repair_letters
from microcoder_data.process.conversion.powers import restore_powers
from microcoder_data.process.language import detect_language
from microcoder_data.process.markup import clean_statement
from microcoder_data.process.stage import ProcessStage
from microcoder_data.recipe import Process
from microcoder_data.verify.soundness import count_known_tests
from microcoder_eval.records import Kind, Problem, Test
from tests.data.lines import Run

TASK = "A tram stops n times. Print how often it stops, and read n from the first line."
TESTS = [{"input": f"{n}\n", "output": f"{n * n}\n"} for n in (2, 3, 5, 7)]


def find(run: Run, statement: str, **changes: Any) -> set[str]:
    """The names of what process finds."""
    row = {"problem_id": "p", "kind": "stdin", "tests": TESTS, "statement": statement, **changes}
    rows, dropped, _ = run(ProcessStage(Process()), row)
    return set(rows[0].get("findings", [])) if rows else {dropped["p"]}


def test_words_of_a_story_are_no_damage(run: Run) -> None:
    findings = find(run, "Print how many cells are forbidden, given the number n of cells.")
    assert "file_io" not in findings


ARITHMETIC = [
    "Buying 2 * 105 = 210 trams",
    "2 * 105 + 3 * 104 = 522 trams",
    "A line of 12 trams has 12 * 105 seats, 12 × 103 of them for trams of tourists.",
    "116 = 109 + 7 trams, and 109 + 7 = 116",
    "230 = 231 - 1 trams, and 231 - 1 = 230",
    "231 <= k <= 1000 trams",
]


@pytest.mark.parametrize(
    ("text", "restored"),
    [
        ("1 <= n <= 2 * 105", "1 <= n <= 2 * 10^5"),
        ("-231 <= x <= 231 - 1", "-2^31 <= x <= 2^31 - 1"),
        ("1 <= n <= 104\n-109 <= a[i] <= 109", "1 <= n <= 10^4\n-10^9 <= a[i] <= 10^9"),
        ("modulo 109 + 7, 1 ≤ n ≤ 105", "modulo 10^9 + 7, 1 ≤ n ≤ 10^5"),
        ("1 <= n <= 105", "1 <= n <= 105"),  # 105 may be meant
        ("n <= 10^5 and k <= 100000", "n <= 10^5 and k <= 100000"),
        ("The 231 trams of line 105.", "The 231 trams of line 105."),
        *((text, text) for text in ARITHMETIC),
        ("The trams 1010 and 90 + 13 = 103", "The trams 1010 and 90 + 13 = 103"),
        ("1 <= n <= 2 * 105\n\n```\n2 * 105\n```", "1 <= n <= 2 * 10^5\n\n```\n2 * 105\n```"),
    ],
)
def test_lost_powers_are_restored_where_the_text_proves_them(text: str, restored: str) -> None:
    assert restore_powers(text)[0] == restored
    assert (restore_powers(text)[1] is None) == ("trams" in text or "10^5" in text)


@pytest.mark.parametrize(("length", "bound"), [(4000, "10^5"), (90, "105")])
@pytest.mark.parametrize("is_call", [True, False])
def test_a_power_told_in_words_is_proved_by_longer_texts(
    run: Run, is_call: bool, length: int, bound: str
) -> None:
    texts = ["ab", "abc", "x" * (length - 1) + "y"]
    changes: dict[str, Any] = {
        "statement": "Print a text backwards. It has between 1 and 105 characters.",
        "tests": [{"input": f"{text}\n", "output": f"{text[::-1]}\n"} for text in texts],
    }
    if is_call:
        changes |= {
            "kind": "call", "entry_point": "reverse",
            "starter_code": "def reverse(text):\n    pass",
            "tests": [{"input": [text], "output": text[::-1]} for text in texts],
        }  # fmt: skip
    row = {"problem_id": "p", "kind": "stdin", **changes}
    rows, _, _ = run(ProcessStage(Process()), row)
    assert f"between 1 and {bound} characters" in rows[0]["statement"]
    assert ("lost_superscript" in rows[0].get("findings", [])) == (length > 105)


def test_bare_samples_are_fenced_as_they_are() -> None:
    text = "Sample Input 1\n\n2 3\n#.#\n* 3\n\nSample Output 1\n\n.#.\n\nThe middle is dark."
    assert fence_samples(text).split("```")[1] == "\n2 3\n#.#\n* 3\n"
    assert fence_samples(text).split("```")[3] == "\n.#.\n"
    assert "The middle is dark." in clean_statement(text).text.rpartition("```")[2]
    assert fence_samples("Input\n\nThe first line has n.") == "Input\n\nThe first line has n."


def test_letters_and_control_characters_are_repaired(run: Run) -> None:
    assert repair_letters("Zoë’s café") == ("Zoë’s café", None)
    assert repair_letters("Zoë’s café".encode().decode("cp1252"))[0] == "Zoë’s café"
    assert find(run, f"{TASK}\x07") == {"control_characters_removed"}


def test_a_statement_that_goes_on_in_another_language_is_of_that_one() -> None:
    german = ("Die Straßenbahn hält an jedem Tag an mehreren Stellen, und der Fahrer schreibt "
              "auf, wie viele Leute einsteigen.")  # fmt: skip
    assert detect_language(f"{TASK}\n\n{german}", ["en"]) == "de"
    assert detect_language(f"{TASK}\n\n{TASK}", ["en"]) == "en"
    chinese = "给你一个整数数组，请你返回满足条件的子数组的最大长度。如果不存在，则返回负一。"
    assert detect_language(f"{TASK}\n\n{chinese}", ["en"]) == "zh"
    months = "\n".join(f"- {name} {number}th" for number, name in enumerate(calendar.month_name))
    assert detect_language(f"{TASK}\n\n{months} is doomsday this year", ["en"]) == "en"


SUM = """# Sum

## Problem Statement

Add all of the numbers.

## Input

The first line has $n$ ($1 \\le n \\le {}).

## Output

Print the sum of all of them."""
TWO_TASKS = "\n\n".join(
    f"# Task\n\nPrint it.\n\n# Input\n\nThe only line has n.\n\n# Output\n\nThe {what} of all."
    for what in ("sum", "product")
)
OUTPUT = "The first line of the output has n (1 ≤ n ≤ 6). Add"
SAMPLE = "\n\n## Sample Input 1\n\n```\n{}\n```\n\n## Sample Output 1\n\n```\n{}\n```"


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        (SUM.format("6$"), {"tests_break_limits"}),
        (SUM.format("9$"), set()),
        # Two bounds: for parts of the tests.
        (SUM.format("6$). $1 \\le n \\le 9$ (at last"), set()),
        (SUM.format("2.5 \\cdot 10^5$"), set()),
        (SUM.format("6$). $1 \\le n \\le 6$, $1 \\le m \\le 5$ (as ever"), {"tests_break_limits"}),
        (SUM.replace("The first line has", "Read").format("6$"), {"tests_break_limits"}),
        (SUM.replace("1 ", "1000 ", 1).format("9$"), {"tests_break_limits"}),
        (SUM.replace("$1 ", "$1000 ").format("105$"), set()),  # 10^5 lost its sign
        (f"{SUM.format('9$')}\n\n{SUM.format('9$')}", {"several_problems"}),
        (TWO_TASKS, {"several_problems"}),
        ("Cut it." + "\n\n# Input\n    Ab Cd\n\n# Output\n    Ef Gh" * 3, set()),
        # A sentence about the output, a factor, and points.
        (SUM.format("6$").replace("## Input", "## Output"), set()),
        (SUM.replace("The first line has", "One number.").replace("Add", OUTPUT), set()),
        (SUM.format("6 \\times (n - 2)$"), set()),
        (SUM.format("9 - 20$ points, $1 \\le n \\le 9$"), set()),
        # A sample may be below the least, and not above the most.
        (SUM.replace("1 ", "3 ", 1).format("9$"), {"tests_break_limits"}),
        (SUM.replace("1 ", "3 ", 1).format("9$") + SAMPLE.format(2, 4), set()),
        (SUM.format("6$") + SAMPLE.format(7, 49), {"tests_break_limits"}),
    ],
)
def test_statements_that_contradict_themselves_or_the_tests_are_told(
    run: Run, statement: str, names: set[str]
) -> None:
    contradictions = {"tests_break_limits", "several_problems"}
    assert find(run, statement) & contradictions == names


@pytest.mark.parametrize(("most", "is_broken"), [(6, True), (9, False)])
def test_the_first_line_of_a_test_case_is_read(run: Run, most: int, is_broken: bool) -> None:
    count = "The first line has $t$ ($1 \\le t \\le 5$).\n\nThe first line of each test case has"
    statement = SUM.format(f"{most}$").replace("The first line has", count)
    tests = [{"input": f"1\n{n}\n", "output": f"{n * n}\n"} for n in (5, 7)]
    assert ("tests_break_limits" in find(run, statement, tests=tests)) is is_broken


@pytest.mark.parametrize(
    ("example", "bound", "name"),
    [
        ("Input: nums = [1,2], k = 2", 2, None),
        ("Input: nums = [1,2], k = 3", 2, "tests_break_limits"),
        ("Input: nums = [1,2,4], k = 2", 2, "tests_break_limits"),
        ("Input: nums = 'abc', k = 2", 3, "examples_of_another_problem"),  # no such type
    ],
)
def test_examples_contradict_bounds_and_parameters(
    run: Run, example: str, bound: int, name: str | None
) -> None:
    bounds = f"1 <= k <= {bound}\n1 <= nums.length <= {bound}"
    statement = f"Take k of them.\n\n{example}\nOutput: 3\n\n{bounds}"
    starter = "class Solution:\n    def take(self, nums: List[int], k: int) -> int:\n        "
    tests = [{"input": [[1, 2, 3], 9], "output": 4}, {"input": [[5], 9], "output": 5}]
    names = find(run, statement, kind="call", entry_point="take", starter_code=starter, tests=tests)
    assert names & {"tests_break_limits", "examples_of_another_problem"} == ({name} - {None})


def test_a_title_of_another_problem_is_flagged(run: Run) -> None:
    assert "title_mismatch" in find(run, f"# Room 404\n\n{TASK}", title="Thunder")
    assert "title_mismatch" not in find(run, f"# The Thunder\n\n{TASK}", title="Thunder")
    assert "title_mismatch" not in find(run, TASK, title=">=<")
    assert "title_mismatch" not in find(run, f"# Story\n\n{TASK}\n\n# Task\n\nGo.", title="Thunder")


@pytest.mark.parametrize(
    ("assertion", "names"),
    [
        ("f({0}) is not None", {"vacuous_tests"}),
        ("f({0}) == f({0})", {"vacuous_tests"}),
        ("isinstance(f({0}), int)", {"vacuous_tests"}),
        ("f({0}) == {0} * 2", set()),
    ],
)
def test_assertions_that_hold_for_every_program_are_told(
    run: Run, assertion: str, names: set[str]
) -> None:
    code = "".join(f"assert {assertion.format(n)}\n" for n in range(1, 4))
    changes = {"kind": "assert", "entry_point": "f", "test_code": code, "tests": None}
    assert find(run, "Double the number.", **changes) == names
    single = {**changes, "test_code": "assert f(2) == 4\n"}
    assert find(run, "Double the number.", **single) == {"few_tests"}


def test_tests_that_are_all_samples_are_flagged(run: Run) -> None:
    samples = "".join(f"\n\nSample Input {n}\n\n{test['input']}\nSample Output {n}\n\n"
                      f"{test['output']}" for n, test in enumerate(TESTS))  # fmt: skip
    assert "tests_are_samples" in find(run, TASK + samples)
    more_tests = [*TESTS, {"input": "11\n", "output": "121\n"}]
    assert "tests_are_samples" not in find(run, TASK + samples, tests=more_tests)


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("n = int(input())\nif n == 20000: print(1)\nelif n == 30000: print(2)\n"
         "elif n == 40000: print(3)", 3),
        ("print({20000: 1, 30000: 2, 40000: 3}[int(input())])", 3),
        ("print(int(input()) // 10000 - 1)", 0),
        ("if int(input()) == 20000: print(1)", 0),
    ],
)  # fmt: skip
def test_programs_that_know_the_tests_are_told(code: str, count: int) -> None:
    tests = tuple(Test(f"{n}0000\n", f"{n - 1}\n") for n in (2, 3, 4))
    assert count_known_tests(code, Problem("p", Kind.STDIN, tests)) == count


def test_notes_on_examples_do_not_load_the_model_of_languages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = "microcoder_data.process.language._load_identifier"
    monkeypatch.setattr(name, lambda: pytest.fail("it was loaded"))
    statement = "Given an array of flowers, return the number of garden paths. " * 3
    note = "Output garden paths: flowers array, number two, " * 3
    words = "Input: words = [" + '"baum", "haus", ' * 12 + "]"
    assert detect_language(f"{statement}\n\n{note}\n\n{words}") == "en"
