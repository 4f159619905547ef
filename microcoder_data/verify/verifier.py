"""Verifies one problem: its right programs pass, its wrong programs fail, and the tests that stay
still kill them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import compress

from microcoder_data.process.complete import fill_outputs
from microcoder_data.recipe import Verify
from microcoder_data.row_reader import add_findings
from microcoder_data.rows import Row, get_kind, get_tests
from microcoder_data.stage import StageResult
from microcoder_eval.audit.checkers import check_accepts_anything
from microcoder_eval.audit.findings import Finding
from microcoder_eval.audit.labelled_programs import Program
from microcoder_eval.audit.trials import Runner
from microcoder_eval.formats.native import parse_problem
from microcoder_eval.records import Kind, Problem, Solution

from .kills import Kills, order_by_spread, probe_kills, run_wrong_programs
from .limits import extend_time_limit
from .mutants import make_mutated_programs
from .outputs import generate_outputs
from .programs import ProgramStore
from .randomness import is_random
from .reduction import (
    choose_tests,
    compute_budget,
    find_distinct_tests,
    measure_sizes,
    must_shrink,
)
from .references import ReferenceReport, check_examples, check_references, fit_limits
from .soundness import find_hard_coded

_QUICK_BYTES = 16 << 10  # mutants run on tests up to this size; larger ones take too long
_MAX_NAMES = 20  # programs that evidence names


@dataclass(slots=True)
class ProblemVerifier:
    """Verifies problems one at a time."""

    runner: Runner
    store: ProgramStore
    recipe: Verify
    seed: int

    def run(self, original: Row) -> StageResult:
        """Generate outputs, check references and examples, run wrong programs, choose tests.

        Raises DataError, UnjudgeableError, JudgeError.
        """
        references, wrong_programs, unusable_count = self.store.select_programs(
            parse_problem(fill_outputs(original))
        )
        references = references[: self.recipe.references]
        # One that draws random numbers may pass by luck, and fails other tests in each run.
        wrong_programs = [
            program for program in wrong_programs if not is_random(program.solution.code or "")
        ][: self.recipe.wrong]
        row, findings = self._generate_outputs(original, references)
        if (drop := self.recipe.choose_drop(findings)) is not None:
            return StageResult(original, drop)
        problem = parse_problem(row)
        report = check_references(self.runner, problem, references, self.recipe)
        findings += report.findings
        findings += self._check_soundness(row, problem, references, report)
        if unusable_count:
            findings.append(Finding("unusable_programs", f"{unusable_count} of its own"))
        if (drop := self.recipe.choose_drop(findings)) is not None:
            return StageResult(original, drop, timing=asdict(report.timing))
        row, test_findings = self._reduce_tests(row, problem, report, wrong_programs)
        findings += test_findings
        if unusable_count:
            row["verified"]["programs_not_usable"] = unusable_count
        if (drop := self.recipe.choose_drop(findings)) is not None:
            return StageResult(original, drop, timing=asdict(report.timing))
        if self.recipe.fit_limits:
            row = fit_limits(row, problem, report, self.recipe)
        return StageResult(add_findings(row, findings), timing=asdict(report.timing))

    def _generate_outputs(self, row: Row, references: list[Program]) -> tuple[Row, list[Finding]]:
        """Return the row with every output; right programs make the missing ones."""
        tests = get_tests(row)
        gaps = [place for place, test in enumerate(tests) if "output" not in test]
        if get_kind(row) == "assert" or not gaps:
            return row, []
        programs = [program.solution for program in references]
        limits = extend_time_limit(parse_problem(fill_outputs(row)), self.recipe).limits
        inputs = [tests[place].get("input") for place in gaps]
        outputs, failure = generate_outputs(
            self.runner, row, inputs, programs, limits, self.recipe.agreeing
        )
        if failure is not None:
            number = gaps[failure[0]] + 1
            detail = f"test {number}: {failure[1]}"
            return row, [Finding("output_not_generated", detail, {"test": number})]
        complete_tests = list(tests)
        for place, output in zip(gaps, outputs, strict=True):
            complete_tests[place] = {**tests[place], "output": output}
        findings = [name for name in row.get("findings") or [] if name != "missing_output"]
        row = {**row, "tests": complete_tests, "findings": findings}
        return row, [Finding("outputs_generated", f"{len(gaps)} outputs")]

    def _check_soundness(
        self, row: Row, problem: Problem, references: list[Program], report: ReferenceReport
    ) -> list[Finding]:
        """Return findings that make a pass of the references meaningless."""
        candidates = (
            check_examples(self.runner, row, problem, report.passing),
            find_hard_coded(problem, references),
            check_accepts_anything(self.runner, problem),
        )
        findings = [finding for finding in candidates if finding is not None]
        if not references:
            findings.append(Finding("no_reference", "no program is known to be right"))
        elif all(is_random(program.solution.code or "") for program in references):
            detail = f"{references[0].name} and all other right ones"
            findings.append(Finding("random_reference", detail))
        return findings

    def _reduce_tests(
        self, row: Row, problem: Problem, report: ReferenceReport, wrong_programs: list[Program]
    ) -> tuple[Row, list[Finding]]:
        """Return the row with chosen tests and what was verified, and the wrong programs that
        pass. Tests in groups all stay: their points count."""
        facts = {"references": len(report.passing), "wrong": len(wrong_programs)}
        if problem.kind is Kind.ASSERT or problem.groups:
            _, findings = self._judge_wrong(problem, wrong_programs, (), report)
            return {**row, "verified": facts}, findings
        distinct = find_distinct_tests(problem)
        problem = problem.with_tests(problem.tests[number] for number in distinct)
        sizes = measure_sizes(problem)
        order = order_by_spread(sizes)
        failing, findings = self._judge_wrong(problem, wrong_programs, order, report)
        row_tests = get_tests(row)
        facts["tests"] = len(row_tests)
        positions: Sequence[int] = range(len(distinct))
        if must_shrink(sizes, self.recipe) and not self.recipe.choose_drop(findings):
            kills = self._find_kills(problem, sizes, order, failing, report)
            killers = [one.tests for one in kills if one.tests]
            positions, too_large = choose_tests(sizes, killers, self.recipe)
            facts["mutants"] = len(kills) - len(failing)
            facts["mutants_killed"] = sum(one.has_failed for one in kills[len(failing) :])
            if too_large:
                number = too_large[0]
                detail = f"test {distinct[number] + 1} has {sizes[number]} bytes"
                findings.append(Finding("tests_too_large", detail))
        chosen_tests = [row_tests[distinct[position]] for position in positions]
        if len(chosen_tests) < len(row_tests):
            findings.append(Finding("tests_reduced", f"{len(chosen_tests)} of {len(row_tests)}"))
        return {**row, "tests": chosen_tests, "verified": facts}, findings

    def _find_kills(
        self,
        problem: Problem,
        sizes: Sequence[int],
        order: Sequence[int],
        wrong: Sequence[Solution],
        report: ReferenceReport,
    ) -> list[Kills]:
        """Return the kills of wrong programs, and of mutants if more tests exist than may stay.

        Mutants only run on tests that programs finish quickly. Sizes decide, since measured times
        differ between runs.
        """
        max_bytes = max(_QUICK_BYTES, sorted(sizes)[len(sizes) // 2])
        quick = [number for number in order if sizes[number] <= max_bytes]
        large = sorted(set(order) - set(quick), key=lambda number: (sizes[number], number))
        recipe = self.recipe
        probe = partial(probe_kills, self.runner, problem, max_kills=recipe.cover)
        kills = probe(wrong, [*quick, *large], steps=recipe.wrong_steps, runs_on=True)
        if compute_budget(len(sizes), recipe) < len(sizes):
            passing = [program.solution for program in report.passing]
            mutants = make_mutated_programs(passing, recipe.mutants, self.seed)
            kills += probe(mutants, quick, steps=recipe.mutant_steps)
        return kills

    def _judge_wrong(
        self,
        problem: Problem,
        programs: list[Program],
        order: Sequence[int],
        report: ReferenceReport,
    ) -> tuple[list[Solution], list[Finding]]:
        """Return the wrong programs that fail, and findings on those that no test kills. order: see
        ``run_wrong_programs``.

        Programs labelled as too slow are only noted in the timings unless the recipe drops for
        them, since the next run may judge them otherwise.
        """
        solutions = [program.solution for program in programs]
        runs = run_wrong_programs(self.runner, problem, solutions, order, self.recipe)
        report.timing.near_limit |= any(run.near_limit for run in runs)
        accepted: dict[str, list[str]] = {"wrong_accepted": [], "slow_accepted": []}
        for program, run in zip(programs, runs, strict=True):
            if not run.has_failed:
                kind = "slow_accepted" if program.is_only_too_slow else "wrong_accepted"
                accepted[kind].append(program.name)
        if accepted["slow_accepted"] and not self.recipe.must_drop("slow_accepted"):
            report.timing.slow_accepted = accepted.pop("slow_accepted")[:_MAX_NAMES]
        findings = []
        for kind, names in accepted.items():
            if names:
                remainder = f" and {len(names) - 1} more" if len(names) > 1 else ""
                detail = f"{names[0]}{remainder}: known as wrong, passes all tests"
                evidence = {"solutions": names[:_MAX_NAMES], "of": len(programs)}
                findings.append(Finding(kind, detail, evidence))
        return list(compress(solutions, (run.has_failed for run in runs))), findings
