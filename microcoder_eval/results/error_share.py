"""Ends a run if the judge fails often. A rare failure only costs its own sample."""

from __future__ import annotations

from collections import deque

from microcoder_eval.errors import JudgeError
from microcoder_eval.forksafe import ForkSafeLock
from microcoder_eval.records import Judgement, Status

MAX_JUDGE_ERRORS, JUDGE_ERROR_WINDOW = 0.1, 500


class ErrorShare:
    """The share of the last answers of this process that the judge failed on."""

    def __init__(self, max_share: float, window: int) -> None:
        self._max_share, self._window = max_share, window
        self._recent: deque[bool] = deque(maxlen=window)
        self._lock = ForkSafeLock()

    def add(self, judgement: Judgement) -> None:
        """Count one answer. Raises JudgeError if more than ``max_share`` of the window failed."""
        is_failure = judgement.status is Status.ERROR
        with self._lock:
            self._recent.append(is_failure)
            failures = sum(self._recent) if is_failure else 0
            if failures <= self._max_share * self._window:
                return
            count = len(self._recent)
            self._recent.clear()
        raise JudgeError(
            f"the judge failed on {failures} of the last {count} answers; max_judge_errors allows "
            f"{int(self._max_share * self._window)} of {self._window}; the last failure: "
            f"{judgement.error}"
        )
