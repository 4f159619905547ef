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

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from microcoder_eval import retries
from microcoder_eval.errors import UnjudgeableError
from microcoder_eval.records import Verdict
from microcoder_sandbox import Interaction, Killed, Outcome, ResourceLimits, RunRequest

from .checked_outputs import CheckerBudget
from .checkers import OUTPUT_FILE, SourceChecker
from .judge_programs import LIMITS
from .messages import TextTest
from .text_programs import WorkerContext
from .verdicts import Comparison, Expectation, require_confined, was_killed_externally

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

    def interact(
        self,
        make_solution: Callable[[], RunRequest],
        test: TextTest,
        limits: ResourceLimits,
        folder: Mapping[str, bytes],
    ) -> Interaction:
        """Run the interactor together with a solution. folder: the files in its feedback folder.
        Raises SandboxError."""
        wall_seconds = limits.wall_seconds + self._limits.wall_seconds
        request = self.make_request(test, replace(self._limits, wall_seconds=wall_seconds), folder)
        try:
            solution = make_solution()
        except BaseException:
            request.close()
            raise
        accepting_exits = [code for code, accepts in self.accepted_by_exit.items() if accepts]
        return self._sandbox.run_interaction(solution, request, accepting_exits)


class InteractiveRun:
    """A run of a solution together with the interactor, which has to accept it. output: what is
    expected of the text that the interactor writes for a checker, None without such a text. folder:
    the files in the interactor's feedback folder."""

    def __init__(
        self,
        interactor: Interactor,
        budget: CheckerBudget,
        test: TextTest,
        output: Expectation | None,
        folder: Mapping[str, bytes],
    ) -> None:
        self._folder = folder
        self._interactor = interactor
        self._budget = budget
        self._test = test
        self._output = output
        self._outcome: Outcome | None = None  # of the interactor

    def run(
        self,
        make_request: Callable[[], RunRequest],
        limits: ResourceLimits,
        adjust_outcome: Callable[[Outcome], Outcome],
    ) -> Outcome:
        """Run a solution and return the outcome to be judged. Raises SandboxError.

        adjust_outcome: applied to the outcome of the solution's own run. Repeats the interaction
        where the interactor was killed externally (retries.RUN).
        """
        for _ in range(retries.RUN):
            interaction = self._interactor.interact(make_request, self._test, limits, self._folder)
            interactor_outcome = interaction.interactor
            require_confined(interactor_outcome)
            if not was_killed_externally(interactor_outcome):
                break
        self._outcome = interactor_outcome
        outcome = adjust_outcome(interaction.solution)
        if outcome.killed is Killed.PARTNER:  # by us: the interactor had ended
            return outcome._replace(killed=None, status=0)
        is_refused = self._interactor.classify_exit(interactor_outcome) is False
        if is_refused and interaction.interactor_ended_first:
            return outcome._replace(status=0)  # it failed because its input ended
        return outcome

    def compare(self, outcome: Outcome) -> Comparison:
        """Return what the interactor says of the run."""
        assert self._outcome is not None
        result = self._interactor.read_exit(self._outcome)
        comparison = self._budget.compare(result, self._interactor.role)
        comparison = replace(comparison, files=result.files)
        is_final = comparison.verdict is not Verdict.AC or comparison.score is not None
        if is_final or self._output is None:
            return comparison
        written = outcome._replace(stdout=result.files.get(OUTPUT_FILE, b""))
        return replace(self._output.compare(written), files=result.files)
