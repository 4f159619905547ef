"""Lets a model draft generators of inputs, and a checker.

A generator runs in the sandbox, once for each seed. A checker runs confined, like every checker of
a problem, and is adopted only after its trial (comparers.py).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from microcoder_data.endpoint import Client, EndpointError
from microcoder_data.recipe import Strengthen
from microcoder_data.rows import Row, get_kind, get_tests, get_text
from microcoder_eval.audit.runner import Runner
from microcoder_eval.extract import extract
from microcoder_eval.records import Limits, Test

from .consent import CandidateInput

_MAX_STATEMENT = 8000  # characters that a prompt holds
_MAX_EXCERPT = 400
_MAX_EXAMPLE = 500
_GENERATOR_LIMITS = Limits(time_s=4.0, memory_mb=512)
_CHECKER_PROMPT = """\
A programming problem has several right answers to some inputs. Write a checker in Python: one
function check(input: str, output: str, expected: str) -> bool that returns whether the output is a
right answer to the input. expected is one right answer. Use the standard library only; read no
files. Be strict: refuse empty answers, wrong formats, and answers that are not optimal where the
problem asks for the best. Answer with one Python code block.

Problem:
{statement}

Right programs gave these different answers:
{examples}
"""
_GENERATOR_PROMPT = """\
Write a Python program that makes test inputs for the programming problem below. It reads one
integer, the seed, from standard input, seeds the module random with it and prints one valid input.
Different seeds give different inputs: tiny ones, the edges of every constraint, many equal values,
sorted ones, and ones on which careless programs fail. {form}
Answer with one Python code block.

Problem:
{statement}

An input:
{example}
"""
_FORMS = {
    "stdin": "Print it exactly as the problem describes its input.",
    "call": "Print it as one JSON array on one line: the arguments of the call, in order.",
}


def draft_inputs(
    client: Client, runner: Runner, row: Row, recipe: Strengthen
) -> list[CandidateInput]:
    """Return the inputs that a drafted generator prints. Seeds on which it fails give no input.

    Raises EndpointError where the model gives no code, JudgeError.
    """
    kind = get_kind(row)
    example = get_tests(row)[0].get("input")
    text = example if isinstance(example, str) else json.dumps(example)
    prompt = _GENERATOR_PROMPT.format(
        form=_FORMS.get(kind, _FORMS["stdin"]),
        statement=get_text(row, "statement")[:_MAX_STATEMENT],
        example=text[:_MAX_EXAMPLE],
    )
    code = client.ask([{"role": "user", "content": prompt}], _read_generator)
    inputs = []
    for seed in range(1, recipe.generator_runs + 1):
        output = runner.run_program(code, f"{seed}\n", _GENERATOR_LIMITS)
        if output is None or not output.strip() or len(output) > recipe.max_test_kb * 1024:
            continue
        value = output if kind == "stdin" else _read_arguments(output, example)
        if value is not None:
            inputs.append(CandidateInput(value, f"generator of {_name_model(recipe)}, seed {seed}"))
    return inputs


def _read_generator(answer: str) -> str:
    code = extract(answer).code
    if code is None:
        raise EndpointError("the answer holds no program")
    return code


def _read_arguments(output: str, example: object) -> list[object] | None:
    """Return the arguments that a generator printed; None if their number differs from that of a
    test."""
    try:
        value = json.loads(output)
    except (ValueError, RecursionError):
        return None
    is_alike = isinstance(value, list) and isinstance(example, list) and len(value) == len(example)
    return value if is_alike else None


def _name_model(recipe: Strengthen) -> str:
    return recipe.endpoint.model if recipe.endpoint else ""


def draft_checker(client: Client, row: Row, disputed: Sequence[Test]) -> Mapping[str, Any]:
    """Return the checker that the model writes. Raises EndpointError where it gives no code."""
    code = client.ask([{"role": "user", "content": _write_prompt(row, disputed)}], _read_checker)
    return {"source": code, "language": "python", "protocol": "python"}


def _write_prompt(row: Row, disputed: Sequence[Test]) -> str:
    examples = "\n\n".join(
        f"input:\n{str(test.input)[:_MAX_EXCERPT]}\none answer:\n{str(test.output)[:_MAX_EXCERPT]}"
        for test in disputed[:2]
    )
    statement = get_text(row, "statement")[:_MAX_STATEMENT]
    return _CHECKER_PROMPT.format(statement=statement, examples=examples)


def _read_checker(answer: str) -> str:
    code = extract(answer).code
    if code is None or "def check" not in code:
        raise EndpointError("the answer holds no function check")
    return code
