"""Tests a problem's own checker: it must give a verdict on right programs and on the stored
outputs, and refuse meaningless ones.

If a checker fails on an output, the judge counts this as a refusal (WA, with a flag), since no
output of a program may make the judge fail. So only this module finds faulty checkers. testlib's
"the participant has a better answer than the jury" is such a failure too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from microcoder_eval.conversion import encode_text
from microcoder_eval.errors import UnjudgeableError
from microcoder_eval.records import Judgement, Kind, Problem, Solution, Test
from microcoder_eval.records.flags import FAILED

from .findings import Finding, Severity
from .labelled_programs import Program
from .trials import Runner, Trial

_MAX_TESTS = 20  # stored outputs that are given to the checker
_MAX_CHARS = 1 << 20  # of such an output
_MEANINGLESS_PROGRAMS = ("print()", "print('?')")
_NUMBER = re.compile(r"\d+(?:\.\d*)?")
_SAMPLE_ANSWERS = 3  # expected answers that are tried on the other tests


def has_own_checker(problem: Problem) -> bool:
    """Whether the problem has a checker given as source, which reads what programs print."""
    return problem.interactor is None and "source" in (problem.checker or {})


def check_checker(runner: Runner, problem: Problem, trials: Sequence[Trial]) -> Iterator[Finding]:
    """Find a checker, an interactor or a grader that fails on right programs or stored outputs, and
    a checker that accepts anything."""
    right_trials = [trial for trial in trials if trial.program.right]
    for trial in right_trials:
        if has_failed(trial.first_judgement):
            yield _make_finding(trial.program.name, trial.first_judgement, Severity.ERROR)
    if len(right_trials) < len(trials):
        return  # the checker is tried once: in the call with right programs only
    careless = None
    with suppress(UnjudgeableError):  # which the trials of programs report
        careless = check_accepts_anything(runner, problem)
    if careless is not None:
        yield careless
    if not has_own_checker(problem):
        return
    # A stored output may be empty or only a bound. What matters is that the checker decides on
    # right outputs.
    is_proved = any(trial.first_judgement.passed for trial in right_trials)
    severity = Severity.NOTE if is_proved else Severity.ERROR
    for number, test in enumerate(problem.tests[:_MAX_TESTS], 1):
        code = _make_echo(problem, test)
        if code is None:
            continue
        one_test = replace(problem.with_tests([test]), includes={})
        echo = Program(Solution(problem.problem_id, "stored", code=code))
        (trial,) = runner.run_trials(one_test, [echo], 1)
        if has_failed(trial.first_judgement):
            name = f"the stored output of test {number}"
            yield _make_finding(name, trial.first_judgement, severity)
            return


def has_failed(judgement: Judgement) -> bool:
    """Whether the problem's checker, interactor or grader failed."""
    return not {*FAILED.values()}.isdisjoint(judgement.flags)


def _make_echo(problem: Problem, test: Test) -> str | None:
    """Return a program that gives the stored output; None if no output can be given."""
    if problem.kind is Kind.STDIN:
        if len(test.output) > _MAX_CHARS:
            return None
        data = encode_text(test.output)
        return f"import sys\nsys.stdout.buffer.write({data!r})\n"
    try:
        text = json.dumps(test.output)
    except (TypeError, ValueError):
        return None  # a value that JSON has no form for
    if len(text) > _MAX_CHARS:
        return None
    name = (problem.entry_point or "").rpartition(".")[2]
    return f"import json\ndef {name}(*args, **kwargs):\n    return json.loads({text!r})\n"


def _make_finding(source: str, judgement: Judgement, severity: Severity) -> Finding:
    flags = sorted({*FAILED.values()} & {*judgement.flags})
    details = [test.detail for test in judgement.tests if test.detail and "failed" in test.detail]
    detail = f"{source}: {details[0] if details else flags[0].replace('_', ' ')}"
    evidence = {"over": source, "flags": flags}
    return Finding("checker_fails", detail, evidence, severity)


def check_accepts_anything(runner: Runner, problem: Problem) -> Finding | None:
    """Return a finding if the problem's own checker accepts meaningless answers.

    Raises what Runner.judge_programs raises.
    """
    if problem.kind is not Kind.STDIN or not problem.checker:
        return None
    if "source" in problem.checker:
        programs = [_make_solution(problem, code) for code in _MEANINGLESS_PROGRAMS]
        for program, judgement in zip(
            programs, runner.judge_programs(problem, programs), strict=True
        ):
            if judgement.passed:
                return _make_careless(f"it accepts {program.code}")
        if _accepts_nan(runner, problem):
            return _make_careless("it accepts nan for each number of a right answer")
    return _check_accepts_other_answers(runner, problem)


def _accepts_nan(runner: Runner, problem: Problem) -> bool:
    """Whether a checker takes nan for the numbers of a stored output: all comparisons with it are
    false, so that a difference is never too large."""
    tests = [test for test in problem.tests if _NUMBER.search(str(test.output))]
    if not tests:
        return False
    test = min(tests, key=lambda test: len(str(test.output)))
    one_test = problem.with_tests([test])
    text = _NUMBER.sub("nan", str(test.output))
    program = _make_solution(problem, f"print({text!r}, end='')")
    return runner.judge_programs(one_test, [program])[0].passed


def _check_accepts_other_answers(runner: Runner, problem: Problem) -> Finding | None:
    """Return a finding if each of a few expected answers also passes all other tests."""
    answers = list({" ".join(str(test.output).split()): test for test in problem.tests}.values())
    samples = sorted(answers, key=lambda test: len(str(test.output)))[:_SAMPLE_ANSWERS]
    if len(samples) < _SAMPLE_ANSWERS:
        return None
    for sample in samples:
        other_tests = problem.with_tests(test for test in answers if test is not sample)
        program = _make_solution(problem, f"print({str(sample.output)!r}, end='')")
        if not runner.judge_programs(other_tests, [program])[0].passed:
            return None
    return _make_careless("it accepts the answer of one test for all the others")


def _make_solution(problem: Problem, code: str) -> Solution:
    return Solution(problem.problem_id, "meaningless", code)


def _make_careless(detail: str) -> Finding:
    return Finding("careless_checker", detail, severity=Severity.ERROR)
