"""What programs print, compared in every way there is, and with each other.

Only outputs that are worth it are had by running the program once more: one that was accepted as
equal, but for blanks at the ends of lines, is the expected output.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from microcoder_eval.compare import comparer
from microcoder_eval.records import Kind, Problem, TestResult, Verdict

from .answers import Answers, excerpt, tell
from .bench import Bench, Trial
from .findings import Finding, Name, Severity

# From strict to lenient. Not exact: a missing newline at the end is nobody's question.
PANEL = (
    "lines",
    "tokens",
    "calibrated",
    "kattis",
    "floats",
    "case_insensitive",
    "unordered_lines",
    "unordered_tokens",
    "lcb",
    "paper",
)
# That these accept more than others is why they are chosen, where they are.
_LOOSE = frozenset({"unordered_lines", "unordered_tokens", "paper", "case_insensitive", "floats"})
_SPACING = frozenset({"lines"})  # stricter than judges are
_AS_EXPECTED = frozenset({"exact", "lines"})
_COMPARERS = {name: comparer(name) for name in PANEL}


@dataclass(slots=True)
class _Tried:
    """A program under all comparers. alive: those that have accepted every test so far."""

    trial: Trial
    alive: set[str] = field(default_factory=lambda: set(PANEL))
    split: dict[str, Any] | None = None  # the first test on which they differ

    def compare(self, test: int, output: bytes, expected: bytes) -> None:
        """Ask all of them about one output."""
        accept = {n for n in PANEL if _COMPARERS[n].text(output, expected).method is not None}
        if self.split is None and accept and len(accept) < len(PANEL):
            self.split = {
                "test": test + 1,
                "output": excerpt(output),
                "expected": excerpt(expected),
                "accepted_by": [name for name in PANEL if name in accept],
                "refused_by": [name for name in PANEL if name not in accept],
            }
        self.alive &= accept


def from_outputs(
    bench: Bench, problem: Problem, answers: Answers, trials: Sequence[Trial]
) -> Iterator[Finding]:
    """Findings about comparers, and about right programs that print different things."""
    tried = [_Tried(trial) for trial in trials if trial.failed_judge is None and trial.first.tests]
    apart: list[Finding] = []
    for number, expected in enumerate(answers.expected):
        shown: list[tuple[_Tried, bytes]] = []
        for one in tried:
            if one.alive or one.trial.program.right:
                output = _output(bench, problem, number, expected, one)
                if output is not None:
                    shown.append((one, output))
        if not apart:
            apart = _apart(problem, number, shown)
    yield from apart
    yield from _merged(problem, tried)


def _output(
    bench: Bench, problem: Problem, number: int, expected: bytes, one: _Tried
) -> bytes | None:
    """What the program prints, compared in all ways; None where it does not end well."""
    result = one.trial.first.tests[number]
    if result is not None and result.matched_by in _AS_EXPECTED:
        return expected
    output = None
    if not _ended_badly(result):
        output = bench.output(problem, one.trial.program, problem.tests[number])
    if output is None:
        one.alive.clear()
    else:
        one.compare(number, output, expected)
    return output


def _ended_badly(result: TestResult | None) -> bool:
    return result is not None and result.verdict not in (Verdict.AC, Verdict.WA)


def _merged(problem: Problem, tried: Sequence[_Tried]) -> Iterator[Finding]:
    """Whether verdicts hang on the comparer; programs with the same answer in one finding."""
    alike: dict[tuple[bool, bool, tuple[str, ...]], list[_Tried]] = {}
    for one in tried:
        right, passed = one.trial.program.right, one.trial.first.passed
        others = tuple(name for name in PANEL if (name in one.alive) is not passed)
        if others and one.split is not None:
            alike.setdefault((right, passed, others), []).append(one)
    for (right, passed, others), group in alike.items():
        severity = _severity(problem, right, passed, frozenset(others))
        if severity is None:
            continue
        names = [one.trial.program.name for one in group]
        split = group[0].split or {}
        known = f"{_some(names)}, known to be {'right' if right else 'wrong'}"
        yield Finding(
            problem.problem_id,
            Name.COMPARERS_DISAGREE,
            severity,
            f"{known}: {'passes, but not' if passed else 'fails, but passes'} with "
            f"{', '.join(others)}: test {split['test']}: {tell(split['output'].encode())}, "
            f"expected {tell(split['expected'].encode())}",
            {"solutions": names, "right": right, "passed": passed, "others": list(others), **split},
        )


def _some(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def _severity(
    problem: Problem, right: bool, passed: bool, others: frozenset[str]
) -> Severity | None:
    """None where there is nothing to say: the verdict is right, and meant to be had that way."""
    if right is not passed:
        return Severity.WARNING  # and with another comparer it would be right
    if problem.checker is not None or others <= (_SPACING if right else _LOOSE):
        return None
    return Severity.NOTE if right else Severity.WARNING


def _apart(problem: Problem, number: int, shown: list[tuple[_Tried, bytes]]) -> list[Finding]:
    """Two right programs that print different answers for one test, if there are."""
    right = [(one, output) for one, output in shown if one.trial.program.right]
    same = _COMPARERS["calibrated"]
    for one, output in right[1:]:
        first, other = right[0]
        if output is other or same.text(output, other).method or same.text(other, output).method:
            continue
        verdicts = [_verdict(tried, number) for tried in (first, one)]
        if verdicts == [Verdict.AC, Verdict.AC]:
            continue  # the checker accepts several answers, as it should
        return [
            disagreement(
                problem,
                number,
                [first.trial.program.name, one.trial.program.name],
                [tell(other), tell(output)],
                verdicts,
            )
        ]
    return []


def _verdict(tried: _Tried, number: int) -> Verdict | None:
    test = tried.trial.first.tests[number]
    return test.verdict if test is not None else None


def disagreement(
    problem: Problem,
    number: int,
    names: list[str],
    outputs: list[str],
    verdicts: list[Verdict | None],
) -> Finding:
    """Right programs that give different answers to test ``number`` (from 0)."""
    said = " but ".join(
        f"{name} says {output} ({verdict})"
        for name, output, verdict in zip(names, outputs, verdicts, strict=True)
    )
    return Finding(
        problem.problem_id,
        Name.REFERENCES_DISAGREE,
        Severity.ERROR,
        f"test {number + 1}: {said}",
        {"test": number + 1, "solutions": names, "outputs": outputs,
         "verdicts": [str(verdict) for verdict in verdicts]},
    )  # fmt: skip


# Ways to compare results of calls that are tried on a right program that fails.
_OF_VALUES = ("python", "unordered_tokens", "floats", "lcb", "paper")


def from_values(bench: Bench, problem: Problem, trials: Sequence[Trial]) -> Iterator[Finding]:
    """The same for problems that call functions, where only verdicts are known."""
    right = [t for t in trials if t.program.right and t.failed_judge is None]
    yield from _values_apart(problem, right)
    if problem.kind is not Kind.CALL:
        return
    for trial in right:
        failed = {test.verdict for test in trial.first.tests if test and test.verdict != "AC"}
        if failed != {Verdict.WA}:
            continue
        others = [name for name in _OF_VALUES if bench.passes(problem, trial.program, name)]
        if others:
            number = next(n for n, t in enumerate(trial.first.tests) if t and t.verdict == "WA")
            detail = getattr(trial.first.tests[number], "detail", None)
            yield Finding(
                problem.problem_id,
                Name.COMPARERS_DISAGREE,
                Severity.WARNING,
                f"{trial.program.name}, known to be right: fails, but passes with "
                f"{', '.join(others)}: test {number + 1}: {detail}",
                {"solutions": [trial.program.name], "right": True, "passed": False,
                 "others": others, "test": number + 1, "detail": detail},
            )  # fmt: skip


def _values_apart(problem: Problem, right: Sequence[Trial]) -> Iterator[Finding]:
    """A test that one right program passes and another answers differently."""
    for number, tests in enumerate(zip(*(trial.first.tests for trial in right), strict=False)):
        passing = [t for t, test in zip(right, tests, strict=True) if test and test.verdict == "AC"]
        wrong = [
            (trial, test)
            for trial, test in zip(right, tests, strict=True)
            if test is not None and test.verdict is Verdict.WA
        ]
        if passing and wrong:
            trial, test = wrong[0]
            names = [passing[0].program.name, trial.program.name]
            outputs = ["what is expected", test.detail or "something else"]
            verdicts: list[Verdict | None] = [Verdict.AC, Verdict.WA]
            yield disagreement(problem, number, names, outputs, verdicts)
            return
