"""Lets a model draft a checker, and adopts it only if it judges every known answer rightly.

A draft runs caged, as every checker of a problem does. It must accept all right programs on all
tests, refuse every wrong program that was refused without it, and refuse answers that are spoilt
on purpose. A draft that fails, hangs or crashes is not adopted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from microcoder_data.endpoint import Client, EndpointError
from microcoder_data.rows import Row, get_text
from microcoder_data.verify.runner import Runner, UnjudgeableProblemError
from microcoder_eval.extract import extract
from microcoder_eval.records import Kind, Problem, Solution, Test, Verdict

from .comparers import Proposal

_MAX_STATEMENT = 8000  # characters that a prompt holds
_MAX_EXCERPT = 400
_SPOILT_TESTS = 6  # tests whose answers are spoilt
# Spoilt answers that may be right by chance (another number, another test's answer): of these the
# share that must be refused.
_REFUSED_SHARE = 0.7
_PROMPT = """\
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


def draft_checker(
    client: Client,
    runner: Runner,
    row: Row,
    problem: Problem,
    right: Sequence[Solution],
    wrong: Sequence[Solution],
    disputed: Sequence[Test],
) -> Proposal | None:
    """Return a drafted checker that judges all known answers rightly; None where the draft does
    not.

    Raises EndpointError where the model gives no code, JudgeError.
    """
    if problem.kind is not Kind.STDIN:
        return None
    code = client.ask([{"role": "user", "content": _write_prompt(row, disputed)}], _read_code)
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
    return _PROMPT.format(statement=statement, examples=examples)


def _read_code(answer: str) -> str:
    code = extract(answer).code
    if code is None or "def check" not in code:
        raise EndpointError("the answer holds no function check")
    return code


def _count_refused(runner: Runner, problem: Problem) -> tuple[int, int | None]:
    """How many spoilt answers the checker refuses, and of how many; None where it accepts one that
    cannot be right."""
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
    """(test, spoilt answer, whether it is surely wrong)."""
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
