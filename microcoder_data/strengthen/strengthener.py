"""Strengthens one problem: proposes inputs, keeps the valid ones, adds those that kill most."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from microcoder_data.endpoint import Client
from microcoder_data.process.complete import fill_outputs
from microcoder_data.reading import add_findings
from microcoder_data.recipe import Strengthen
from microcoder_data.rows import Row, draw_number, get_tests, parse_problem
from microcoder_data.stage import StageResult
from microcoder_data.verify.input_classes import format_input, measure_sizes
from microcoder_data.verify.kills import order_by_spread
from microcoder_data.verify.limits import get_time_limit, set_counting_time_limit
from microcoder_data.verify.mutants import make_counting_mutants
from microcoder_data.verify.outputs import find_kills
from microcoder_data.verify.programs import ProgramStore
from microcoder_data.verify.steps import count_steps, is_random
from microcoder_eval.audit.findings import Finding
from microcoder_eval.audit.programs import Program
from microcoder_eval.audit.runner import Runner
from microcoder_eval.records import Judgement, Kind, Problem, Solution, Verdict
from microcoder_sandbox import codec

from .choose import choose_positions
from .comparers import CheckerTrial, Proposal
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
from .drafts import draft_checker, draft_inputs
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

        Raises DataError, UnjudgeableProblemError, JudgeError, EndpointError.
        """
        problem = parse_problem(fill_outputs(original))
        references, wrong_programs, unlabelled = self.store.select_voters(problem)
        reason = self._find_obstacle(original, problem, references)
        if reason is not None:
            return StageResult({**original, "strengthened": {"skipped": reason}})
        usable, dissenting = self._select_references(problem, references)
        wrong = [program.solution for program in wrong_programs[: self.recipe.wrong]]
        right = [*usable, *(solution for solution, _ in dissenting)]
        mutants = make_counting_mutants(
            usable or right, self.recipe.mutants, self.seed, self.recipe.mutant_steps
        )
        candidate_set = CandidateSet()
        row = {**original, "strengthened": {"skipped": "no right program passes the tests"}}
        if usable:
            voters = Voters(usable, self._select_witnesses(problem, usable, unlabelled))
            candidate_set, large = self._make_candidates(original, problem, voters)
            added, facts = self._choose(original, problem, wrong, mutants, candidate_set.candidates)
            added = confirm(self.runner, problem, usable, added, self.recipe)
            facts |= {"references": len(usable), "witnesses": len(voters.witnesses)}
            facts |= {"rejected": candidate_set.rejected}
            facts |= {"large": len(large), "added": len(added) + len(large)}
            row = _add_tests(original, [*added, *large], facts)
        findings = []
        if len(usable) == 1 and not voters.have_quorum and row["strengthened"]["added"]:
            findings.append(Finding("single_reference", usable[0].solution_id))
        _note_dissent(problem, dissenting, candidate_set)
        if candidate_set.disagreements:
            proposal = self._propose_checker(row, problem, right, wrong, mutants, candidate_set)
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
        result = make_candidates(runner, row, problem, voters, inputs, recipe, recipe.mutant_steps)
        result.candidates = _spread(result.candidates, recipe.candidates)
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
        factor = min(_MAX_STEP_FACTOR, max(0.5, get_time_limit(problem) / 2))
        steps = int(_LARGE_STEPS * factor)
        for share in _SHARES if recipe.large else ():
            inputs = proposer.propose_largest(reach, share, MAX_KB)
            candidates: list[Candidate] = []
            for count in (1, recipe.large - 1):  # the first is a trial
                part = list(islice(inputs, count))
                if count == 1 and not part:
                    return []
                made = make_candidates(self.runner, row, problem, voters, part, recipe, steps)
                found = made.candidates
                candidates += confirm(self.runner, problem, voters.references, found, recipe)
                if not candidates:
                    break
            if candidates:
                return candidates[: recipe.large]
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
        self,
        row: Row,
        problem: Problem,
        wrong: Sequence[Solution],
        mutants: Sequence[Solution],
        candidates: Sequence[Candidate],
    ) -> tuple[list[Candidate], dict[str, Any]]:
        """Return the candidates to add, and figures about what they kill."""
        programs = [
            *(count_steps(program, self.recipe.mutant_steps) for program in wrong),
            *mutants,
        ]
        old_tests = _select_old_tests(row, problem)
        tests = [*old_tests, *map(_make_row_test, candidates)]
        limits = set_counting_time_limit(problem, self.recipe.time_scale).limits
        kills = [find_kills(self.runner, row, program, tests, limits) for program in programs]
        count = len(old_tests)
        old_kills = [{place for place in places if place < count} for places in kills]
        new_kills = [{place - count for place in places if place >= count} for places in kills]
        sizes = [len(format_input(problem, candidate.test)) for candidate in candidates]
        positions = choose_positions(
            new_kills,
            list(map(len, old_kills)),
            sizes,
            cover=self.recipe.cover,
            limit=self.recipe.max_added,
            minimum=self.recipe.min_added,
            marks=[candidate.marks for candidate in candidates],
        )
        selection = [candidates[place] for place in positions]
        is_chosen = [bool(item & set(positions)) for item in new_kills]
        facts = {
            "candidates": len(candidates),
            "added": len(selection),
            "mutants": len(mutants),
            "mutants_killed_before": sum(map(bool, old_kills[len(wrong) :])),
            "mutants_killed": sum(
                bool(old) or new
                for old, new in zip(old_kills[len(wrong) :], is_chosen[len(wrong) :], strict=True)
            ),
        }
        return selection, facts

    def _propose_checker(
        self,
        row: Row,
        problem: Problem,
        right: Sequence[Solution],
        wrong: Sequence[Solution],
        mutants: Sequence[Solution],
        candidate_set: CandidateSet,
    ) -> Proposal | None:
        """Return a checker that fits all known programs: a generic comparer if one fits, else a
        drafted checker."""
        trial = CheckerTrial.prepare(
            self.runner, problem, right, wrong, mutants, candidate_set.disputed
        )
        proposal = trial.propose_comparer()
        if proposal is None and self.client is not None and problem.kind is Kind.STDIN:
            return trial.try_draft(draft_checker(self.client, row, candidate_set.disputed))
        return proposal


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


def _spread(candidates: Sequence[Candidate], count: int) -> list[Candidate]:
    """Return ``count`` candidates. Each next one has the answers and branches that are rarest among
    all candidates and among those already taken."""
    sizes = [len(repr(candidate.test.input)) for candidate in candidates]
    marks = [candidate.marks for candidate in candidates]
    positions = choose_positions([], [], sizes, cover=1, limit=count, minimum=count, marks=marks)
    return [candidates[position] for position in positions]


def _add_tests(row: Row, added: Sequence[Candidate], facts: dict[str, Any]) -> Row:
    """Return the row with new tests after the old ones."""
    new_tests = list(map(_make_row_test, added))
    return {**row, "tests": [*row["tests"], *new_tests], "strengthened": facts}


def _add_evidence(
    row: Row, candidate_set: CandidateSet, proposal: Proposal | None
) -> tuple[Row, list[Finding]]:
    """Return the row with evidence for several right answers, and findings. A drafted checker has
    passed its trial and becomes the problem's checker; a generic comparer is only proposed."""
    disagreements = [item.describe() for item in candidate_set.disagreements]
    evidence: dict[str, Any] = {"disagreements": disagreements}
    count = len(candidate_set.disputed)
    findings = [Finding("needs_checker", f"{count} inputs with different right answers")]
    if proposal is not None:
        evidence |= {"checker": dict(proposal.checker), "evidence": dict(proposal.evidence)}
        findings.append(Finding("checker_proposed", str(proposal.checker.get("name", "drafted"))))
        if "source" in proposal.checker:
            row = {**row, "checker": dict(proposal.checker)}
    return {**row, "strengthened": {**row["strengthened"], "needs_checker": evidence}}, findings


def _make_row_test(candidate: Candidate) -> dict[str, Any]:
    """Return a test as a row holds it."""
    return {
        "input": codec.to_json(candidate.test.input),
        "output": codec.to_json(candidate.test.output),
        "origin": f"strengthen: {candidate.origin}",
    }


def _select_old_tests(row: Row, problem: Problem) -> list[dict[str, Any]]:
    """Return some small old tests, of all sizes."""
    sizes = measure_sizes(problem)
    small = [place for place in order_by_spread(sizes) if sizes[place] <= _MAX_OLD_BYTES]
    tests = get_tests(row)
    return [tests[place] for place in small[:_MAX_OLD_TESTS]]
