"""HumanEval-X: functions in C++, Java, JavaScript, Go, Rust and Python, with tests in each; and
HumanEvalPack, which adds mistaken programs to its rows.

Samples have ``generation`` (``completion`` elsewhere), which continues the prompt. Source:
THUDM/CodeGeeX (the data card and codegeex/benchmark/humaneval-x): how programs are assembled and
built. A test in JavaScript fails by printing.
"""

from __future__ import annotations

import re

from microcoder_eval.errors import DataError

from . import humaneval, row_fields
from .format import Format, Problems, Row

_TEST_LANGUAGES = {"CPP": "cpp11", "Java": "java", "JavaScript": "javascript_silent", "Go": "go",
                   "Rust": "rust", "Python": None}  # fmt: skip
_TASK = re.compile(rf"^({'|'.join(_TEST_LANGUAGES)})/\d+$")
# The set's judge adds these to C++ programs that lack them.
_CPP_INCLUDES = ("stdlib.h", "algorithm", "math.h", "stdio.h", "vector", "string", "climits",
                 "cstring", "iostream", "cassert")  # fmt: skip
_GO_SETUP = 'package main\n\nimport (\n    "testing"\n    "github.com/stretchr/testify/assert"\n)\n'
_CHECKED = re.compile(r"^check\(\s*(\w+)\s*\)", re.MULTILINE)
_DEFINED = re.compile(r"^(?:async\s+)?def\s+(\w+)", re.MULTILINE)


def _find_part(row: Row) -> str | None:
    """Return the part of the name before the number, of a row of this set."""
    name = row.get("task_id")
    match = _TASK.match(name) if isinstance(name, str) else None
    return match[1] if match else None


def _holds_problem(row: Row) -> bool:
    part = _find_part(row)
    # In Python, a row with an entry point is one of HumanEval. HumanEvalPack has one in all parts.
    return part is not None and "prompt" in row and (part != "Python" or "entry_point" not in row)


def _holds_solution(row: Row) -> bool:
    return _find_part(row) is not None and ("generation" in row or "completion" in row)


def _read_fields(row: Row) -> Row:
    part = _find_part(row)
    if part is None:
        raise DataError(
            f'"task_id" must be such as CPP/0; the parts are {", ".join(_TEST_LANGUAGES)}'
        )
    prompt, test = row_fields.read_text(row, "prompt"), row_fields.read_text(row, "test")
    starter = _make_start(part, prompt, row)
    reference = row.get("canonical_solution")
    programs = [f"{starter}{reference}"] if isinstance(reference, str) else []
    return {
        "kind": "assert",
        "test_code": test,
        "entry_point": _find_entry_point(prompt, test) if part == "Python" else None,
        "test_language": _TEST_LANGUAGES[part],
        "statement": prompt,
        "starter_code": starter,
        "solutions": [
            {**program, "language": part.lower()} for program in row_fields.read_programs(programs)
        ],
    }


def _find_entry_point(prompt: str, test: str) -> str | None:
    """Return the function that a program in Python is to define: the tests must call the
    program's, and not the prompt's, whose body is missing."""
    called_names = _CHECKED.findall(test)
    defined_names: list[str] = _DEFINED.findall(prompt)
    names = [name for name in called_names if name in defined_names] or defined_names
    return names[-1] if names else None


def _make_start(part: str, prompt: str, row: Row) -> str:
    """Return the text that a generation continues."""
    declaration = row.get("declaration")
    if part == "CPP":
        lacking = [name for name in _CPP_INCLUDES if not _includes(prompt, name)]
        return "".join(f"#include<{name}>\n" for name in lacking) + "\n" + prompt
    if part == "Rust":
        # The prompt of HumanEval-X is the comment alone; HumanEvalPack's ends by the declaration.
        last_line = humaneval.get_last_line
        if not isinstance(declaration, str) or last_line(prompt) == last_line(declaration):
            return prompt
        return declaration + prompt
    if part == "Go":
        if prompt.lstrip().startswith("package "):
            return prompt  # McEval's is a whole file
        setup = row.get("test_setup")
        imports = row.get("import")
        return (
            f"{setup if isinstance(setup, str) else _GO_SETUP}\n"
            f"{imports if isinstance(imports, str) else ''}\n{prompt}"
        )
    return prompt


def _includes(prompt: str, name: str) -> bool:
    return re.search(rf"#\s*include\s*<{re.escape(name)}>", prompt) is not None


def _rewrite_solutions(row: Row, problems: Problems | None) -> list[Row]:
    name, generation = row.get("task_id"), row.get("generation", row.get("completion"))
    if not isinstance(name, str) or not isinstance(generation, str):
        raise DataError('a sample needs text in "task_id" and "generation"')
    # Not the starter code: a problem in Python with an entry point is read as one of HumanEval.
    prompt = humaneval.find_prompt(name, problems, "generation")
    unused = row_fields.collect_unused(row, {"generation", "completion", "task_id"})
    language = (_find_part(row) or "").lower()
    return [{**unused, "problem_id": name, "code": prompt + generation, "language": language}]


FORMAT = Format(
    name="humaneval_x",
    names=("task_id",),
    holds_problem=_holds_problem,
    read_fields=_read_fields,
    uses=frozenset({"prompt", "canonical_solution", "declaration"}),
    judges=frozenset({"test", "test_setup", "import"}),
    repeats=frozenset({"example_test"}),
    holds_solution=_holds_solution,
    rewrite_solutions=_rewrite_solutions,
)
