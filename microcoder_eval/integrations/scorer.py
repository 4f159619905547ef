"""Judges answers by rows: the part that the reward functions of all stacks share.

It uses the shared pool of the process. The pool starts at the first answer, ends with the process,
and is started again in a fork. If the judge fails on an answer, the answer is judged once more;
after a second failure it has no reward. JudgeError ends a run only if too many answers have none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from microcoder_eval import retries
from microcoder_eval.api import Judge, get_shared_judge
from microcoder_eval.errors import JudgeError
from microcoder_eval.integrations.rows import Row, get_problem
from microcoder_eval.languages import TEST_LANGUAGES
from microcoder_eval.log import get_logger
from microcoder_eval.pool.cores import share_of_cores
from microcoder_eval.records import Judgement, Limits, Problem, Status
from microcoder_eval.results.error_share import JUDGE_ERROR_WINDOW, MAX_JUDGE_ERRORS, ErrorShare
from microcoder_eval.settings import JudgeOptions, check_choice

_log = get_logger("integrations")
_REWARDS = ("passed", "points")


_shares: dict[tuple[float, int], ErrorShare] = {}


class Scorer:
    """Settings of the judge, and the functions that use them; picklable.

    reward: "passed": 1.0 or 0.0; "points": in problems with points the share of them.
    partial: the reward is the share of tests passed, and all tests run; not with "points".
    workers: size of the pool; by default the usable cores, divided by the number of ranks that
        torchrun or accelerate started on this machine (LOCAL_WORLD_SIZE).
    limits: a Limits or its dict; they override a row's. settings: other settings of ``Judge``.
    max_judge_errors: the share of the last ``judge_error_window`` answers of this process that the
        judge may fail on before ``training_reward`` raises.
    allow_in_process_tests: take tests that run in the program's own process, where a program can
        make them pass without solving anything; else ``judge_samples`` raises DataError for them.

    Raises ValueError, TypeError or DataError for settings that no judge takes.
    """

    def __init__(
        self,
        *,
        partial: bool = False,
        reward: str = "passed",
        workers: int | None = None,
        limits: Limits | Mapping[str, Any] | None = None,
        max_judge_errors: float = MAX_JUDGE_ERRORS,
        judge_error_window: int = JUDGE_ERROR_WINDOW,
        allow_in_process_tests: bool = False,
        **settings: Any,
    ) -> None:
        if not 0 <= max_judge_errors <= 1 or judge_error_window < 1:
            raise ValueError("max_judge_errors is a share, judge_error_window a number of answers")
        check_choice("reward", reward, _REWARDS)
        if not isinstance(partial, bool):
            raise ValueError(f"partial must be True or False, not {partial!r}")
        if partial and reward == "points":
            raise ValueError('partial=True and reward="points" are two rewards: choose one')
        self.partial = partial
        self._by_points = reward == "points"
        self._error_bound = (max_judge_errors, judge_error_window)
        self._allows_in_process = allow_in_process_tests
        if partial:
            settings["stop"] = "never"
        self._options = JudgeOptions.from_keywords(workers=workers, limits=limits, **settings)

    def judge_samples(self, samples: Sequence[tuple[str, Row]]) -> list[Judgement]:
        """Judge each answer by its row. Raises DataError; JudgeError if no judge can start."""
        problems = [self._get_problem(row) for _text, row in samples]
        pairs = [
            (_make_solution(text, problem), problem)
            for (text, _row), problem in zip(samples, problems, strict=True)
        ]
        judge = self._get_judge()
        judgements = [future.result() for future in [judge.submit(*pair) for pair in pairs]]
        for _ in range(1, retries.ANSWER):
            failed_indices = [
                i for i, judgement in enumerate(judgements) if judgement.status is Status.ERROR
            ]
            futures = [judge.submit(*pairs[i]) for i in failed_indices]
            for i, future in zip(failed_indices, futures, strict=True):
                judgements[i] = future.result()
        return judgements

    async def ajudge_samples(self, samples: Sequence[tuple[str, Row]]) -> list[Judgement]:
        """Like ``judge_samples``, but without blocking the event loop."""
        return list(await asyncio.gather(*(self._ajudge(text, row) for text, row in samples)))

    async def _ajudge(self, text: str, row: Row) -> Judgement:
        # In threads: reading a large problem or starting the pool takes a second.
        problem = await asyncio.to_thread(self._get_problem, row)
        judge = await asyncio.to_thread(self._get_judge)
        for _ in range(retries.ANSWER):
            judgement = await judge.ajudge(_make_solution(text, problem), problem)
            if judgement.status is not Status.ERROR:
                break
        return judgement

    def _get_problem(self, row: Row) -> Problem:
        problem = get_problem(row)
        if not self._allows_in_process and problem.test_language is not None:
            from microcoder_eval.foreign_tests.rewrite import refuse_in_process_tests

            refuse_in_process_tests(problem, "allow_in_process_tests=True")
        return problem

    def reward(self, judgement: Judgement) -> float | None:
        """Return 1.0 or 0.0, or the share of points or of passed tests; None if the judge
        failed."""
        if self._by_points:
            return judgement.points_share
        if not self.partial or judgement.reward is None or judgement.status is Status.INCOMPLETE:
            return judgement.reward
        return judgement.score

    def training_reward(self, judgement: Judgement) -> float | None:
        """Return the reward. If the judge failed, log and count that, and return None.

        Raises JudgeError if the judge failed on too many of the last answers.
        """
        _shares.setdefault(self._error_bound, ErrorShare(*self._error_bound)).add(judgement)
        reward = self.reward(judgement)
        if reward is None:
            _log.warning("the judge failed twice, the answer has no reward: %s", judgement.error)
        return reward

    def _get_judge(self) -> Judge:
        workers = self._options.workers or share_of_cores()
        return get_shared_judge(replace(self._options, workers=workers))


def _make_solution(text: str, problem: Problem) -> dict[str, str]:
    # Without this replacement, half of a surrogate pair would end the run: the reader of solutions
    # refuses it.
    response = {"response": text.encode("utf-8", "replace").decode()}
    if problem.test_language is None:
        return response
    return {**response, "language": TEST_LANGUAGES[problem.test_language].name}


def require_reward(reward: float | None, judgement: Judgement) -> float:
    """Return the reward. Raises JudgeError if there is none, for stacks that need a number."""
    if reward is None:
        raise JudgeError(f"the judge failed twice: {judgement.error}")
    return reward


def extract_text(completion: Any) -> str:
    """Return the text of a completion: the text itself, or the last assistant message of a chat."""
    if isinstance(completion, str):
        return completion
    for message in reversed(list(completion)):
        content = message.get("content")
        if message.get("role", "assistant") == "assistant" and content:
            return content if isinstance(content, str) else _join_parts(content)
    return ""


def _join_parts(parts: Sequence[Any]) -> str:
    texts = (part if isinstance(part, str) else part.get("text") for part in parts)
    return "".join(text for text in texts if text)
