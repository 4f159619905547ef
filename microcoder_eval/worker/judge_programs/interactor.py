"""In a worker: interactors given as source, which exchange text with the solution.

testlib  argv input, output, answer; exit 0 accepted, 1 or 2 refused, 7 gives points
         (codeforces.com/testlib). With "checked" what it writes to output is judged, too, as the
         output of a solution is elsewhere
kattis   argv input, answer, feedback folder; exit 42 accepted, 43 refused; scores as of checkers

The program that ends first decides. If the interactor refuses first, the refusal stands, whatever
the solution does afterwards. If it accepts first, the solution must still end well. If the solution
fails first, only that failure counts.

An interactor that fails refuses the solution, with the flag interactor_failed: as for checkers
(checkers.py), nothing that it does once it runs is the judge's failure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from microcoder_eval import retries
from microcoder_eval.errors import UnjudgeableError
from microcoder_eval.records import Verdict
from microcoder_eval.worker.expectations import Expectation
from microcoder_eval.worker.messages import TextTest
from microcoder_eval.worker.text_programs import TextProgram, WorkerContext
from microcoder_eval.worker.verdicts import TestRun, require_confined, was_killed_externally
from microcoder_sandbox import Interaction, Killed, Outcome, ResourceLimits

from .checked_outputs import CheckerBudget
from .checkers import OUTPUT_FILE, SourceChecker
from .programs import LIMITS

# An interactor may use this many times the solution's time limit, where LIMITS allows less.
_CPU_SHARE = 5.0


class Interactor(SourceChecker):
    """One problem's interactor. time_limit: the solution's time limit in seconds."""

    role = "interactor"

    def __init__(
        self,
        context: WorkerContext,
        spec: Mapping[str, Any],
        testlib: str | None,
        time_limit: float,
    ) -> None:
        if spec.get("protocol") not in (None, "testlib", "kattis"):
            protocol = spec["protocol"]
            raise UnjudgeableError(f'an interactor speaks testlib or kattis, not "{protocol}"')
        super().__init__(context, spec, testlib)
        self._sandbox = context.sandbox
        cpu_seconds = max(LIMITS.cpu_seconds, _CPU_SHARE * time_limit)
        self._limits = replace(LIMITS, cpu_seconds=cpu_seconds)
        self.is_checked = bool(spec.get("checked"))

    def _choose_protocol(self, spec: Mapping[str, Any]) -> str:
        return "kattis"

    def judge(
        self,
        program: TextProgram,
        limits: ResourceLimits,
        budget: CheckerBudget,
        test: TextTest,
        output: Expectation | None,
        folder: Mapping[str, bytes],
    ) -> TestRun:
        """Run a solution together with the interactor, which has to accept it. limits: the
        solution's. output: what is expected of the text that the interactor writes for a checker,
        None without such a text. folder: the files in its feedback folder. Raises SandboxError."""
        interaction = self._interact(program, limits, test, folder)
        outcome = self._find_outcome(program.adjust_outcome(interaction.solution), interaction)
        if not outcome.ended_well:
            return TestRun(outcome)
        comparison = budget.charge(self.read_exit(interaction.interactor), self.role)
        if output is None or comparison.verdict is not Verdict.AC or comparison.score is not None:
            return TestRun(outcome, comparison)
        files = comparison.files or {}
        text_outcome = outcome._replace(stdout=files.get(OUTPUT_FILE, b""))
        return TestRun(outcome, replace(output.compare(text_outcome), files=files))

    def _interact(
        self,
        program: TextProgram,
        limits: ResourceLimits,
        test: TextTest,
        folder: Mapping[str, bytes],
    ) -> Interaction:
        """Run both; again where the interactor was killed externally, retries.RUN times in all."""
        wall_seconds = limits.wall_seconds + self._limits.wall_seconds
        own_limits = replace(self._limits, wall_seconds=wall_seconds)
        accepting_exits = [code for code, accepts in self.accepted_by_exit.items() if accepts]
        for _ in range(retries.RUN):
            request = self.make_request(test, own_limits, folder)
            try:
                solution_request = program.make_request(limits)
            except BaseException:
                request.close()
                raise
            interaction = self._sandbox.run_interaction(solution_request, request, accepting_exits)
            require_confined(interaction.interactor)
            if not was_killed_externally(interaction.interactor):
                break
        return interaction

    def _find_outcome(self, outcome: Outcome, interaction: Interaction) -> Outcome:
        """Return the outcome of a solution, without a failure that its interactor caused."""
        if outcome.killed is Killed.PARTNER:  # by us: the interactor had ended
            return outcome._replace(killed=None, status=0)
        is_refused = self.classify_exit(interaction.interactor) is False
        if is_refused and interaction.interactor_ended_first:
            return outcome._replace(status=0)  # it failed because its input ended
        return outcome
