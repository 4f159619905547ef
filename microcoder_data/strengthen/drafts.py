"""Lets a model draft generators of inputs, and a checker that is adopted if it passes a trial.

A generator runs in the sandbox, once for each seed. A checker runs confined, like every checker of
a problem. In its trial it must accept all right programs on all tests, refuse every wrong program
that is refused without it, and refuse answers that are spoilt on purpose. A checker that fails,
hangs or crashes is not adopted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from microcoder_data.endpoint import Client, EndpointError
from microcoder_data.recipe import Strengthen
from microcoder_data.rows import Row, get_kind, get_tests, get_text
from microcoder_eval.audit.runner import Runner, UnjudgeableProblemError
from microcoder_eval.extract import extract
from microcoder_eval.records import Kind, Limits, Problem, Solution, Test, Verdict

from .comparers import Proposal
from .consent import CandidateInput

_MAX_STATEMENT = 8000  # characters that a prompt holds
_MAX_EXCERPT = 400
_MAX_EXAMPLE = 500
_GENERATOR_LIMITS = Limits(time_s=4.0, memory_mb=512)
_SPOILT_TESTS = 6  # tests whose answers are spoilt
# The checker must refuse this share of the spoilt answers. It need not refuse all: some, such as
# another test's answer, may be right by chance.
_REFUSED_SHARE = 0.7
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


def draft_checker(
    client: Client,
    runner: Runner,
    row: Row,
    problem: Problem,
    right: Sequence[Solution],
    wrong: Sequence[Solution],
    disputed: Sequence[Test],
) -> Proposal | None:
    """Return a drafted checker that judges all known answers correctly; None if the draft fails its
    trial.

    Raises EndpointError where the model gives no code, JudgeError.
    """
    if problem.kind is not Kind.STDIN:
        return None
    code = client.ask([{"role": "user", "content": _write_prompt(row, disputed)}], _read_checker)
    checker = {"source": code, "language": "python", "protocol": "python"}
    tests = (*problem.tests, *disputed)
    checked_problem = replace(problem, tests=tests, checker=checker)
    try:
        rights = runner.judge_programs(checked_problem, right)
        if not all(judgement.passed for judgement in rights):
            return None
        failing = [
            program
            for program, judgement in zip(
                wrong, runner.judge_programs(replace(problem, tests=tests), wrong), strict=True
            )
            if judgement.verdict is Verdict.WA
        ]
        if any(judgement.passed for judgement in runner.judge_programs(checked_problem, failing)):
            return None
        refused, spoilt = _count_refused(runner, checked_problem)
    except UnjudgeableProblemError:
        return None
    if spoilt is None or refused < _REFUSED_SHARE * spoilt:
        return None
    evidence = {
        "drafted": True,
        "right": len(right),
        "tests": len(tests),
        "wrong_refused": len(failing),
        "spoilt_answers_refused": f"{refused} of {spoilt}",
    }
    return Proposal(checker, evidence)


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


def _count_refused(runner: Runner, problem: Problem) -> tuple[int, int | None]:
    """Return how many spoilt answers the checker refuses, and how many there are. The latter is
    None if the checker accepts an answer that is certainly wrong."""
    refused = total = 0
    for test, answer, is_surely_wrong in _spoil_answers(problem):
        program = Solution(problem.problem_id, "spoilt", f"print({answer!r}, end='')")
        judgement = runner.judge_programs(replace(problem, tests=(test,)), [program])[0]
        if judgement.passed and is_surely_wrong:
            return refused, None
        total += 1
        refused += not judgement.passed
    return refused, total


def _spoil_answers(problem: Problem) -> Iterator[tuple[Test, str, bool]]:
    """Yield (test, spoilt answer, whether it is certainly wrong)."""
    tests = sorted(problem.tests, key=lambda test: len(test.input))[:_SPOILT_TESTS]
    for position, test in enumerate(tests):
        output = str(test.output)
        tokens: list[Any] = output.split()
        if tokens:
            yield test, "", True
        yield test, "?~", True
        yield test, f"{output.rstrip()}\n?~\n", True
        if len(tokens) > 1:
            yield test, " ".join(tokens[:-1]) + "\n", False
        if tokens and tokens[-1].lstrip("-").isdigit():
            shifted = [*tokens[:-1], str(int(tokens[-1]) + 10**6 + 3)]
            yield test, " ".join(shifted) + "\n", False
        other = str(tests[position - 1].output)
        if other.split() != tokens:
            yield test, other, False
