"""Strengthens one problem: proposes inputs, keeps the valid ones, adds those that kill most."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from microcoder_data.constraints import find_promise
from microcoder_data.endpoint import Client
from microcoder_data.process.complete import fill_outputs
from microcoder_data.reading import add_findings
from microcoder_data.recipe import Strengthen
from microcoder_data.rows import (
    Row,
    draw_number,
    get_tests,
    get_text,
)
from microcoder_data.stage import StageResult
from microcoder_data.verify.kills import order_by_spread, probe_kills
from microcoder_data.verify.programs import ProgramStore
from microcoder_data.verify.reduction import add_killers, measure_sizes
from microcoder_data.verify.steps import is_random
from microcoder_eval.audit.findings import Finding
from microcoder_eval.audit.programs import Program
from microcoder_eval.audit.runner import Runner
from microcoder_eval.formats.native import parse_problem
from microcoder_eval.records import Judgement, Kind, Problem, Solution, Test, Verdict
from microcoder_sandbox import codec

from .comparers import Proposal, propose_comparer
from .consent import (
    MAX_KB,
    Candidate,
    CandidateSet,
    Voters,
    confirm,
    find_originals,
    make_candidates,
)
from .domain import Reach
from .drafts import draft_inputs
from .propose import InputProposer
from .structure import InputStructure, collect_constants

# Of the greatest sizes, tried in turn until right programs end in time.
_SHARES = (1.0, 0.3, 0.1, 0.03, 0.01)
_LARGE_STEPS = 2_000_000  # loop iterations, calls and branches of a right program on a large input
_MAX_STEP_FACTOR = 2.5  # a reference gets up to this many times its steps if the time limit is long
_TRIED = 4  # programs that are judged for each wanted witness
_MAX_OLD_TESTS = 8  # old tests that mutants run on: more cost much and kill few others
_MAX_OLD_BYTES = 4 << 10  # of such a test


@dataclass(slots=True)
class ProblemStrengthener:
    """Strengthens problems one at a time. client: of the endpoint; None if there is no endpoint."""

    runner: Runner
    store: ProgramStore
    recipe: Strengthen
    seed: int
    client: Client | None = None

    def run(self, original: Row) -> StageResult:
        """Return the row with added tests, what was done, and evidence for a checker.

        Raises DataError, UnjudgeableError, JudgeError, EndpointError.
        """
        problem = parse_problem(fill_outputs(original))
        references, wrong_programs, unlabelled = self.store.select_voters(problem)
        reason = self._find_obstacle(original, problem, references)
        if reason is not None:
            return StageResult({**original, "strengthened": {"skipped": reason}})
        usable, dissenting = self._select_references(problem, references)
        wrong = [program.solution for program in wrong_programs[: self.recipe.wrong]]
        right = [*usable, *(solution for solution, _ in dissenting)]
        candidate_set = CandidateSet()
        voters = Voters(usable, self._select_witnesses(problem, usable, unlabelled))
        reason = "" if usable else "no right program passes the tests"
        if usable and voters.find_reach(original) is Reach.SEEN:
            is_call = problem.kind is Kind.CALL
            promise = find_promise(get_text(original, "statement"), reads_traits=is_call)
            reason = promise and f"too few programs vouch for a promise of the statement: {promise}"
        row = {**original, "strengthened": {"skipped": reason}}
        if not reason:
            candidate_set, large = self._make_candidates(original, problem, voters)
            added = self._choose(problem, wrong, candidate_set.candidates)
            added = confirm(self.runner, problem, usable, added, self.recipe)
            new_tests = list(map(_make_row_test, (*added, *large)))
            facts = {
                "references": len(usable),
                "witnesses": len(voters.witnesses),
                "candidates": len(candidate_set.candidates),
                "rejected": candidate_set.rejected,
                "large": len(large),
                "added": len(new_tests),
            }
            row = {**original, "tests": [*original["tests"], *new_tests], "strengthened": facts}
        findings = []
        if len(usable) == 1 and not voters.have_quorum and row["strengthened"].get("added"):
            findings.append(Finding("single_reference", usable[0].solution_id))
        _note_dissent(problem, dissenting, candidate_set)
        if candidate_set.disagreements:
            tests = (*problem.tests, *candidate_set.disputed)
            disputed = replace(problem, tests=tests)
            proposal = propose_comparer(self.runner, disputed, right, wrong)
            row, checker_findings = _add_evidence(row, candidate_set, proposal)
            findings += checker_findings
        return StageResult(add_findings(row, findings))

    def _make_candidates(
        self, row: Row, problem: Problem, voters: Voters
    ) -> tuple[CandidateSet, list[Candidate]]:
        """Return tests to choose from, and large tests.

        Inputs come from the proposer and, if there is an endpoint, from a model's generator. Large
        tests are added whatever they kill, since kills by time are not counted.
        """
        recipe, runner = self.recipe, self.runner
        reach = voters.find_reach(row)
        proposer = self._make_proposer(row, voters.references)
        inputs, large = [], []
        if proposer is not None:
            inputs = proposer.list_inputs(reach, recipe.proposals, recipe.max_test_kb)
            large = self._make_large(row, problem, Voters(voters.references), proposer, reach)
        if self.client is not None:
            inputs += draft_inputs(self.client, runner, row, recipe)
        result = make_candidates(
            runner,
            row,
            problem,
            voters,
            inputs,
            recipe,
            steps=recipe.steps,
            limit=recipe.candidates,
        )
        return result, large

    def _make_proposer(self, row: Row, references: Sequence[Solution]) -> InputProposer | None:
        constants = collect_constants([reference.code or "" for reference in references])
        structure = InputStructure.infer(row, constants)
        if structure is None:
            return None
        rng = random.Random(int(draw_number(self.seed, "strengthen", row["problem_id"]) * 2**53))
        return InputProposer(structure, constants, rng)

    def _make_large(
        self,
        row: Row,
        problem: Problem,
        voters: Voters,
        proposer: InputProposer,
        reach: Reach,
    ) -> list[Candidate]:
        """Return at most ``recipe.large`` tests of the greatest sizes.

        Sizes shrink until right programs finish within a number of steps, which is the same in
        every run.
        """
        recipe = self.recipe
        factor = min(_MAX_STEP_FACTOR, max(0.5, problem.limits.effective_time_s / 2))
        steps = int(_LARGE_STEPS * factor)
        for share in _SHARES if recipe.large else ():
            inputs = list(islice(proposer.propose_largest(reach, share, MAX_KB), recipe.large))
            additions: list[Candidate] = []
            for part in (inputs[:1], inputs[1:]):  # the first is a trial
                made = make_candidates(
                    self.runner, row, problem, voters, part, recipe, steps=steps, limit=len(part)
                )
                additions += confirm(
                    self.runner, problem, voters.references, made.candidates, recipe
                )
                if not additions:
                    break
            if additions or not inputs:
                return additions
        return []

    def _find_obstacle(
        self, row: Row, problem: Problem, references: Sequence[Program]
    ) -> str | None:
        """Why tests cannot be added; None where they can."""
        if problem.kind is Kind.ASSERT:
            return "its tests are code"
        if problem.interactor or problem.groups:
            return "it is interactive, or its tests are in groups that are scored"
        if any("output" not in test for test in get_tests(row)):
            return "a test has no output; verify makes it"
        return None if references else "no program is known to be right"

    def _select_references(
        self, problem: Problem, programs: Sequence[Program]
    ) -> tuple[list[Solution], list[tuple[Solution, Judgement]]]:
        """Return Python programs that pass all tests, and programs that give other answers than
        expected (with their judgements). Programs that use random numbers or clocks are left
        out."""
        solutions = [
            program.solution
            for program in programs
            if program.solution.language == "python" and not is_random(program.solution.code or "")
        ][: 2 * self.recipe.references]
        judgements = self.runner.judge_programs(problem, solutions)
        passing = [
            solution
            for solution, judgement in zip(solutions, judgements, strict=True)
            if judgement.passed
        ]
        dissenting = [
            (solution, judgement)
            for solution, judgement in zip(solutions, judgements, strict=True)
            if judgement.verdict is Verdict.WA
        ]
        return passing[: self.recipe.references], dissenting

    def _select_witnesses(
        self, problem: Problem, references: Sequence[Solution], programs: Sequence[Program]
    ) -> list[Solution]:
        """Return programs without a label that pass all tests, none a copy of another program."""
        originals = find_originals([*references, *(program.solution for program in programs)])
        tried = [
            solution
            for solution in originals
            if solution not in references and not is_random(solution.code or "")
        ][: _TRIED * self.recipe.witnesses]
        judgements = self.runner.judge_programs(problem, tried)
        passing = (one for one, result in zip(tried, judgements, strict=True) if result.passed)
        return list(islice(passing, self.recipe.witnesses))

    def _choose(
        self, problem: Problem, wrong: Sequence[Solution], candidates: Sequence[Candidate]
    ) -> list[Candidate]:
        """Return the candidates to add: those that kill wrong programs that the old tests do not
        kill often enough, then those whose marks are rarest."""
        recipe = self.recipe
        old_tests = _select_old_tests(problem)
        tests = (*old_tests, *(candidate.test for candidate in candidates))
        whole = replace(problem, tests=tests)
        kills = probe_kills(
            self.runner, whole, wrong, range(len(tests)), recipe.cover, recipe.steps
        )
        order = {place: place for place in range(len(tests))}
        chosen = set(range(len(old_tests)))
        limit = len(old_tests) + recipe.max_added
        for level in range(1, recipe.cover + 1):
            add_killers(chosen, [one.tests for one in kills], level, order, set(order), limit)
        for place in order:
            if len(chosen) >= min(len(old_tests) + recipe.min_added, limit):
                break
            chosen.add(place)
        first = len(old_tests)
        return [candidates[place - first] for place in sorted(chosen)[first:]]


def _note_dissent(
    problem: Problem,
    dissenting: Sequence[tuple[Solution, Judgement]],
    candidate_set: CandidateSet,
) -> None:
    """Add the old tests on which right programs give another answer than expected to the
    disagreements."""
    for solution, judgement in dissenting:
        for test, result in zip(problem.tests, judgement.tests, strict=False):
            if result is not None and result.verdict is Verdict.WA:
                candidate_set.add_disagreement(test, solution.solution_id)


def _add_evidence(
    row: Row, candidate_set: CandidateSet, proposal: Proposal | None
) -> tuple[Row, list[Finding]]:
    """Return the row with evidence for several right answers, and findings. A comparer is proposed,
    not set."""
    evidence: dict[str, Any] = {"disagreements": candidate_set.disagreements}
    count = len(candidate_set.disputed)
    findings = [Finding("needs_checker", f"{count} inputs with different right answers")]
    if proposal is not None:
        evidence |= {"checker": dict(proposal.checker), "evidence": dict(proposal.evidence)}
        findings.append(Finding("checker_proposed", str(proposal.checker["name"])))
    return {**row, "strengthened": {**row["strengthened"], "needs_checker": evidence}}, findings


def _make_row_test(candidate: Candidate) -> dict[str, Any]:
    """Return a test as a row holds it."""
    return {
        "input": codec.to_json(candidate.test.input),
        "output": codec.to_json(candidate.test.output),
        "origin": f"strengthen: {candidate.origin}",
    }


def _select_old_tests(problem: Problem) -> list[Test]:
    """Return some small old tests, of all sizes."""
    sizes = measure_sizes(problem)
    small = [place for place in order_by_spread(sizes) if sizes[place] <= _MAX_OLD_BYTES]
    return [problem.tests[place] for place in small[:_MAX_OLD_TESTS]]
