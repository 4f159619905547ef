"""Lets a model write a generator of inputs, which runs in the sandbox, once for each seed."""

from __future__ import annotations

import json

from microcoder_data.endpoint import EndpointError, open_client
from microcoder_data.recipe import Endpoint, Strengthen
from microcoder_data.rows import Row, get_kind, get_tests, get_text
from microcoder_eval.audit.trials import Runner
from microcoder_eval.extract import extract
from microcoder_eval.records import Limits

from .voting import Candidate

# Characters that a prompt holds: nearly all statements, and the form of an input.
_MAX_STATEMENT, _MAX_EXAMPLE = 8000, 500
_GENERATOR_LIMITS = Limits(time_s=4.0, memory_mb=512)
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
    endpoint: Endpoint, runner: Runner, row: Row, recipe: Strengthen
) -> list[Candidate]:
    """Return the inputs that a drafted generator prints. Seeds on which it fails give no input.

    Raises EndpointError where the model gives no code, JudgeError.
    """
    kind = get_kind(row)
    example = get_tests(row)[0].get("input")
    text = example if isinstance(example, str) else json.dumps(example)
    prompt = _GENERATOR_PROMPT.format(
        form=_FORMS[kind],
        statement=get_text(row, "statement")[:_MAX_STATEMENT],
        example=text[:_MAX_EXAMPLE],
    )
    code = open_client(endpoint, "strengthen").ask(
        [{"role": "user", "content": prompt}], _read_generator
    )
    inputs = []
    for seed in range(1, recipe.generator_runs + 1):
        output = runner.run_program(code, f"{seed}\n", _GENERATOR_LIMITS)
        if output is None or not output.strip() or len(output) > recipe.max_test_kb * 1024:
            continue
        value = output if kind == "stdin" else _read_arguments(output, example)
        if value is not None:
            inputs.append(Candidate(value, f"generator of {endpoint.model}, seed {seed}"))
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
