"""In a worker: problems whose interactor, given as source, talks with the solution.

testlib  argv input, output, answer; exit 0 accepted, 1 or 2 refused   (codeforces.com/testlib)
kattis   argv input, answer, feedback folder; exit 42 accepted, 43 refused

Who ends first decides: a refusal stands whatever the solution does then; an accepted solution
still has to end well; one that fails before is judged by that alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from microcoder_sandbox.cage import Launch
from microcoder_sandbox.outcome import CageError, Killed, Outcome, ResourceLimits
from microcoder_sandbox.programs import Binary
from microcoder_sandbox.talk import Talk

from .attempts import persistently
from .checkers import LIMITS, Checkers, SourceChecker
from .errors import UnjudgeableError
from .records import Verdict
from .verdicts import Answer, Ruling, harmed_from_outside, last_line, require_confined, rule

METHOD = "interactor"
Starter = Callable[[bytes, ResourceLimits], Launch]


class Interactor:
    """One problem's interactor."""

    def __init__(self, kit: Checkers, spec: Mapping[str, Any], testlib: str | None) -> None:
        protocol = spec.get("protocol") or "kattis"
        if protocol not in ("testlib", "kattis"):
            raise UnjudgeableError(f'an interactor speaks testlib or kattis, not "{protocol}"')
        self._kit = kit
        self._checker = SourceChecker(
            kit, spec["source"], str(spec.get("language") or "python"), protocol, testlib
        )

    def close(self) -> None:
        """Let go of the interactor's memory files."""
        self._checker.close()

    def ruling(
        self,
        start: Starter,
        binary: Binary | None,
        given: bytes,
        expected: bytes,
        limits: ResourceLimits,
        time_limit: float,
    ) -> Ruling:
        """One test. start: the solution's launch; binary: what it is, where it was compiled.

        Raises UnjudgeableError when the interactor failed, CageError.
        """
        meanings = self._checker.meanings
        goes_on = [status for status, accepted in meanings.items() if accepted]
        # What the interactor takes is not the solution's; a standstill is noticed much sooner.
        wide = replace(limits, wall_seconds=limits.wall_seconds + LIMITS.cpu_seconds)
        patient = replace(LIMITS, wall_seconds=wide.wall_seconds + LIMITS.wall_seconds)
        held: list[Talk] = []

        def run() -> Outcome:
            solution = start(b"", wide)
            try:
                interactor, files = self._checker.launch(given, expected, patient)
            except BaseException:
                solution.close()
                raise
            try:
                talk = self._kit.cage.run_talk(solution, interactor, goes_on)
            finally:
                for file in files:
                    os.close(file)
            if harmed_from_outside(talk.interactor):
                raise CageError("an interactor was ended from outside")
            held[:] = [talk]
            host = binary.host if binary is not None else None
            return (
                talk.solution if host is None else self._kit.cage.without_host(talk.solution, host)
            )

        def conclude(outcome: Outcome) -> Ruling:
            return _ruled(outcome, held[0], meanings, limits, time_limit)

        return persistently(self._kit.cage, run, conclude)


def _ruled(
    outcome: Outcome,
    talk: Talk,
    meanings: Mapping[int, bool],
    limits: ResourceLimits,
    time_limit: float,
) -> Ruling:
    require_confined(talk.interactor)
    said = meanings.get(talk.interactor.exit_code) if talk.interactor.killed is None else None
    if outcome.killed is Killed.PARTNER:  # by us, when the interactor had ended: no fault of its
        outcome = replace(outcome, killed=None, status=0)
    elif talk.interactor_first and said is False:
        outcome = replace(outcome, status=0)  # it fell over the end of what it was told
    return rule(outcome, limits, time_limit, Interaction(talk.interactor, said))


class Interaction(Answer):
    """What the interactor made of a solution that ended well, or that it had ended."""

    def __init__(self, interactor: Outcome, accepted: bool | None) -> None:
        self._interactor = interactor
        self._accepted = accepted

    def compare(self, outcome: Outcome) -> tuple[Verdict, str | None, str | None]:
        """Verdict, detail and the method that accepted."""
        words = last_line(self._interactor.stderr)
        if self._accepted is None:
            end = self._interactor
            how = f"stopped at its {end.killed} limit" if end.killed else f"status {end.exit_code}"
            raise UnjudgeableError(f"the interactor failed: {how}{f' ({words})' if words else ''}")
        if self._accepted:
            return Verdict.AC, None, METHOD
        return Verdict.WA, words or "refused by the interactor", None
