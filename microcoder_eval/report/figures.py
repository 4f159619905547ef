"""Figures that only the report has: distributions, reasons, and the results of each test."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from microcoder_eval.compare.difference import ENDS_EARLY, LAYOUT_DIFFERS, NO_OUTPUT, TOO_MUCH
from microcoder_eval.records import Judgement, Limits, Problem, Status, TestResult, Verdict
from microcoder_eval.records.details import parse_mismatch
from microcoder_eval.results.summary import ProblemSamples
from microcoder_eval.settings import JudgeOptions

MAX_REASONS = 1000
SECONDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
_MEBIBYTES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0)


class Histogram:
    """Counts of accepted solutions and of others, by a value.

    edges: the largest value of each bin; one more bin counts larger values.
    """

    def __init__(self, edges: tuple[float, ...]) -> None:
        self.edges = edges
        self.accepted = [0] * (len(edges) + 1)
        self.others = [0] * (len(edges) + 1)

    def add(self, value: float, is_accepted: bool) -> None:
        """Count one solution."""
        (self.accepted if is_accepted else self.others)[bisect_left(self.edges, value)] += 1

    @property
    def total(self) -> int:
        """The number of solutions counted."""
        return sum(self.accepted) + sum(self.others)

    @property
    def bins(self) -> range:
        """The bins from the first to the last that is not empty."""
        counts = [a + b for a, b in zip(self.accepted, self.others, strict=True)]
        occupied = [index for index, count in enumerate(counts) if count]
        return range(occupied[0], occupied[-1] + 1) if occupied else range(0)


@dataclass(slots=True)
class ProblemFigures(ProblemSamples):
    """How the solutions of a problem did. failures, runs: how many each test has, in order."""

    failures: array[int] = field(default_factory=lambda: array("I"))
    runs: array[int] = field(default_factory=lambda: array("I"))

    def count_tests(self, tests: Sequence[TestResult]) -> None:
        """Count the results of one solution."""
        missing_counts = [0] * (len(tests) - len(self.runs))
        self.failures.extend(missing_counts)
        self.runs.extend(missing_counts)
        for index, test in enumerate(tests):
            if test.verdict is not None:
                self.runs[index] += 1
                self.failures[index] += test.verdict is not Verdict.AC


@dataclass(slots=True)
class Figures:
    """Counts of judgements; their memory grows with the number of tests only.

    methods: how many answers each comparison method accepted. reasons: how many programs failed by
    (verdict, reason), up to MAX_REASONS of them. problems: in the order of their first judgement.
    """

    times: Histogram = field(default_factory=lambda: Histogram(SECONDS))
    memory: Histogram = field(default_factory=lambda: Histogram(_MEBIBYTES))
    methods: Counter[str] = field(default_factory=Counter)
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    problems: dict[str, ProblemFigures] = field(default_factory=lambda: defaultdict(ProblemFigures))

    def add(self, judgement: Judgement) -> None:
        """Count one judgement, unless it is JE."""
        if judgement.status is Status.ERROR:
            return
        is_accepted = judgement.verdict is Verdict.AC
        problem = self.problems[judgement.problem_id]
        problem.add(judgement)
        self._count_reason(judgement)
        results = judgement.tests_run
        if not results:
            return
        self.times.add(max(test.cpu_s for test in results), is_accepted)
        peak = find_peak_memory(results)
        if peak is not None:
            self.memory.add(peak, is_accepted)
        self.methods.update(test.matched_by for test in results if test.matched_by)
        problem.count_tests(judgement.tests)

    def _count_reason(self, judgement: Judgement) -> None:
        reason = find_reason(judgement)
        if reason is None:
            return
        key = str(judgement.verdict), reason
        if key not in self.reasons and len(self.reasons) >= MAX_REASONS:
            key = str(judgement.verdict), "another reason"  # programs choose names of exceptions
        self.reasons[key] += 1


def find_peak_memory(results: Sequence[TestResult]) -> float | None:
    """Return the MiB of the largest test; None if no test has a measurement."""
    sizes = [test.memory_mb for test in results if test.memory_mb is not None]
    return max(sizes, default=None)


# At the start, or after an assertion of the tests.
_EXCEPTION = re.compile(
    r'(?:^|: )(?:Uncaught |Caused by: |Exception in thread "[^"]*" )?'
    r"((?:\w+\.)*[A-Z][\w$]*|panic|fatal error)(?:: |:?$)"
)
_ENDING = re.compile(r"exit status \d+$|signal \d+ |too many threads$|the (program|result) ")
_TYPES = {'"': "text", "'": "text", "T": "bool", "F": "bool"}
_MAX_CHARS = 80  # of a reason
_MAX_DETAIL_CHARS = 1000  # looked at; the judge's own details are shorter


def find_reason(judgement: Judgement) -> str | None:
    """Return why a program is RE or WA, by the first test that says so, None if it is neither."""
    if judgement.verdict not in (Verdict.RE, Verdict.WA):
        return None
    details = (test.detail for test in judgement.tests if test.verdict is judgement.verdict)
    detail = (next(details, None) or "")[:_MAX_DETAIL_CHARS]
    return _name_error(detail) if judgement.verdict is Verdict.RE else _name_difference(detail)


def _name_error(detail: str) -> str:
    if _ENDING.match(detail):
        return detail.split(": ")[0][:_MAX_CHARS]
    match = _EXCEPTION.search(detail)
    return match[1][:_MAX_CHARS] if match else "another message on standard error"


def _name_difference(detail: str) -> str:
    if detail.startswith(NO_OUTPUT):
        return NO_OUTPUT
    if detail.startswith(ENDS_EARLY):
        return ENDS_EARLY
    if detail.endswith(TOO_MUCH):
        return "more output than expected"
    if detail.startswith(LAYOUT_DIFFERS):
        return "only the layout differs"
    mismatch = parse_mismatch(detail)
    if mismatch is not None and "," in mismatch.place:  # the place of a word
        return _compare_words(mismatch.actual[1:-1], mismatch.expected[1:-1])
    if re.search(r"\bgot None(, expected |$)", detail):
        return "None is returned"
    if mismatch is not None:
        is_same_type = _find_type(mismatch.actual) == _find_type(mismatch.expected)
        return "another value" if is_same_type else "another type"
    if ": got " in detail:
        return "another value"
    match = _EXCEPTION.search(detail)
    return "an assertion" if match and match[1] == "AssertionError" else "something else"


def _compare_words(actual: str, expected: str) -> str:
    if actual.casefold() == expected.casefold():
        return "upper and lower case"
    if not _is_number(expected):
        return "another text"
    return "another number" if _is_number(actual) else "text in place of a number"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _find_type(text: str) -> str:
    """Return what tells the types of values apart in their repr."""
    return "number" if text[:1].isdigit() or text[:1] == "-" else _TYPES.get(text[:1], text[:1])


class LimitRanges:
    """Collects the time and the memory that programs were given."""

    def __init__(self) -> None:
        self._seconds: set[float] = set()
        self._mebibytes: set[float] = set()

    def add(self, judgement: Judgement, problem: Problem, language: str | None) -> None:
        """Add the limits of one judgement, unless its settings cannot be read.
        language: that of its program, None if it is not known."""
        settings = judgement.settings
        try:
            limits = Limits.coerce(settings.get("limits")).fill_from(problem.limits)
            scale = float(settings.get("time_scale", 1.0))
            if scales := settings.get("language_time_scale"):
                if language is None:
                    return
                options = JudgeOptions(language_time_scale=scales)
                scale *= options.get_time_scale(language)
        except (TypeError, ValueError, AttributeError):
            return  # settings that another program wrote
        self._seconds.add(limits.effective_time_s * scale)
        self._mebibytes.add(limits.effective_memory_mb)

    def describe(self) -> dict[str, str]:
        """Return {"limits": text}; nothing where no limit is known."""
        if not self._seconds:
            return {}
        seconds, mebibytes = map(_format_range, (self._seconds, self._mebibytes))
        return {"limits": f"{seconds} s of CPU time, {mebibytes} MiB"}


def _format_range(values: set[float]) -> str:
    low, high = min(values), max(values)
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"
