"""Title and samples are part of a statement wherever the source has them: in one form, once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.process.examples import (
    Example,
    parse_call_examples,
    parse_program_examples,
)
from microcoder_data.process.stage import ProcessStage
from microcoder_data.recipe import Process
from microcoder_data.row_reader import read_row
from microcoder_data.stage import RawRecord
from tests.data.lines import Row, Run
from tests.files import write_files

ASKED = "A baker doubles an order.\n\nInput: one number n.\n\nOutput: print twice n."
SAMPLES = [{"input": "3\n", "output": "6\n"}, {"input": "5\n", "output": "10\n"}]
TESTS = [*SAMPLES, {"input": "1\n", "output": "2\n"}, {"input": "40\n", "output": "80\n"}]
SHOWN = (
    "## Sample Input 1\n\n```\n3\n```\n\n## Sample Output 1\n\n```\n6\n```\n\n"
    "## Sample Input 2\n\n```\n5\n```\n\n## Sample Output 2\n\n```\n10\n```"
)


def clean(run: Run, **fields: Any) -> str:
    """The statement that process writes."""
    row = {"problem_id": "p", "kind": "stdin", "tests": TESTS, "statement": ASKED, **fields}
    rows, dropped, _ = run(ProcessStage(Process(instruction=False)), row)
    assert not dropped
    return str(rows[0]["statement"])


@pytest.mark.parametrize("key", ["examples", "sample"])
@pytest.mark.parametrize(
    "value",
    [SAMPLES, [["3\n", "6\n"], ["5\n", "10\n"]], {"input": ["3", "5"], "output": ["6", "10"]}],
)
def test_samples_of_the_row_stand_in_the_statement(run: Run, key: str, value: Any) -> None:
    assert clean(run, **{key: value}) == f"{ASKED}\n\n{SHOWN}"


@pytest.mark.parametrize(
    "written",
    [
        "Sample Input 1:\n\n```\n3\n```\n\nSample Output 1:\n\n```\n6\n```",
        "## Examples\n\nInput\n\n```\n3\n```\n\nOutput\n\n```\n6\n```",
        "```input1\n3\n```\n\n```output1\n6\n```",
        "## Example\n\n```\nInput:\n3\n\nOutput:\n6\n```",
        "### Example 1 Input\n    3\n\n### Example 1 output\n    6",
        "## Sample Input 1 Sample Output 1\n\n```\n3\n```\n\n```\n6\n```",
    ],
)
def test_a_sample_is_shown_once_whoever_shows_it(run: Run, written: str) -> None:
    assert clean(run, statement=f"{ASKED}\n\n{written}", examples=SAMPLES) == f"{ASKED}\n\n{SHOWN}"


@pytest.mark.parametrize("output", ["Output:\n6", "Output: 6"])
def test_an_explanation_beside_its_title_is_no_part_of_the_output(run: Run, output: str) -> None:
    block = f"<pre>Input:\n3\n{output}\nExplanation: the order is doubled.</pre>"
    markdown = clean(run, statement=f"<p>{ASKED}</p>{block}")
    assert parse_program_examples(markdown) == [Example("3\n", "6\n")]
    assert "the order is doubled." in markdown


def test_a_sample_in_words_stays_one_block(run: Run) -> None:
    block = "```\nInput: n = 3\nOutput: 6\nExplanation: doubled\n```"
    assert clean(run, statement=f"{ASKED}\n\n{block}") == f"{ASKED}\n\n{block}"


def test_a_section_on_input_below_an_example_in_the_text_is_no_sample(run: Run) -> None:
    sections = (
        "*Example*:\n```\n3 -> 6\n```\n\n# Input\n\nRead from the standard input\n\n- a number"
    )
    markdown = clean(
        run, statement=f"{sections}\n\n# Output\n\nPrint on the standard output twice n."
    )
    assert parse_program_examples(markdown) == []
    assert "# Input\n\nRead from the standard input\n\n- a number" in markdown


@pytest.mark.parametrize("title", ["## Sample", "### Example 1", "**Examples**"])
def test_a_format_above_the_samples_is_no_sample(run: Run, title: str) -> None:
    sections = "## Input\n\n```\n$N$\n$a_1$ $a_2$\n```\n\n## Output\n\n```\n$X$\n```"
    sample = "Input\n\n```\n3\n```\n\nOutput\n\n```\n6\n```"
    markdown = clean(run, statement=f"{sections}\n\n{title}\n\n{sample}")
    assert parse_program_examples(markdown) == [Example("3\n", "6\n")]
    assert markdown.startswith(sections)


def test_samples_that_are_counted_from_zero_stay_so(run: Run) -> None:
    sample = "Sample Input 0\n\n```\n3\n```\n\nSample Output 0\n\n```\n6\n```"
    statement = f"{ASKED}\n\n{sample}\n\nExplanation 0\n\nDoubled."
    markdown = clean(run, statement=statement, examples=SAMPLES)
    titles = re.findall(r"^(?:## )?(\w+ (?:\w+ )?\d)$", markdown, re.MULTILINE)
    assert ", ".join(titles) == (
        "Sample Input 0, Sample Output 0, Explanation 0, Sample Input 1, Sample Output 1"
    )


def test_samples_stand_before_the_note_that_explains_them(run: Run) -> None:
    statement = f"{ASKED}\n\n## Note\n\nIn the first example the order is 3."
    text = clean(run, statement=statement, examples=SAMPLES)
    assert text == f"{ASKED}\n\n{SHOWN}\n\n## Note\n\nIn the first example the order is 3."


def test_fences_in_a_page_keep_their_lines(run: Run) -> None:
    page = (
        "<p>Print twice <i>n</i>, the input.</p>\n\n"
        "```input1\n 3\n  *x*\n```\n\n```output1\n&lt;6\n```"
    )
    text = clean(run, statement=page)
    assert parse_program_examples(text) == [Example(" 3\n  *x*\n", "<6\n")]


def test_a_title_stands_once_above_the_statement(run: Run) -> None:
    assert clean(run, title="Twice as much").startswith("# Twice as much\n\nA baker")
    titled = f"# Twice as Much\n\n{ASKED}"
    assert clean(run, title="Twice as much", statement=titled) == titled
    for other in (
        f"{ASKED}\n\n```\n# a comment\n```",
        f"# Story\n\n{ASKED}\n\n# Task\n\nDouble it.",
    ):
        assert clean(run, title="Twice as much", statement=other).startswith("# Twice as much")


def test_rows_of_open_r1_have_title_and_samples(run: Run) -> None:
    row = {
        "id": "1/A", "title": "Twice", "description": "A baker doubles an order.",
        "input_format": "One number n.", "output_format": "Print twice n.",
        "note": "In the first test case n is 3.", "examples": SAMPLES, "official_tests": TESTS,
    }  # fmt: skip
    rows, dropped, _ = run(ProcessStage(Process(instruction=False)), row)
    assert not dropped
    statement = rows[0]["statement"]
    assert statement.startswith("# Twice\n\n")
    assert len(parse_program_examples(statement)) == 2
    assert statement.index("Sample Output 2") < statement.index("In the first test case")


PACKAGE = {
    "problem.yaml": "name: Twice\n",
    "data/sample/1.in": "3\n", "data/sample/1.ans": "6\n",
    "data/secret/1.in": "4\n", "data/secret/1.ans": "8\n",
}  # fmt: skip


def read_package(folder: Path, *statements: str, files: dict[str, str] | None = None) -> Row:
    """The row of a package with these files of statements, each of which holds its own name, and
    other files."""
    texts = {**{f"problem_statement/{name}": name for name in statements}, **(files or {})}
    write_files(folder, {**PACKAGE, **texts})
    return read_row(RawRecord(0, 0, folder=str(folder), name="p"))


def test_samples_of_a_package_are_kept_apart(tmp_path: Path) -> None:
    row = read_package(tmp_path, "problem.tex")
    assert row["examples"] == [{"input": "3\n", "output": "6\n"}]


INTERACTION = ">5\n<higher & warmer\n"
BELOW = (
    "\n\nLines with < are what the program reads, those with > what it prints.\n\n"
    "## Sample Interaction 1\n\n```\n>5\n<higher & warmer\n```"
)


@pytest.mark.parametrize("suffix", ["tex", "md", "html"])
def test_interactive_problems_show_their_interactions_and_no_hidden_input(
    run: Run, tmp_path: Path, suffix: str
) -> None:
    files = {"problem.yaml": "validation: custom interactive\n", "output_validators/v.py": "",
             "data/sample/1.interaction": INTERACTION}  # fmt: skip
    row = read_package(tmp_path, f"problem.{suffix}", files=files)
    assert "examples" not in row
    assert clean(run, statement=row["statement"]) == f"problem.{suffix}{BELOW}"


@pytest.mark.parametrize(
    ("names", "read"),
    [
        (["problem.en.tex", "problem-slide.en.tex"], "problem.en.tex"),
        (["problem_slides.tex", "problem.tex"], "problem.tex"),
        (["problem.sv.tex", "problem.en.md"], "problem.en.md"),
        (["problem.en.tex", "problem.en.md"], "problem.en.tex"),
        (["problem-slide.en.tex"], None),
    ],
)
def test_only_what_the_specification_names_is_a_statement(
    tmp_path: Path, names: list[str], read: str | None
) -> None:
    assert read_package(tmp_path, *names).get("statement") == read


def test_a_sentence_that_names_the_title_is_no_title(run: Run) -> None:
    text = f"After the race called Twice as much everybody is tired. {ASKED}"
    assert clean(run, title="Twice as much", statement=text).startswith("# Twice as much\n\nAfter")
    text = f"Problem A. Twice as much\n\n{ASKED}"
    assert clean(run, title="Twice as much", statement=text).count("Twice as much") == 1


def test_outputs_belong_to_the_input_of_their_number() -> None:
    fences = "\n\n".join(
        f"Sample {what} {number}:\n\n```\n{value}\n```"
        for what, number, value in (("Input", 1, 3), ("Input", 2, 5), ("Output", 1, 6),
                                    ("Output", 2, 10))
    )  # fmt: skip
    assert parse_program_examples(fences) == [Example("3\n", "6\n"), Example("5\n", "10\n")]


@pytest.mark.parametrize(
    ("text", "arguments", "output"),
    [
        ('Input: word = "true", all = true\nOutput: "null"\n', ["true", True], "null"),
        (">>> f('a \\'null\\'', [null, false])\n'false'\n", ["a 'null'", [None, False]], "false"),
    ],
)
def test_constants_of_json_are_read_outside_of_texts_only(
    text: str, arguments: list[Any], output: str
) -> None:
    assert parse_call_examples(text, "f") == [Example(arguments, output)]
