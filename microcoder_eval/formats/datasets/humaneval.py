"""HumanEval and HumanEval+ problems, and samples in the form of HumanEval and EvalPlus.

Source: openai/human-eval (README: task_id, prompt, entry_point, test, canonical_solution; samples
task_id, completion) and evalplus/evalplus (samples with ``solution``, a whole program). Rows with
``language`` (amazon-science/mxeval: MBXP; HumanEval-XL) have tests in that language, which follow
the program. The samples of MBPP and LeetCodeDataset have the same keys. ``code`` and ``response``,
as in our own format, are accepted beside a ``task_id``, too.
"""

from __future__ import annotations

import ast
import re
from contextlib import suppress

from microcoder_eval.errors import DataError
from microcoder_eval.formats import error_text
from microcoder_eval.languages import PYTHON, TEST_LANGUAGES
from microcoder_eval.syntax import parse_structure

from . import row_fields
from .format import Format, Problems, Row, get_optional_text, has_keys

_PROBLEM_KEYS = ("prompt", "entry_point", "test")
_SAMPLE_KEYS = ("solution", "completion", "code", "response")
_MAX_PROMPT_CHARS = 1 << 16
_CHECK = re.compile(r"^def check\b", re.MULTILINE)


def _read_fields(row: Row) -> Row:
    prompt, entry_point, test = (row_fields.read_text(row, key) for key in _PROBLEM_KEYS)
    reference = get_optional_text(row.get("canonical_solution"))  # continues the prompt
    programs = row_fields.read_programs([prompt + reference] if reference else [])
    if (row.get("language") or PYTHON.name) != PYTHON.name:
        language = row_fields.read_test_language(row, TEST_LANGUAGES)
        return {
            "kind": "assert",
            "test_code": test,
            "test_language": language,
            "statement": prompt,
            "starter_code": prompt,
            "solutions": [{**program, "language": language} for program in programs],
        }
    # The tests of McEval run as they are.
    call = f"\n\ncheck({entry_point})\n" if _CHECK.search(test) else ""
    return {
        "kind": "assert",
        "test_style": "check" if call else None,
        "entry_point": entry_point,
        "test_code": f"{test}{call}",
        "statement": prompt,
        **_read_helpers(row),
        "solutions": programs,
    }


def _read_helpers(row: Row) -> Row:
    """Return functions of the prompt that the tests call (encode_cyclic), as starter code: the
    tests take them from there, since a program may lack them or have others."""
    try:
        tree = parse_structure(row["prompt"], _MAX_PROMPT_CHARS)
    except SyntaxError:
        return {}
    names = set(re.findall(r"\w+", row["test"])) - {row["entry_point"]}
    helpers = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name in names]
    if not helpers:
        return {}
    imports = [n for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
    lines = row["prompt"].split("\n")
    parts = ["\n".join(lines[n.lineno - 1 : n.end_lineno]) for n in [*imports, *helpers]]
    return {"starter_code": "\n".join(parts) + "\n"}


def _rewrite_solutions(row: Row, problems: Problems | None) -> list[Row]:
    """Rewrite the solution of a sample; a completion is appended to its problem's prompt."""
    problem_id = FORMAT.require_name(row)  # "Mbpp/1" for 1: only MBPP has numbers
    prefixed_id = f"{FORMAT.integer_prefix}{problem_id}"  # for a number as text, as in a CSV
    if problems is not None and problem_id not in problems and prefixed_id in problems:
        problem_id = prefixed_id
    fields = row_fields.collect_unused(row, {"task_id", "solution"})
    if row.get("solution") is not None:
        fields["code"] = row["solution"]
    elif isinstance(row.get("completion"), str):
        fields["code"] = find_prompt(problem_id, problems) + fields.pop("completion")
    elif row.get("code") is None and row.get("response") is None:
        raise DataError(
            'a sample needs text in "completion" (to follow the prompt), "solution" (a whole '
            'program) or "response" (a model\'s answer, from which the program is taken) '
            f"({error_text.describe_keys(row)})"
        )
    return [{**fields, "problem_id": problem_id}]


def find_prompt(name: str, problems: Problems | None, key: str = "completion") -> str:
    """Return the code that the text under ``key`` continues; "" if the problem's statement is no
    code. Raises DataError."""
    problem = row_fields.get_continued(problems, name, key)
    if problem.test_language is not None:
        return problem.starter_code or ""
    prompt = problem.meta.get("prompt")  # LeetCodeDataset's, beside its description
    if isinstance(prompt, str):
        return prompt
    if problem.statement is None:
        raise DataError(
            f'problem "{error_text.shorten(name, 80)}" has no "statement", and "completion" '
            'continues it; give the whole program as "solution"'
        )
    return problem.statement if _is_program(problem.statement) else ""


def get_last_line(text: str) -> str:
    """Return the last line of a text that is not blank, without white space at its end."""
    return text.rstrip().rpartition("\n")[2]


def _is_program(text: str) -> bool:
    """Whether a text is code, which may end after a signature, without a body."""
    signature = text.rstrip()
    last_line = get_last_line(text)
    indent = last_line[: len(last_line) - len(last_line.lstrip())]
    for program in (text, f"{signature}\n{indent}    pass"):
        with suppress(SyntaxError):
            tree = parse_structure(program, _MAX_PROMPT_CHARS)
            return any(not isinstance(node, ast.Expr) for node in tree.body)
    return False


FORMAT = Format(
    name="humaneval",
    names=("task_id",),
    holds_problem=has_keys("task_id", *_PROBLEM_KEYS, without=("problem_description", "test_list")),
    read_fields=_read_fields,
    uses=frozenset(_PROBLEM_KEYS),
    judges=frozenset({"test"}),
    carries=frozenset({"canonical_solution", "language"}),
    # MBPP's problems have their reference as "code".
    holds_solution=has_keys("task_id", one_of=_SAMPLE_KEYS, without=("test_list",)),
    rewrite_solutions=_rewrite_solutions,
    integer_prefix="Mbpp/",
)
