"""A solution in a report: its row in the table, and the detail that opens from it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from microcoder_eval.program_hash import code_sha256
from microcoder_eval.records import Judgement, Solution, Verdict
from microcoder_eval.results.files import Extent

from .excerpts import cut_start
from .figures import find_peak_memory

_MAX_CODE_CHARS = 32_000  # characters shown of a program, and of a model's answer
_MAX_META_CHARS = 1000
NO_CODE = "The program is not shown: the solutions were not given."
OTHER_CODE = "The program is not shown: it differs from the one that was judged."
NO_PROGRAM = "The model's answer has no complete program."


@dataclass(slots=True)
class Row:
    """A solution in the table.

    seconds, memory_mb: those of its slowest and its largest test.
    methods: the methods that accepted its answers.
    first_failure: the number of the first test not passed, from 1, or 0.
    detail: where its detail is in the spool.
    is_rerunnable: whether another run may show its output.
    """

    problem_id: str
    solution_id: str
    verdict: str
    score: float | None
    pass_count: int
    test_count: int
    seconds: float | None
    memory_mb: float | None
    flags: tuple[str, ...]
    methods: tuple[str, ...]
    first_failure: int
    detail: Extent
    is_rerunnable: bool

    @property
    def is_accepted(self) -> bool:
        """Whether the solution passed."""
        return self.verdict == Verdict.AC


def make_row(
    judgement: Judgement, failure_index: int | None, detail: Extent, is_rerunnable: bool
) -> Row:
    """Return the row. failure_index: the first test that failed, from 0."""
    results = judgement.tests_run
    return Row(
        problem_id=judgement.problem_id,
        solution_id=judgement.solution_id,
        verdict=str(judgement.verdict),
        score=judgement.score,
        pass_count=sum(test.verdict is Verdict.AC for test in results),
        test_count=len(judgement.tests),
        seconds=max((test.cpu_s for test in results), default=None),
        memory_mb=find_peak_memory(results),
        flags=judgement.flags,
        methods=tuple(sorted({test.matched_by for test in results if test.matched_by})),
        first_failure=0 if failure_index is None else failure_index + 1,
        detail=detail,
        is_rerunnable=is_rerunnable,
    )


def make_detail(judgement: Judgement, solution: Solution | None) -> dict[str, Any]:
    """Return the detail. solution: None if it is not known."""
    code, note = _find_judged_code(judgement, solution)
    # The model's answer that the judged program comes from.
    answer = None if solution is None or note == OTHER_CODE else solution.response
    cut_chars = max(0, len(code) - _MAX_CODE_CHARS) if code is not None else 0
    counts = Counter(test.matched_by for test in judgement.tests if test.matched_by)
    verdicts = (None if test.verdict is None else str(test.verdict) for test in judgement.tests)
    return {
        "code": code[:_MAX_CODE_CHARS] if code is not None else None,
        "cut": cut_chars,
        "answer": None if answer is None else cut_start(answer, _MAX_CODE_CHARS),
        "language": solution.language if solution is not None else "python",
        "note": note,
        "error": judgement.error,
        "status": str(judgement.status),
        "level": judgement.sandbox_level,
        "tests": [[verdict, sum(1 for _ in group)] for verdict, group in groupby(verdicts)],
        "matched": counts.most_common(),
        "repeats": _list_repeats(judgement),
        "meta": _format_meta(judgement),
    }


def _find_judged_code(judgement: Judgement, solution: Solution | None) -> tuple[str | None, str]:
    """Return the program that was judged, if it is known, and a note for the page."""
    if solution is None:
        return None, NO_CODE
    code = solution.find_code()
    if code is None:
        return None, NO_PROGRAM
    sha256 = code_sha256(code, solution.language, solution.file, solution.files)
    if judgement.code_sha256 not in ("", sha256):
        return None, OTHER_CODE
    return code, "" if solution.code is not None else "Extracted from the model's answer."


def _list_repeats(judgement: Judgement) -> list[str]:
    runs = judgement.meta.get("repeats")
    if not isinstance(runs, list):
        return []
    return [str(run.get("verdict")) for run in runs[:100] if isinstance(run, dict)]


def _format_meta(judgement: Judgement) -> str:
    extra = {key: value for key, value in judgement.meta.items() if key != "repeats"}
    if not extra:
        return ""
    try:
        text = json.dumps(extra, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return ""
    return text if len(text) <= _MAX_META_CHARS else text[:_MAX_META_CHARS] + "…"
