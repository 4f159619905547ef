"""What a report shows, taken in as judgements come: figures, a row and a detail for each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from microcoder_eval.extract import extract
from microcoder_eval.formats import words
from microcoder_eval.languages import code_sha256
from microcoder_eval.records import Judgement, Kind, Problem, Solution, Verdict

from .failing import NOT_KEPT, Givens, first_failing, why_not_shown
from .figures import Figures, peak_memory
from .spool import Place, Spool

if TYPE_CHECKING:
    from microcoder_eval.api import Judge

MOST_ROWS = 50_000  # of the table; figures count all
MOST_CODE = 32_000  # characters of a program
_NAME = 160  # characters of an identifier
_META = 1000
_WAYS = 12
NO_CODE = "The program is not shown: the solutions were not given."
OTHER_CODE = "The program is not shown: the solutions file holds another than was judged."
NO_PROGRAM = "The model's answer held no finished program."


@dataclass(slots=True)
class Row:
    """A solution in the table, and where its detail lies."""

    problem_id: str
    solution_id: str
    verdict: str
    score: float | None
    passed: int
    tests: int
    seconds: float | None
    memory: float | None
    flags: tuple[str, ...]
    matched: tuple[str, ...]
    failing: int  # number of the first test not passed, from 1; 0: none
    detail: Place
    again: bool  # whether running it again would show more

    @property
    def accepted(self) -> bool:
        """Whether it passed."""
        return self.verdict == Verdict.AC


class Gathering:
    """Takes judgements in; memory grows with the rows of the table, not with the programs."""

    def __init__(self, most_rows: int = MOST_ROWS) -> None:
        self.figures = Figures()
        self.rows: dict[int, Row] = {}
        self.groups: dict[str, tuple[str | None, str | None]] = {}  # of problems
        self.beyond = 0  # solutions that the table has no room for
        self._ways: set[tuple[str, str]] = set()
        self._most_rows = most_rows
        self._spool = Spool()
        self._givens = Givens()

    def add(
        self,
        position: int,
        judgement: Judgement,
        problem: Problem | None = None,
        solution: Solution | None = None,
    ) -> None:
        """Take in one judgement. position: of the solution in its file, from 0.

        Raises OSError when the temporary folder is full.
        """
        self.figures.add(position, judgement)
        self._note_ways(judgement)
        if position >= self._most_rows:
            self.beyond += 1
            return
        if problem is not None:
            self.groups[judgement.problem_id] = (problem.difficulty, problem.platform)
        detail = _detail(judgement, solution)
        index = first_failing(judgement)
        if index is not None:
            detail["fail"] = self._failure(judgement, problem, index)
        shown = index is not None and why_not_shown(judgement, problem) is None
        again = shown and detail["code"] is not None and not detail["cut"]
        self.rows[position] = _row(judgement, index, self._spool.put(detail), again)

    def _failure(self, judgement: Judgement, problem: Problem | None, index: int) -> dict[str, Any]:
        test = judgement.tests[index]
        assert test is not None
        told: dict[str, Any] = {
            "number": index + 1,
            "verdict": str(test.verdict),
            "detail": test.detail,
            "cpu": test.cpu_s,
            "wall": test.wall_s,
            "memory": test.memory_mb,
            "note": NOT_KEPT if test.verdict is Verdict.WA else "",
        }
        reason = why_not_shown(judgement, problem)
        if reason is not None or problem is None:
            return {**told, "note": reason}
        return {**told, **self._givens.of(problem, index)}

    def _note_ways(self, judgement: Judgement) -> None:
        for name, value in (
            ("version", judgement.version),
            ("isolation", f"level {judgement.sandbox_level} {judgement.isolation}".strip()),
            ("settings", judgement.config_sha256[:12]),
        ):
            if value and len(self._ways) < _WAYS:
                self._ways.add((name, value))

    def ways(self) -> dict[str, str]:
        """How was judged: {"version", "isolation", "settings"} of all results, where told."""
        found: dict[str, str] = {}
        for name, value in sorted(self._ways):
            found[name] = f"{found[name]}, {value}" if name in found else value
        return {name: shortened(value) for name, value in found.items()}

    def detail(self, row: Row) -> dict[str, Any]:
        """What is known of a solution besides its row."""
        found: dict[str, Any] = self._spool.get(row.detail)
        return found

    def in_order(self) -> list[tuple[int, Row]]:
        """(position, row): in the order of the solutions file."""
        return sorted(self.rows.items(), key=lambda item: item[0])

    def by_interest(self) -> list[tuple[int, Row]]:
        """The same, but those that passed come last: details of which there is room for fewer."""
        return sorted(self.rows.items(), key=lambda item: (item[1].accepted, item[0]))

    def show_outputs(
        self,
        judge: Judge,
        problem_of: Callable[[str], Problem],
        stopped: Callable[[], bool] = lambda: False,
        told: Callable[[], None] = lambda: None,
        most_bytes: int = 64 << 20,
    ) -> None:
        """Run programs that failed once more, to show what they print.

        told: called after each. most_bytes: of the details asked for, in the order of
        ``by_interest``. Raises OSError.
        """
        from .again import outputs

        for position, found in outputs(judge, self._asked(problem_of, most_bytes), stopped):
            row = self.rows[position]
            detail = self.detail(row)
            if "got" in found:
                detail["fail"]["note"] = ""
            detail["fail"].update(found)
            row.detail = self._spool.put(detail)
            told()

    def _asked(
        self, problem_of: Callable[[str], Problem], most_bytes: int
    ) -> Iterator[tuple[int, Problem, int, str]]:
        from .again import SHOWN

        for position, row in self.by_interest():
            most_bytes -= row.detail[1]
            if most_bytes < 0:
                return
            if not row.again:
                continue
            detail = self.detail(row)
            problem = problem_of(row.problem_id)
            known = detail["language"] == "python" and problem.kind in (Kind.STDIN, Kind.CALL)
            if known and detail["fail"]["verdict"] in SHOWN:
                yield position, problem, row.failing - 1, detail["code"]

    def close(self) -> None:
        """Let go of the temporary file."""
        self._spool.close()


def _row(judgement: Judgement, failing: int | None, detail: Place, again: bool) -> Row:
    ran = [test for test in judgement.tests if test is not None]
    return Row(
        problem_id=judgement.problem_id,
        solution_id=judgement.solution_id,
        verdict=str(judgement.verdict),
        score=judgement.score,
        passed=sum(test.verdict is Verdict.AC for test in ran),
        tests=len(judgement.tests),
        seconds=max((test.cpu_s for test in ran), default=None),
        memory=peak_memory(ran),
        flags=judgement.flags,
        matched=tuple(sorted({test.matched_by for test in ran if test.matched_by})),
        failing=0 if failing is None else failing + 1,
        detail=detail,
        again=again,
    )


def _detail(judgement: Judgement, solution: Solution | None) -> dict[str, Any]:
    code, note = _code(judgement, solution)
    cut_off = max(0, len(code) - MOST_CODE) if code is not None else 0
    counts = Counter(test.matched_by for test in judgement.tests if test and test.matched_by)
    letters = (None if test is None else str(test.verdict) for test in judgement.tests)
    return {
        "code": code[:MOST_CODE] if code is not None else None,
        "cut": cut_off,
        "language": solution.language if solution is not None else "python",
        "note": note,
        "error": judgement.error,
        "status": str(judgement.status),
        "level": judgement.sandbox_level,
        "tests": [[letter, sum(1 for _ in same)] for letter, same in groupby(letters)],
        "matched": counts.most_common(),
        "repeats": _repeats(judgement),
        "meta": _meta(judgement),
    }


def _code(judgement: Judgement, solution: Solution | None) -> tuple[str | None, str]:
    """The program as it was judged, and what is to be said of it."""
    if solution is None:
        return None, NO_CODE
    note = ""
    code = solution.code
    if code is None:
        code = extract(solution.response or "", solution.language).code
        if code is None:
            return None, NO_PROGRAM
        note = "Extracted from the model's answer."
    if judgement.code_sha256 not in ("", code_sha256(code, solution.language)):
        return None, OTHER_CODE
    return code, note


def _repeats(judgement: Judgement) -> list[str]:
    runs = judgement.meta.get("repeats")
    if not isinstance(runs, list):
        return []
    return [str(run.get("verdict")) for run in runs[:100] if isinstance(run, dict)]


def _meta(judgement: Judgement) -> str:
    carried = {key: value for key, value in judgement.meta.items() if key != "repeats"}
    if not carried:
        return ""
    try:
        text = json.dumps(carried, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return ""
    return text if len(text) <= _META else text[:_META] + "…"


def shortened(name: str) -> str:
    """An identifier that fits into a table."""
    return words.brief(name, _NAME)
