"""Statements become complete and explicit; what is missing is told by name; tests stay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from microcoder_data.endpoint import open_client
from microcoder_data.filter.stage import FilterStage
from microcoder_data.process.instruction import STDIN
from microcoder_data.process.language import detect_language
from microcoder_data.process.stage import ProcessStage
from microcoder_data.process.translation import find_loss
from microcoder_data.recipe import Endpoint, Filter, Process
from tests.data.clean import problems
from tests.data.lines import Row, Run
from tests.data.model import Model, say

TESTS = [{"input": "1\n", "output": "2\n"}, {"input": "4\n", "output": "8\n"}]
ASKED = "A baker doubles an order.\n\nInput: one number n.\nOutput: print twice n."
DOUBLE: Row = {"problem_id": "p", "kind": "stdin", "tests": TESTS, "statement": ASKED}
CALL: Row = {
    "problem_id": "c",
    "kind": "call",
    "entry_point": "double",
    "statement": "Give back twice the number that is given to you.",
    "tests": [{"input": [1], "output": 2}, {"input": [4], "output": 8}],
}


def process(run: Run, *rows: Row, **recipe: Any) -> tuple[list[Row], dict[str, str]]:
    """What process keeps and why it drops."""
    kept, dropped, _ = run(ProcessStage(Process(**recipe)), *rows)
    return kept, dropped


def test_tests_are_never_touched(run: Run) -> None:
    odd = [{"input": " 7 \r\n\n", "output": "<b>2</b> \n\n", "note": "kept"}, *TESTS]
    rows, _ = process(run, {**DOUBLE, "tests": odd})
    assert rows[0]["tests"] == odd


def test_a_program_is_told_to_use_standard_input(run: Run) -> None:
    rows, _ = process(run, DOUBLE)
    assert rows[0]["statement"] == f"{ASKED}\n\n{STDIN}"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, "Write the function `double` with 1 argument: "),
        ({"starter_code": "def double(n):\n    pass"}, "Complete the function `double`: "),
        ({"entry_point": "Solution().double"},
         "Complete the method `double` of the class `Solution`: "),
    ],
)  # fmt: skip
def test_a_function_is_named(run: Run, changes: Row, sentence: str) -> None:
    rows, _ = process(run, {**CALL, **changes})
    assert rows[0]["statement"].split("\n\n")[-1].startswith(sentence)


def test_processing_twice_changes_nothing(run: Run) -> None:
    once, _ = process(run, DOUBLE, CALL)
    twice, _ = process(run, *once)
    assert twice == once


def test_problems_without_fault_are_kept_without_a_flag(run: Run) -> None:
    rows, dropped = process(run, *problems(40))
    assert dropped == {}
    assert [row for row in rows if row.get("findings")] == []


def test_neither_statement_nor_starter_is_for_judging_only(run: Run) -> None:
    bare = {**DOUBLE, "statement": " \n"}
    assert process(run, bare)[1] == {"p": "not_trainable"}
    rows, _ = process(run, bare, purpose="judging")
    assert rows[0]["trainable"] is False


@pytest.mark.parametrize("statement", ["<p> </p>", "<div><br></div>", "<p>&nbsp;</p>\n"])
def test_a_statement_of_tags_alone_is_none(run: Run, statement: str) -> None:
    assert process(run, {**DOUBLE, "statement": statement})[1] == {"p": "not_trainable"}


def test_two_samples_with_one_answer_are_few_tests(run: Run) -> None:
    tests = [{"input": f"{n}\n", "output": "2\n"} for n in range(3)]
    rows, _ = process(run, {**DOUBLE, "tests": tests[:2]})
    assert "few_tests" in rows[0]["findings"]
    assert process(run, {**DOUBLE, "tests": tests})[1] == {"p": "trivial_tests"}


@pytest.mark.parametrize("name", ["description", "prompt", "content", "question"])
@pytest.mark.parametrize("row", [DOUBLE, {**CALL, "starter_code": "def double(n):\n    pass"}])
def test_a_statement_may_have_a_usual_name(run: Run, row: Row, name: str) -> None:
    other_row = {key: value for key, value in row.items() if key != "statement"} | {name: ASKED}
    rows, dropped = process(run, other_row)
    assert dropped == {}
    assert rows[0]["statement"].startswith(ASKED)


def test_starter_code_alone_can_be_trained_on(run: Run) -> None:
    row = {**CALL, "statement": None, "starter_code": "def double(n: int) -> int:\n    pass"}
    rows, _ = process(run, row)
    assert rows[0]["trainable"] is True


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"tests": []}, "no_tests"),
        ({"kind": None, "tests": None, "test_code": " "}, "no_tests"),
        ({"tests": [{"output": "2"}]}, "test_without_input"),
        ({"tests": [*TESTS, {"input": "1\n", "output": "3\n"}]}, "contradictory_tests"),
        ({"tests": [{"input": f"{n}\n", "output": "2\n"} for n in range(3)]}, "trivial_tests"),
        ({"tests": [{"input": 1, "output": 2}]}, "invalid_problem"),
        ({"limits": {"time_s": -1}}, "invalid_problem"),
        ({"checker": "none_of_that_name"}, "unjudgeable"),
        ({"statement": f"{ASKED}\n\n## Input 1\n\n```\n1\n```\n\n## Output 1\n\n```\n3\n```"},
         "example_contradicts_tests"),
        ({"statement": "Gegeben ist eine Zahl, die der Bäcker mit zwei malnimmt und ausgibt."},
         "not_english"),
        ({"statement": f"Ein Bäcker hat an jedem Tag eine Zahl von Broten und will "
                       f"wissen, wie viele es sind, wenn er das Doppelte backt.\n\n{ASKED}"},
         "not_english"),
    ],
)  # fmt: skip
def test_what_makes_a_problem_useless_drops_it(run: Run, changes: Row, reason: str) -> None:
    assert process(run, {**DOUBLE, **changes})[1] == {"p": reason}


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        (f"This is an interactive problem. {ASKED}", "interaction_told"),
        (f"Input file: a.in. {ASKED}", "file_io"),
        ("<p>Double it, as <im", "broken_markup"),
        (ASKED.replace("\n", "\\n"), "broken_markup"),
        ('{"title": "Sum", "content": "Print the sum of all."}', "broken_markup"),
        ("Print each word of a text where a &amp;amp;lt; b holds.", "broken_markup"),
    ],
)
def test_flags_drop_where_the_recipe_names_them(run: Run, statement: str, name: str) -> None:
    row = {**DOUBLE, "statement": statement}
    assert name in process(run, row)[0][0]["findings"]
    assert process(run, row, drop=(name,))[1] == {"p": name}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"entry_point": None}, "no_entry_point"),
        ({"starter_code": "def double(a, b):\n    pass"}, "wrong_arity"),
        ({"starter_code": "def treble(a):\n    pass"}, "entry_point_not_in_starter"),
        ({"statement": "Twice it.\n\n>>> double(1)\n5"}, "example_contradicts_tests"),
        ({"statement": "Twice it, please.\n\n>>> treble(1)\n3"}, "examples_of_another_problem"),
        ({"statement": "Twice it.\n\n```java\nint double(int n) {\n    int total = n;\n"
                       "    for (int i = 0; i < n; i++) total++;\n    return total;\n}\n```"},
         "solution_in_statement"),
        ({"statement": "Twice it. So:\n\n```python\ndef double(n):\n    return 2 * n\n```",
          "solutions": [{"code": "def double(n):\n    return 2 * n", "verdict": "AC"}]},
         "solution_in_statement"),
    ],
)  # fmt: skip
def test_functions_must_be_what_the_tests_call(run: Run, changes: Row, reason: str) -> None:
    assert process(run, {**CALL, **changes})[1] == {"c": reason}


@pytest.mark.parametrize(
    "code",
    [
        "int double(int n) {\n    // " + "write your own code here " * 3 + "\n}",
        "int m = double(n); // " + "calls yours\nassert(m == 2 * n); print(m); print(n);" * 2,
        "return double(n)" + "; print(m); print(n)" * 4,
        "* double(9) ==> 18 // twice nine\n" * 4,
    ],
)
def test_a_head_or_a_call_of_the_function_is_no_solution(run: Run, code: str) -> None:
    row = {**CALL, "statement": f"Double the number.\n\n```\n{code}\n```"}
    assert process(run, row)[1] == {}


@pytest.mark.parametrize(
    ("statement", "output"),
    [
        ("Cut it, in C++ too.\n\ncut(1) => {3, 2, 1, 1}\ncut({1, 2}) => 3", [3, 2, 1, 1]),
        ("Cut it:\n\n  cut(1)==3,\n  cut(2)==5", 3),
        ("Write isCut (is_cut in Python).\n\n>>> def one(n):\n>>>     return n\n>>> one(5)\n5", 3),
    ],
)  # fmt: skip
def test_examples_in_the_notation_of_another_language_prove_nothing(
    run: Run, statement: str, output: Any
) -> None:
    name = "isCut" if "isCut" in statement else "cut"
    tests = [{"input": [1], "output": output}, {"input": [2], "output": 5}]
    row = {**CALL, "entry_point": name, "statement": statement, "tests": tests}
    assert process(run, row)[1] == {}


def test_numbers_of_arguments_that_differ_are_flagged(run: Run) -> None:
    tests = [{"input": [1], "output": 2}, {"input": [1, 2], "output": 3}]
    row = {**CALL, "tests": tests}
    assert "arity_mismatch" in process(run, row)[0][0]["findings"]
    row["starter_code"] = "def double(n):\n    pass"
    assert process(run, row)[1] == {"c": "wrong_arity"}


def test_a_test_with_an_empty_output_is_flagged(run: Run) -> None:
    rows, _ = process(run, {**DOUBLE, "tests": [*TESTS, {"input": "7\n", "output": "\n"}]})
    assert "empty_output" in rows[0]["findings"]


def test_a_recipe_decides_what_drops(run: Run) -> None:
    row = {**DOUBLE, "tests": [*TESTS, TESTS[0]]}
    rows, _ = process(run, row)
    assert "duplicate_tests" in rows[0]["findings"]
    assert process(run, row, drop=["duplicate_tests"])[1] == {"p": "duplicate_tests"}
    interactive = {**DOUBLE, "statement": f"This is an interactive problem. {ASKED}"}
    assert process(run, interactive, keep=["interactive"])[0] != []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Print the sum of the two numbers that are given in the input.", "en"),
        ("Imprima la suma de los dos números que se dan en la entrada.", "es"),
        ("Imprimez la somme des deux nombres qui sont donnés dans la ligne.", "fr"),
        ("Gib die Summe der beiden Zahlen aus, die in der Zeile stehen und nicht null sind.", "de"),
        ("Выведите сумму двух чисел.", "ru"), ("输出两个数的和。", "zh"),
        ("二つの数の和を出力せよ。", "ja"),
        ("두 수의 합을 출력하시오.", "ko"),
        ("Skriv ut summan av de två tal som ges på en rad och inte är noll.", "sv"),
        ("f(x) = 2", "en"),
    ],
)  # fmt: skip
def test_languages_are_told_apart(text: str, language: str) -> None:
    assert detect_language(text) == language


def test_translations_are_asked_for_once_and_kept(
    run: Run, model: tuple[type[Model], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    handler, url = model
    words = "Given is a number n. Print twice the number."
    handler.always(say(words))
    monkeypatch.setenv("KEY_OF_THE_TEST", "secret")
    endpoint = Endpoint(
        url=url, model="m", cache=str(tmp_path / "cache.jsonl"), key_env="KEY_OF_THE_TEST"
    )
    row = {**DOUBLE, "statement": "Gegeben ist eine Zahl n. Gib das Doppelte der Zahl aus."}
    first, _ = process(run, row, translate=endpoint)
    assert first[0]["statement"].startswith("Given is a number n.")
    assert "translated" in first[0]["findings"]
    assert (handler.asked[0]["path"], handler.asked[0]["key"]) == (
        "/v1/chat/completions",
        "Bearer secret",
    )
    open_client.cache_clear()
    second, _ = process(run, row, translate=endpoint)
    assert second == first
    assert len(handler.asked) == 1
    assert "secret" not in (tmp_path / "cache.jsonl").read_text()


RUSSIAN = "Дано число n (1 ≤ n ≤ 100) и строка `abc`. Выведите его удвоенное значение m."


@pytest.mark.parametrize(
    ("translation", "fault"),
    [
        ("You are given a number n (1 ≤ n ≤ 100) and the string `abc`. Print m, its double.", None),
        ("I think it is hard.", "characters"),
        ("You are given a number n and the string `abc`. Print the double of it as m.", "numbers"),
        ("You are given a number (1 to 100, at least 1) and a string. Print its double.", "names"),
    ],
)
def test_a_translation_keeps_numbers_names_and_length(translation: str, fault: str | None) -> None:
    loss = find_loss(RUSSIAN, translation)
    assert (loss is None) if fault is None else (loss is not None and fault in loss)


def test_an_endpoint_that_is_not_there_leaves_the_problem_pending(run: Run, tmp_path: Path) -> None:
    endpoint = Endpoint(url="http://127.0.0.1:9/v1", model="m", cache=str(tmp_path / "c"), tries=1)
    row = {**DOUBLE, "statement": "Gegeben ist eine Zahl n. Gib das Doppelte der Zahl aus."}
    assert process(run, row, translate=endpoint)[1] == {"p": "endpoint_failed"}
    told = process(run, row, translate=endpoint, drop=("translation_failed",))[1]
    assert told == {"p": "translation_failed"}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)  # fmt: skip
KEYS = st.sampled_from(
    ["problem_id", "kind", "tests", "statement", "starter_code", "entry_point", "test_code", "date",
     "limits", "checker", "solutions", "findings", "examples", "difficulty", "pass_rate", "meta"]
)  # fmt: skip


CHANGED = st.tuples(
    st.sampled_from([DOUBLE, CALL]), st.dictionaries(KEYS, JSON, min_size=1, max_size=3)
)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=15
)
@given(st.lists(CHANGED, min_size=1, max_size=20))
def test_no_row_is_too_strange(run: Run, changed: list[tuple[Row, Row]]) -> None:
    rows = [{**row, **changes} for row, changes in changed]
    for stage in (ProcessStage(Process(purpose="judging")), FilterStage(Filter())):
        manifest = run(stage, *rows)[2]
        assert manifest["counts"]["read"] == len(rows)
        assert "step_failed" not in manifest["reasons"]
