"""Checks that right programs pass every test in time and reproduce the statement's examples."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from microcoder_data.recipe import Verify
from microcoder_data.rows import Row, get_examples, get_kind
from microcoder_eval.audit.calibration import Calibration, SlowestProgram
from microcoder_eval.audit.findings import Finding
from microcoder_eval.audit.labelled_programs import Program
from microcoder_eval.audit.trials import HASH_SEEDS, Runner, measure_slowest
from microcoder_eval.audit.verdicts import find_detail, locate_failure
from microcoder_eval.judgements import LIMITS_DERIVED
from microcoder_eval.missing_packages import find_missing_module
from microcoder_eval.records import Judgement, Kind, Problem, Solution, Test, Verdict
from microcoder_sandbox import codec

from .limits import extend_time_limit


@dataclass(slots=True)
class Timing:
    """What the next run may measure otherwise.

    cpu_s: of each passing right program, by name, on its slowest test.
    near_limit: whether a program is so near its limit that the next run may judge it otherwise.
    slow_accepted: wrong programs known as too slow that pass, unless the recipe drops for them.
    """

    cpu_s: dict[str, float] = field(default_factory=dict)
    near_limit: bool = False
    slow_accepted: list[str] = field(default_factory=list)


@dataclass(slots=True)
class ReferenceReport:
    """The results of right programs. timing: also of wrong ones, once they ran."""

    findings: list[Finding] = field(default_factory=list)
    passing: list[Program] = field(default_factory=list)
    timing: Timing = field(default_factory=Timing)


def check_references(
    runner: Runner, problem: Problem, programs: Sequence[Program], recipe: Verify
) -> ReferenceReport:
    """Judge right programs. Raises what Runner.judge_programs raises."""
    limit = problem.limits.effective_time_s * recipe.time_scale  # the judge scales it, too
    judgements = judge_quickest(runner, problem, [one.solution for one in programs], recipe)
    report = ReferenceReport()
    flaky_names = _find_flaky(runner, extend_time_limit(problem, recipe), programs, judgements)
    for program, judgement in zip(programs, judgements, strict=True):
        name, seconds = program.name, measure_slowest(judgement)
        if name in flaky_names:
            detail = f"{name} passes, and fails when its tests run again"
            report.findings.append(Finding("flaky", detail, {"solution_id": name}))
            continue
        if not judgement.passed and judgement.verdict is not Verdict.TLE:
            report.findings.append(_describe_failure(program, judgement, judgements))
            continue
        if judgement.passed:
            report.passing.append(program)
            report.timing.cpu_s[name] = round(seconds, 4)
        if not judgement.passed or seconds >= recipe.slow_from * limit:
            detail = f"{name} needs more than {recipe.slow_from:g} times the limit of {limit:g} s"
            report.findings.append(Finding("reference_too_slow", detail, {"solution_id": name}))
        elif seconds >= recipe.near_from * limit:
            report.timing.near_limit = True
    return report


def _find_flaky(
    runner: Runner, problem: Problem, programs: Sequence[Program], judgements: Sequence[Judgement]
) -> set[str]:
    """Return the names of passing programs that fail when they run again.

    The first rerun has the tests in the opposite order, the second a process for each test; both
    have another hash seed. Time decides nothing here.

    This finds programs that depend on chance, on an earlier test or on the order of a set. The cost
    is two more runs of each passing program.
    """
    pairs = zip(programs, judgements, strict=True)
    steady = [program for program, judgement in pairs if judgement.passed]
    flaky_names: set[str] = set()
    backwards = problem.with_tests(reversed(problem.tests))
    judge = runner.judge
    for again, again_problem in (
        (judge.with_hash_seed(HASH_SEEDS[1]), backwards),
        (judge.with_changes(isolation="test").with_hash_seed(HASH_SEEDS[2]), problem),
    ):
        solutions = [program.solution for program in steady]
        results = Runner(again).judge_programs(again_problem, solutions)
        for program, result in zip(list(steady), results, strict=True):
            if not result.passed and result.verdict is not Verdict.TLE:
                flaky_names.add(program.name)
                steady.remove(program)
    return flaky_names


def fit_limits(row: Row, problem: Problem, report: ReferenceReport, recipe: Verify) -> Row:
    """Return the row with a time limit from its slowest right program, marked LIMITS_DERIVED. The
    row is unchanged if no program passes or if its limit was derived before."""
    if LIMITS_DERIVED in problem.meta or not report.passing:
        return row
    slowest = max(
        (SlowestProgram(p.name, report.timing.cpu_s[p.name]) for p in report.passing),
        key=lambda program: program.cpu_s,
    )
    calibration = Calibration(recipe.limit_factor, recipe.limit_floor_s)
    time_s, mark = calibration.derive_time_limit(slowest, problem.limits.effective_time_s)
    limits = {**(row.get("limits") or {}), "time_s": time_s}
    return {**row, "limits": limits, LIMITS_DERIVED: mark}


def judge_quickest(
    runner: Runner,
    problem: Problem,
    programs: Sequence[Solution],
    recipe: Verify,
    repeated: Collection[Verdict] = (Verdict.AC, Verdict.TLE),
) -> list[Judgement]:
    """Return a judgement of each program with an extended limit: where time may decide, the
    quickest passing one of ``runs`` runs.

    Time may decide from ``near_from`` times the limit on, if the first run has one of the verdicts
    ``repeated``. Raises what Runner.judge_programs raises.
    """
    extended = extend_time_limit(problem, recipe)
    near_seconds = recipe.near_from * problem.limits.effective_time_s * recipe.time_scale
    judgements = runner.judge_programs(extended, programs)
    for number, (program, first) in enumerate(zip(programs, judgements, strict=True)):
        if measure_slowest(first) >= near_seconds and first.verdict in repeated:
            more = (runner.judge_programs(extended, [program])[0] for _ in range(recipe.runs - 1))
            passing = (judgement for judgement in (first, *more) if judgement.passed)
            judgements[number] = min(passing, key=measure_slowest, default=first)
    return judgements


def _describe_failure(
    program: Program, judgement: Judgement, judgements: Sequence[Judgement]
) -> Finding:
    """Return the finding for a right program that fails; judgements: of all right programs."""
    message, evidence = locate_failure(program, judgement)
    detail = find_detail(judgement)
    module = find_missing_module(detail)
    if module is not None and module.partition(".")[0] not in sys.stdlib_module_names:
        message = f"{program.name} imports {module}, which programs cannot import here"
        return Finding("missing_module", message, {"solution_id": program.name, "module": module})
    if judgement.verdict is not Verdict.WA:
        # The detail is left out: it may hold times or addresses, which differ between runs. A crash
        # is not a disagreement about the answer.
        return Finding("reference_fails", message, evidence)
    disagrees = any(other.passed for other in judgements)
    name = "references_disagree" if disagrees else "reference_fails"
    return Finding(name, f"{message}: {detail or judgement.error or ''}", evidence)


def check_examples(
    runner: Runner, row: Row, problem: Problem, programs: Sequence[Program]
) -> Finding | None:
    """Return a finding on the example that right programs contradict; None if there is none."""
    examples = _list_new_examples(row, problem)
    if not examples or not programs:
        return None
    kind = Kind.STDIN if get_kind(row) == "stdin" else Kind.CALL
    example_problem = replace(
        problem.with_tests(examples), kind=kind, test_code=None, test_style=None
    )
    judgements = runner.judge_programs(example_problem, [program.solution for program in programs])
    if any(judgement.passed for judgement in judgements):
        return None
    failure = judgements[0].first_failure
    if failure is None or any(judgement.verdict is not Verdict.WA for judgement in judgements):
        return None  # any other failure: the example was probably parsed wrongly
    message = f"example {failure[0] + 1}: {failure[1].detail}"
    return Finding("example_fails", message, {"solution_id": programs[0].name})


def _list_new_examples(row: Row, problem: Problem) -> list[Test]:
    """Return the examples whose input is not among the tests."""
    known_inputs = {repr(test.input) for test in problem.tests}
    tests: list[Test] = []
    for example in get_examples(row):
        if "input" in example and "output" in example:
            value, output = codec.from_json(example["input"]), codec.from_json(example["output"])
            if repr(value) not in known_inputs:
                tests.append(Test(value, output))
    return tests
