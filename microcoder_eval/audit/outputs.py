"""Compares the outputs of programs with all comparers, and with each other.

A program runs once more only if its output matters. If the judge accepted an output as equal up to
trailing white space, the expected output stands for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from microcoder_eval.compare import make_comparer
from microcoder_eval.conversion import normalize_newlines
from microcoder_eval.extract import extract
from microcoder_eval.records import MIN_OUTPUT_MB, Kind, Problem, Test, Verdict

from .expectations import Expectations, format_answer, make_excerpt
from .findings import Finding, Severity
from .programs import Program
from .runner import Runner, Trial

# From strict to lenient. "exact" is left out: a missing newline at the end is no finding.
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
# Comparers that accept more than official judges.
_LOOSE = frozenset({"unordered_lines", "unordered_tokens", "paper", "case_insensitive", "floats"})
_SPACING = frozenset({"lines"})  # comparers stricter than official judges
_AS_EXPECTED = frozenset({"exact", "lines"})
_COMPARERS = {name: make_comparer(name) for name in PANEL}


@dataclass(slots=True)
class _ComparedProgram:
    """A program and the results of all comparers on its outputs.

    accepted_by: the comparers that have accepted every test so far. first_difference: the first
    test on which comparers differ.
    """

    trial: Trial
    accepted_by: set[str] = field(default_factory=lambda: set(PANEL))
    first_difference: dict[str, Any] | None = None

    def compare(self, test: int, output: bytes, expected: bytes) -> None:
        """Compare one output with all comparers."""
        accepting = {
            name for name in PANEL if _COMPARERS[name].compare_text(output, expected).method
        }
        if self.first_difference is None and accepting and len(accepting) < len(PANEL):
            self.first_difference = {
                "test": test + 1,
                "output": make_excerpt(output),
                "expected": make_excerpt(expected),
                "accepted_by": [name for name in PANEL if name in accepting],
                "refused_by": [name for name in PANEL if name not in accepting],
            }
        self.accepted_by &= accepting


def check_outputs(
    runner: Runner, problem: Problem, expectations: Expectations, trials: Sequence[Trial]
) -> Iterator[Finding]:
    """Find comparers that disagree, and right programs whose outputs differ."""
    compared_programs = [
        _ComparedProgram(trial)
        for trial in trials
        if trial.judge_failure is None and trial.first_judgement.tests
    ]
    disagreements: list[Finding] = []
    for number, expected in enumerate(expectations.expected):
        outputs: list[tuple[_ComparedProgram, bytes]] = []
        for compared in compared_programs:
            if compared.accepted_by or compared.trial.program.right:
                output = _get_output(runner, problem, number, expected, compared)
                if output is not None:
                    outputs.append((compared, output))
        if not disagreements:
            disagreements = _find_disagreement(number, outputs)
    yield from disagreements
    yield from _report_comparers(problem, compared_programs)


def _get_output(
    runner: Runner,
    problem: Problem,
    number: int,
    expected: bytes,
    compared: _ComparedProgram,
) -> bytes | None:
    """Return the program's output, after comparing it; None if the program fails."""
    result = compared.trial.first_judgement.tests[number]
    if result.matched_by in _AS_EXPECTED:
        return expected
    output = None
    if result.verdict in (None, Verdict.AC, Verdict.WA):
        output = _run_program(runner, problem, compared.trial.program, problem.tests[number])
    if output is None:
        compared.accepted_by.clear()
    else:
        compared.compare(number, output, expected)
    return output


def _run_program(runner: Runner, problem: Problem, program: Program, test: Test) -> bytes | None:
    """Return the program's output on a test; None if it fails, or if it is not one Python file.

    Raises JudgeError if the judge fails, and StoppedError.
    """
    solution = program.solution
    if solution.language != "python" or problem.includes or solution.files:
        return None  # no program of one file
    code = solution.code if solution.code is not None else extract(solution.response or "").code
    if code is None:
        return None
    limits = runner.get_limits(problem)
    if limits.output_mb is None:
        expected_mb = len(test.output) / 2**20
        limits = replace(limits, output_mb=max(MIN_OUTPUT_MB, 2 * expected_mb))
    stdin = normalize_newlines(test.input).encode("utf-8", "surrogatepass")
    return runner.run_program(code, stdin, limits)


def _report_comparers(
    problem: Problem, compared_programs: Sequence[_ComparedProgram]
) -> Iterator[Finding]:
    """Find verdicts that depend on the comparer. Programs with the same verdicts share one
    finding."""
    groups: dict[tuple[bool, bool, tuple[str, ...]], list[_ComparedProgram]] = {}
    for compared in compared_programs:
        right, passed = compared.trial.program.right, compared.trial.first_judgement.passed
        other_comparers = tuple(
            name for name in PANEL if (name in compared.accepted_by) is not passed
        )
        if other_comparers and compared.first_difference is not None:
            groups.setdefault((right, passed, other_comparers), []).append(compared)
    for (right, passed, other_comparers), group in groups.items():
        severity = _choose_severity(problem, right, passed, frozenset(other_comparers))
        if severity is None:
            continue
        names = [compared.trial.program.name for compared in group]
        difference = group[0].first_difference or {}
        subject = f"{_format_names(names)}, known to be {'right' if right else 'wrong'}"
        yield Finding(
            "comparers_disagree",
            f"{subject}: {'passes, but not' if passed else 'fails, but passes'} with "
            f"{', '.join(other_comparers)}: test {difference['test']}: "
            f"{format_answer(difference['output'].encode())}, "
            f"expected {format_answer(difference['expected'].encode())}",
            {
                "solutions": names,
                "right": right,
                "passed": passed,
                "others": list(other_comparers),
                **difference,
            },
            severity,
        )


def _format_names(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def _choose_severity(
    problem: Problem, right: bool, passed: bool, other_comparers: frozenset[str]
) -> Severity | None:
    """Choose the severity; None if the verdict is right and the difference between comparers
    is expected."""
    if right is not passed:
        return Severity.WARNING  # the verdict is wrong, but right with another comparer
    if problem.checker is not None or other_comparers <= (_SPACING if right else _LOOSE):
        return None
    return Severity.NOTE if right else Severity.WARNING


def _find_disagreement(number: int, outputs: list[tuple[_ComparedProgram, bytes]]) -> list[Finding]:
    """Find two right programs that print different answers to one test."""
    right_outputs = [
        (compared, output) for compared, output in outputs if compared.trial.program.right
    ]
    calibrated = _COMPARERS["calibrated"]
    for compared, output in right_outputs[1:]:
        first_compared, first_output = right_outputs[0]
        if (
            output is first_output
            or calibrated.compare_text(output, first_output).method
            or calibrated.compare_text(first_output, output).method
        ):
            continue
        tests = [
            program.trial.first_judgement.tests[number] for program in (first_compared, compared)
        ]
        verdicts = [test.verdict for test in tests]
        if verdicts == [Verdict.AC, Verdict.AC]:
            continue  # the checker accepts several answers
        return [
            _report_disagreement(
                number,
                [first_compared.trial.program.name, compared.trial.program.name],
                [format_answer(first_output), format_answer(output)],
                verdicts,
            )
        ]
    return []


def _report_disagreement(
    number: int,
    names: list[str],
    outputs: list[str],
    verdicts: list[Verdict | None],
) -> Finding:
    """Make the finding that right programs give different answers to test ``number`` (from 0)."""
    descriptions = " but ".join(
        f"{name} says {output} ({verdict})"
        for name, output, verdict in zip(names, outputs, verdicts, strict=True)
    )
    return Finding(
        "references_disagree",
        f"test {number + 1}: {descriptions}",
        {"test": number + 1, "solutions": names, "outputs": outputs,
         "verdicts": [str(verdict) for verdict in verdicts]},
        Severity.ERROR,
    )  # fmt: skip


# If a right program fails, these comparers are tried on the results of its calls.
_VALUE_PANEL = ("python", "unordered_tokens", "floats", "lcb", "paper")


def check_values(runner: Runner, problem: Problem, trials: Sequence[Trial]) -> Iterator[Finding]:
    """Find the same for problems that call functions. Their programs' outputs are not known
    here."""
    right_trials = [
        trial for trial in trials if trial.program.right and trial.judge_failure is None
    ]
    yield from _find_value_disagreement(right_trials)
    if problem.kind is not Kind.CALL:
        return
    for trial in right_trials:
        tests = trial.first_judgement.tests
        failures = {test.verdict for test in tests if test} - {Verdict.AC}
        if failures != {Verdict.WA}:
            continue
        other_comparers = [
            name for name in _VALUE_PANEL if _passes_with(runner, problem, trial.program, name)
        ]
        if other_comparers:
            number, detail = next(
                (n, test.detail) for n, test in enumerate(tests) if test.verdict is Verdict.WA
            )
            yield Finding(
                "comparers_disagree",
                f"{trial.program.name}, known to be right: fails, but passes with "
                f"{', '.join(other_comparers)}: test {number + 1}: {detail}",
                {"solutions": [trial.program.name], "right": True, "passed": False,
                 "others": other_comparers, "test": number + 1, "detail": detail},
            )  # fmt: skip


def _passes_with(runner: Runner, problem: Problem, program: Program, comparer_name: str) -> bool:
    changed_problem = replace(problem, checker={"name": comparer_name})
    (trial,) = runner.run_trials(changed_problem, [program], 1)
    return trial.first_judgement.passed


def _find_value_disagreement(right_trials: Sequence[Trial]) -> Iterator[Finding]:
    """Find a test that one right program passes and another answers differently."""
    for number, tests in enumerate(
        zip(*(trial.first_judgement.tests for trial in right_trials), strict=False)
    ):
        passing_trials = [
            trial for trial, test in zip(right_trials, tests, strict=True) if test.verdict == "AC"
        ]
        failures = [
            (trial, test)
            for trial, test in zip(right_trials, tests, strict=True)
            if test.verdict is Verdict.WA
        ]
        if passing_trials and failures:
            trial, test = failures[0]
            names = [passing_trials[0].program.name, trial.program.name]
            outputs = ["what is expected", test.detail or "something else"]
            verdicts: list[Verdict | None] = [Verdict.AC, Verdict.WA]
            yield _report_disagreement(number, names, outputs, verdicts)
            return
