"""Tests a problem's own checker: it must give a verdict on right programs and on the stored
outputs.

If a checker fails on an output, the judge counts this as a refusal (WA, with a flag), since no
output of a program may make the judge fail. So only this module finds faulty checkers. testlib's
"the participant has a better answer than the jury" is such a failure too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from microcoder_eval.records import Judgement, Kind, Problem, Solution, Test

from .findings import Finding, Severity
from .programs import Program
from .trials import Runner, Trial

_FLAGS = frozenset({"checker_failed", "interactor_failed", "grader_failed"})
_MAX_TESTS = 20  # stored outputs that are given to the checker
_MAX_CHARS = 1 << 20  # of such an output


def has_own_checker(problem: Problem) -> bool:
    """Whether the problem has a checker given as source, which reads what programs print."""
    return problem.interactor is None and "source" in (problem.checker or {})


def check_checker(runner: Runner, problem: Problem, trials: Sequence[Trial]) -> Iterator[Finding]:
    """Find a checker, an interactor or a grader that fails on right programs or stored outputs.
    Raises StoppedError."""
    right_trials = [trial for trial in trials if trial.program.right]
    for trial in right_trials:
        if _has_failed(trial.first_judgement):
            yield _make_finding(trial.program.name, trial.first_judgement, Severity.ERROR)
    if not has_own_checker(problem) or len(right_trials) < len(trials):
        return  # the checker gets the stored outputs once: in the call with right programs only
    # A stored output may be empty or only a bound. What matters is that the checker decides on
    # right outputs.
    is_proved = any(trial.first_judgement.passed for trial in right_trials)
    severity = Severity.NOTE if is_proved else Severity.ERROR
    for number, test in enumerate(problem.tests[:_MAX_TESTS], 1):
        code = _make_echo(problem, test)
        if code is None:
            continue
        one_test = replace(problem, tests=(test,), groups=(), grader=None, includes={})
        echo = Program(Solution(problem.problem_id, "stored", code=code))
        (trial,) = runner.run_trials(one_test, [echo], 1)
        if _has_failed(trial.first_judgement):
            name = f"the stored output of test {number}"
            yield _make_finding(name, trial.first_judgement, severity)
            return


def _has_failed(judgement: Judgement) -> bool:
    return not _FLAGS.isdisjoint(judgement.flags)


def _make_echo(problem: Problem, test: Test) -> str | None:
    """Return a program that gives the stored output; None if no output can be given."""
    if problem.kind is Kind.STDIN:
        if len(test.output) > _MAX_CHARS:
            return None
        data = test.output.encode("utf-8", "surrogatepass")
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
    flags = sorted(_FLAGS.intersection(judgement.flags))
    details = [test.detail for test in judgement.tests if test.detail and "failed" in test.detail]
    detail = f"{source}: {details[0] if details else flags[0].replace('_', ' ')}"
    evidence = {"over": source, "flags": flags}
    return Finding("checker_fails", detail, evidence, severity)
