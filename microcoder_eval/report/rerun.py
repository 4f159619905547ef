"""Runs programs once more on the first test they failed, since results do not contain outputs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from typing import Any

from microcoder_eval.api import Judge
from microcoder_eval.compare import Comparer, make_comparer
from microcoder_eval.compare.blocks import count_common_prefix
from microcoder_eval.conversion import encode_text, normalize_newlines
from microcoder_eval.errors import ComparerError, MicrocoderError
from microcoder_eval.records import Kind, Problem, Solution, Verdict
from microcoder_sandbox import record

from .excerpts import Excerpt, Span, cut_around, cut_end, cut_output, format_value

RERUN_VERDICTS = frozenset({Verdict.WA, Verdict.RE})  # the output helps to explain these
_ACCEPTED_NOTE = (
    "When run again for this report, the program gave an accepted answer: it does not do the same "
    "each time."
)
# A checker that refuses everything and reports what the function returned. With it the judge runs
# the call exactly as before, with the names that programs find, nodes and limits.
_ECHO_CHECKER = {
    "source": "def check(arguments, result, expected):\n    return False, repr(result)\n",
    "language": "python",
    "protocol": "python",
}


@record
class RerunRequest:
    """A program to be run again on one test. position: that of the solution in its file."""

    position: int
    problem: Problem
    test_index: int
    code: str


def rerun_programs(
    judge: Judge, requests: Iterable[RerunRequest]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Run each program again; yield (position, fields).

    The fields are some of "got", "expected" (Excerpts), "stderr" (an Excerpt), "note" (a sentence).
    """
    source = iter(requests)
    with ThreadPoolExecutor(judge.workers) as threads:
        # In small batches, to hold few problems and to stop soon.
        while batch := list(islice(source, 4 * judge.workers)):
            yield from threads.map(
                lambda request: (request.position, _rerun(judge, request)), batch
            )


def _rerun(judge: Judge, request: RerunRequest) -> dict[str, Any]:
    rerun = _rerun_stdin if request.problem.kind is Kind.STDIN else _rerun_call
    try:
        return rerun(judge, request)
    except MicrocoderError as error:
        return {"note": f"It could not be run again for its output: {error}"}


def _rerun_stdin(judge: Judge, request: RerunRequest) -> dict[str, Any]:
    problem, test = request.problem, request.problem.tests[request.test_index]
    expected = encode_text(test.output)
    stdin = encode_text(normalize_newlines(test.input))
    result = judge.run(request.code, stdin, judge.options.limits.fill_from(problem.limits))
    checker = None if judge.options.ignore_checkers else problem.checker
    comparer = find_comparer(judge.options.compare if checker is None else checker)
    diff = diff_outputs(result.stdout, expected, comparer)
    output: dict[str, Any] = {"got": diff.actual, "expected": diff.expected}
    if diff.is_accepted and result.exit == 0 and result.killed is None:
        output["note"] = _ACCEPTED_NOTE
    if result.stderr.strip():
        output["stderr"] = cut_end(result.stderr.decode("utf-8", "backslashreplace"))
    return output


def _rerun_call(judge: Judge, request: RerunRequest) -> dict[str, Any]:
    problem = request.problem
    if problem.kind is not Kind.CALL or judge.options.ignore_checkers:
        return {}
    test = problem.tests[request.test_index]
    # With this checker it is another problem, so the judge does not reuse an earlier judgement.
    echo_problem = replace(problem.with_tests([test]), checker=_ECHO_CHECKER)
    results = judge.judge(
        Solution(problem.problem_id, "again", code=request.code), echo_problem
    ).tests
    if not results or results[0].verdict is not Verdict.WA:
        return {}
    diff = diff_values(results[0].detail or "", format_value(test.output))
    return {"got": diff.actual, "expected": diff.expected}


_WORD = re.compile(rb"[\w.+-]+|[\x80-\xff]+|[\s\S]")


@record
class Diff:
    """Both texts, cut around the difference. is_accepted: the comparer accepts this output."""

    actual: Excerpt
    expected: Excerpt
    is_accepted: bool = False


def find_comparer(spec: str | Mapping[str, Any]) -> Comparer | None:
    """Return the comparer of that name; None for a checker given as source."""
    try:
        return make_comparer(spec)
    except ComparerError:
        return None


def diff_outputs(actual: bytes, expected: bytes, comparer: Comparer | None) -> Diff:
    """Cut two outputs around the difference that the comparer reports, and mark it.

    If the comparer reports no place, the first words that differ are marked. An accepted output
    gets no mark.
    """
    if comparer is None:
        return _mark_first_words(actual, expected)
    actual, expected = comparer.remove_boms(actual, expected)
    objections = comparer.collect_objections(actual, expected)
    if objections and objections[-1][1] is None:
        return Diff(cut_output(actual), cut_output(expected), is_accepted=True)
    objection = dict(objections).get(comparer.reporting_method)
    if objection is None or (objection.actual is None and objection.expected is None):
        return _mark_first_words(actual, expected)
    # If one text does not contain the place, its end is marked.
    actual_span = objection.actual or (len(actual), len(actual))
    expected_span = objection.expected or (len(expected), len(expected))
    return Diff(cut_around(actual, actual_span), cut_around(expected, expected_span))


def diff_values(actual: str, expected: str) -> Diff:
    """Cut two formatted values around their first difference, and mark it."""
    return _mark_first_words(encode_text(actual), encode_text(expected))


def _mark_first_words(actual: bytes, expected: bytes) -> Diff:
    """Mark the first words that differ, from the byte that differs on."""
    offset = count_common_prefix(actual, expected)
    return Diff(
        cut_around(actual, _find_word_span(actual, offset)),
        cut_around(expected, _find_word_span(expected, offset)),
    )


def _find_word_span(data: bytes, offset: int) -> Span:
    """Return the span from ``offset`` to the end of the word, or of the single character."""
    match = _WORD.match(data, offset)
    return (offset, match.end()) if match else (offset, offset)
