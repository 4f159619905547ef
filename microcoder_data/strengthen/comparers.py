"""Tries comparers on all known programs, and proposes the strictest one that fits.

A comparer fits if every right program passes with it, and every wrong program that fails without it
still fails. The stage never sets one: a person or a recipe decides by the proposal.

Wrong programs are few. So a comparer is not tried if the answers themselves show that it would
check too little. Examples are a tolerance for whole numbers, ignored order where answers only
rearrange the input, and ignored case where answers differ in nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from microcoder_data.rows import Row
from microcoder_eval.audit.expected_numbers import Number, find_numbers
from microcoder_eval.audit.trials import Runner
from microcoder_eval.records import Kind, Problem, Solution, Test, Verdict

# From strict to loose. A tolerance accepts less than an ignored order, so it comes first.
_TEXT_COMPARERS: tuple[Mapping[str, Any], ...] = (
    {"name": "tokens", "case_sensitive": False},
    {"name": "floats", "abs": 1e-9, "rel": 1e-9},
    {"name": "floats", "abs": 1e-6, "rel": 1e-6},
    {"name": "floats", "abs": 1e-4, "rel": 1e-4},
    {"name": "unordered_lines"},
    {"name": "unordered_tokens"},
)
_VALUE_COMPARERS = (*_TEXT_COMPARERS[1:4], {"name": "unordered_lines"})


def propose_comparer(
    runner: Runner, problem: Problem, right: Sequence[Solution], wrong: Sequence[Solution]
) -> Row | None:
    """Return the strictest comparer that fits, as a problem's "checker", and the "evidence" for it;
    None where none does.

    problem: with the tests on which right programs disagree. Raises JudgeError.
    """
    wrong = _list_failing(runner, problem, wrong)
    if not wrong:
        return None  # no program could show that a comparer accepts too much
    for comparer in _TEXT_COMPARERS if problem.kind is Kind.STDIN else _VALUE_COMPARERS:
        checked = replace(problem, checker=comparer)
        if (
            not checks_too_little(comparer, problem.tests)
            and not _list_failing(runner, checked, right)
            and len(_list_failing(runner, checked, wrong)) == len(wrong)
        ):
            counts = {"right": len(right), "tests": len(problem.tests), "wrong_refused": len(wrong)}
            return {"checker": dict(comparer), "evidence": counts}
    return None


def _list_failing(runner: Runner, problem: Problem, programs: Sequence[Solution]) -> list[Solution]:
    """Return the programs that do not pass. Programs that are only too slow are left out."""
    judgements = runner.judge_programs(problem, programs)
    return [
        program
        for program, judgement in zip(programs, judgements, strict=True)
        if not judgement.passed and judgement.verdict is not Verdict.TLE
    ]


def checks_too_little(checker: Mapping[str, Any], tests: Sequence[Test]) -> bool:
    """Whether the expected answers show that the comparer would also accept answers that are easy
    to guess."""
    if checker["name"] == "floats":
        return not any(number.is_real for test in tests for number in _find_numbers(test.output))
    if checker["name"] == "tokens":
        words = {word for test in tests for word in str(test.output).split()}
        return len({word.lower() for word in words}) < len(words)
    return all(map(_is_rearrangement, tests))


def _find_numbers(answer: Any) -> list[Number]:
    return find_numbers(answer.encode() if isinstance(answer, str) else answer)


def _is_rearrangement(test: Test) -> bool:
    """Whether an answer is a rearrangement of a list in the input, of 1 to n, or of 0 to n - 1."""
    answer = test.output.split() if isinstance(test.output, str) else test.output
    if not isinstance(answer, list | tuple):
        return False
    items = sorted(map(str, answer))
    ranges = (range(1, len(items) + 1), range(len(items)))
    return any(sorted(map(str, values)) == items for values in (*ranges, *_list_values(test.input)))


def _list_values(value: Any) -> Iterator[Sequence[Any]]:
    """Yield the lists in an input. For a text: each line, each column, and all words below the
    first line."""
    if not isinstance(value, str):
        yield from (item for item in value if isinstance(item, list | tuple))
        return
    rows = [line.split() for line in value.splitlines()]
    yield from rows
    for column in range(max(map(len, rows), default=0)):
        yield [row[column] for row in rows[1:] if len(row) > column]
    yield [word for row in rows[1:] for word in row]
