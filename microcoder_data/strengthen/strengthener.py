"""Strengthens one problem: proposes inputs, keeps the valid ones, adds those that kill most."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from microcoder_data.constraints import list_promises
from microcoder_data.process.complete import fill_outputs
from microcoder_data.recipe import Strengthen
from microcoder_data.row_reader import add_findings
from microcoder_data.rows import Row, draw_number, get_tests, get_text
from microcoder_data.stage import StageResult
from microcoder_data.verify.kills import probe_kills
from microcoder_data.verify.programs import ProgramStore
from microcoder_data.verify.randomness import is_random
from microcoder_data.verify.reduction import add_killers
from microcoder_data.verify.steps import seed_random
from microcoder_eval.audit.findings import Finding
from microcoder_eval.audit.labelled_programs import Program
from microcoder_eval.audit.trials import Runner
from microcoder_eval.formats.native import parse_problem
from microcoder_eval.records import Judgement, Kind, Problem, Solution, Verdict

from .comparers import propose_comparer
from .drafts import draft_inputs
from .propose import InputProposer
from .structure import InputStructure
from .voting import MAX_KB, Candidate, CandidateSet, Voters

# Of the greatest sizes, tried in turn until right programs end in time.
_SHARES = (1.0, 0.3, 0.1, 0.03, 0.01)
# Loop iterations, calls and branches of a right program on a large input, for each second of its
# limit: so many take Python about half of it. A stage can wait for no more seconds.
_STEPS_PER_SECOND, _MAX_SECONDS = 1_000_000, 5


@dataclass(slots=True)
class ProblemStrengthener:
    """Strengthens problems one at a time."""

    runner: Runner
    store: ProgramStore
    recipe: Strengthen
    seed: int

    def run(self, original: Row) -> StageResult:
        """Return the row with added tests, what was done, and evidence for a checker.

        Raises DataError, UnjudgeableError, JudgeError, EndpointError.
        """
        problem = parse_problem(fill_outputs(original))
        references, wrong_programs = self.store.select_known(problem)
        reason = _find_obstacle(original, problem, references)
        if reason is not None:
            return StageResult({**original, "strengthened": {"skipped": reason}})
        usable, dissenting = self._select_references(problem, references)
        wrong = [program.solution for program in wrong_programs[: self.recipe.wrong]]
        right = [*usable, *(solution for solution, _ in dissenting)]
        voters = Voters(self.runner, self.recipe, original, problem, usable)
        proposer = self._make_proposer(voters)
        row, candidate_set = original, CandidateSet()
        reason = _find_doubt(voters, proposer)
        facts: dict[str, Any] = {"skipped": reason}
        if not reason:
            candidate_set, large = self._make_candidates(voters, proposer)
            choice = voters.confirm(self._choose(voters, wrong, candidate_set.candidates))
            new_tests = [
                {"input": one.value, "output": one.output, "origin": f"strengthen: {one.origin}"}
                for one in (*choice, *large)
            ]
            row = {**original, "tests": [*original["tests"], *new_tests]}
            facts = {
                "references": voters.count_right(),
                "candidates": len(candidate_set.candidates),
                "rejected": candidate_set.rejected,
                "large": len(large),
                "added": len(new_tests),
            }
        row, findings = {**row, "strengthened": facts}, []
        if facts.get("added") and voters.count_right() == 1:
            findings.append(Finding("single_reference", usable[0].solution_id))
        _note_dissent(problem, dissenting, candidate_set)
        if candidate_set.disagreements:
            disputed = problem.with_tests([*problem.tests, *candidate_set.disputed])
            proposal = propose_comparer(self.runner, disputed, right, wrong)
            row, checker_findings = _add_evidence(row, candidate_set, proposal)
            findings += checker_findings
        return StageResult(add_findings(row, findings))

    def _make_candidates(
        self, voters: Voters, proposer: InputProposer | None
    ) -> tuple[CandidateSet, list[Candidate]]:
        """Return tests to choose from, and large tests.

        Inputs come from the proposer and, if there is an endpoint, from a model's generator. Large
        tests are added whatever they kill, since kills by time are not counted.
        """
        recipe = self.recipe
        inputs, large = [], []
        if proposer is not None:
            inputs = proposer.list_inputs(recipe.proposals, recipe.max_test_kb)
            large = self._make_large(voters, proposer)
        # Nothing shows that a drafted input is valid but several programs, or a validator.
        if recipe.endpoint is not None and (voters.have_validator or voters.count_right() > 1):
            inputs += draft_inputs(recipe.endpoint, self.runner, voters.row, recipe)
        return voters.select(inputs, steps=recipe.steps, limit=recipe.candidates), large

    def _make_proposer(self, voters: Voters) -> InputProposer | None:
        structure = InputStructure.infer(voters.row)
        if structure is None:
            return None
        name = voters.row["problem_id"]
        rng = random.Random(int(draw_number(self.seed, "strengthen", name) * 2**53))
        return InputProposer(structure, rng)

    def _make_large(self, voters: Voters, proposer: InputProposer) -> list[Candidate]:
        """Return at most ``recipe.large`` tests of the greatest sizes.

        Sizes shrink until right programs finish within a number of steps, which is the same in
        every run.
        """
        count = self.recipe.large
        steps = int(_STEPS_PER_SECOND * min(_MAX_SECONDS, voters.problem.limits.effective_time_s))

        def keep(inputs: Sequence[Candidate]) -> list[Candidate]:
            return voters.confirm(voters.select(inputs, steps=steps, limit=count).candidates)

        for share in _SHARES if count else ():
            inputs = list(islice(proposer.propose_largest(share, MAX_KB), count))
            if not inputs:
                return []
            if large := keep(inputs[:1]):  # a trial, since each try may take seconds
                return large + keep(inputs[1:])
        return []

    def _select_references(
        self, problem: Problem, programs: Sequence[Program]
    ) -> tuple[list[Solution], list[tuple[Solution, Judgement]]]:
        """Return Python programs that vouch for answers, and programs that give other answers than
        expected (with their judgements). A test on which a program is only too slow does not
        count."""
        solutions = [
            copy
            for program in programs
            if program.solution.language == "python"
            for copy in make_deterministic(program.solution)
        ][: 2 * self.recipe.references]
        judgements = self.runner.judge_programs(problem, solutions)
        judged = list(zip(solutions, judgements, strict=True))
        passing = [solution for solution, judgement in judged if _is_right_in_time(judgement)]
        dissenting = [one for one in judged if one[1].verdict is Verdict.WA]
        return passing[: self.recipe.references], dissenting

    def _choose(
        self, voters: Voters, wrong: Sequence[Solution], candidates: Sequence[Candidate]
    ) -> list[Candidate]:
        """Return the candidates to add: those that kill wrong programs, first programs that few
        tests kill; then the others in their order, which is that of novelty."""
        recipe = self.recipe
        whole = voters.problem.with_tests(voters.make_tests(candidates))
        ranks = {place: place for place in range(len(candidates))}
        kills = probe_kills(self.runner, whole, wrong, list(ranks), recipe.cover, recipe.steps)
        killers = [one.tests for one in kills]
        chosen: set[int] = set()
        for level in range(1, recipe.cover + 1):
            add_killers(chosen, killers, level, ranks, set(ranks), recipe.max_added)
        for place in ranks:
            if len(chosen) < recipe.max_added:
                chosen.add(place)
        return [candidates[place] for place in sorted(chosen)]


def _find_obstacle(row: Row, problem: Problem, references: Sequence[Program]) -> str | None:
    """Return why tests cannot be added; None where they can."""
    if problem.kind is Kind.ASSERT:
        return "its tests are code"
    if problem.interactor or problem.groups:
        return "it is interactive, or its tests are in groups that are scored"
    if any("output" not in test for test in get_tests(row)):
        return "a test has no output; verify makes it"
    return None if references else "no program is known to be right"


def _find_doubt(voters: Voters, proposer: InputProposer | None) -> str:
    """Return why no input can be known to be valid; empty if some can. The arguments that a promise
    is about stay as they are stored, so that others may change."""
    if not voters.references:
        return "no right program passes the tests"
    if voters.have_validator:
        return ""
    statement = get_text(voters.row, "statement")
    if not statement:
        return "without a statement, nothing says what an input may be"
    is_call = voters.problem.kind is Kind.CALL
    if is_call and proposer is not None:
        return ""
    promise = next(list_promises(statement, is_call=is_call), "")
    return f"nothing checks a promise of the statement: {promise}" if promise else ""


def make_deterministic(program: Solution) -> list[Solution]:
    """Return the program. If it draws random numbers: two copies, whose answers must not depend on
    their seeds. Nothing if it reads a clock."""
    copies = [program]
    if is_random(program.code or ""):
        copies = [seed_random(program, seed) for seed in (0, 1)]
    return [] if is_random(copies[0].code or "") else copies


def _is_right_in_time(judgement: Judgement) -> bool:
    """Whether a program passes, or passes some tests and is only too slow for the others."""
    verdicts = {test.verdict for test in judgement.tests}
    return judgement.passed or (Verdict.AC in verdicts and verdicts <= {Verdict.AC, Verdict.TLE})


def _note_dissent(
    problem: Problem, dissenting: Sequence[tuple[Solution, Judgement]], candidate_set: CandidateSet
) -> None:
    """Add the old tests on which right programs give another answer than expected to the
    disagreements."""
    for solution, judgement in dissenting:
        for test, result in zip(problem.tests, judgement.tests, strict=True):
            if result.verdict is Verdict.WA:
                candidate_set.add_disagreement(test, solution.solution_id)


def _add_evidence(
    row: Row, candidate_set: CandidateSet, proposal: Row | None
) -> tuple[Row, list[Finding]]:
    """Return the row with evidence for several right answers, and findings. A comparer is proposed,
    not set."""
    evidence: dict[str, Any] = {"disagreements": candidate_set.disagreements}
    count = len(candidate_set.disputed)
    findings = [Finding("needs_checker", f"{count} inputs with different right answers")]
    if proposal is not None:
        evidence |= proposal
        findings.append(Finding("checker_proposed", str(proposal["checker"]["name"])))
    return {**row, "strengthened": {**row["strengthened"], "needs_checker": evidence}}, findings
