"""Computes the reward. A finished sample is judged while others are still being sampled.

A failure of the judge (JE) gives no reward, never 0.
"""

from __future__ import annotations

from concurrent.futures import CancelledError, Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Literal

from microcoder_eval import Judge, Limits
from microcoder_eval.errors import JudgeError
from microcoder_eval.judgements import make_judgement
from microcoder_eval.pool.cores import share_of_cores
from microcoder_eval.records import Judgement, Problem, Solution, Status, Verdict
from microcoder_eval.results.error_share import JUDGE_ERROR_WINDOW, ErrorShare
from microcoder_eval.worker.messages import FailureReply, Reply, SolutionReply
from microcoder_train.config import Reward
from microcoder_train.samples import Episode, Sample
from microcoder_train.user_functions import RewardFunction

from .prompts import Prompt, Template
from .reward_hacking import hold_back_tests

SecondJudgement = Literal["shadow", "held_back"]  # reward.shadow, reward.held_back
MAX_PENDING = 1 << 20  # submit() runs in the engine's thread and must not block


@dataclass(frozen=True, slots=True)
class PendingReward:
    """A sample that is being judged, and what ``RewardJudge.finish`` waits for."""

    problem: Problem
    sample: Sample
    text: str
    judgement: Future[Judgement] | None
    shadow: Future[Judgement] | None
    hidden: Future[Judgement] | None
    reward: Future[float | None] | None


class RewardJudge(AbstractContextManager["RewardJudge"]):
    """Submits samples to a pool of judge workers. Close it, or use it in ``with``."""

    def __init__(self, settings: Reward, template: Template) -> None:
        self._template = template
        self._settings = settings
        self._function = RewardFunction(settings.function) if settings.function else None
        self._judge = Judge(
            workers=settings.workers or share_of_cores(),
            engine=settings.engine, max_pending=MAX_PENDING, reuse=settings.reuse,
            limits=Limits(time_s=settings.time_limit), time_scale=settings.time_scale,
            min_level=settings.min_level, allow_unsafe=settings.min_level == 1,
            compare=settings.compare,
        )  # fmt: skip
        self._shadow: Judge | None = None
        if settings.shadow:
            self._shadow = self._judge.with_changes(compare="lcb", ignore_checkers=True)
        self._parts_by_problem: dict[tuple[str, str], tuple[Problem, Problem | None]] = {}
        self._errors = ErrorShare(settings.max_judge_errors, JUDGE_ERROR_WINDOW)

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the judge's workers."""
        self._judge.close()
        if self._function is not None:
            self._function.close()

    def submit(
        self, sample: Sample, prompt: Prompt, second: SecondJudgement | None = None
    ) -> PendingReward:
        """Start judging a sample and return at once.

        second: what else to judge it by, if the settings have it: the lcb comparer (shadow), or the
        tests that are held back, which then give no reward.
        """
        judge_input = self._template.make_judge_input(sample, prompt)
        problem, text = prompt.problem, self._template.text(sample)
        hidden_judgement = None
        if second == "held_back" and self._settings.held_back:
            problem, hidden = self._split_tests(problem)
            hidden_judgement = self._judge.submit(judge_input, hidden) if hidden else None
        judgement = self._judge.submit(judge_input, problem) if self._settings.judge else None
        shadow_judge = self._shadow if second == "shadow" else None
        shadow_judgement = shadow_judge.submit(judge_input, problem) if shadow_judge else None
        reward = self._function.submit(text, problem, judgement) if self._function else None
        return PendingReward(
            problem, sample, text, judgement, shadow_judgement, hidden_judgement, reward
        )

    def _split_tests(self, problem: Problem) -> tuple[Problem, Problem | None]:
        """Return the problem with the tests that give reward, and the problem with the held-back
        tests."""
        key = problem.problem_id, problem.tests_sha256
        if key not in self._parts_by_problem:
            self._parts_by_problem[key] = hold_back_tests(problem, self._settings.held_back)
        return self._parts_by_problem[key]

    def finish(self, pending: PendingReward) -> Episode:
        """Wait for judgement and reward. Raises JudgeError where the judge fails on too many
        samples, and TrainError where the user's reward function fails."""
        judgement, sample = self._wait(pending), pending.sample
        meta = {"response": pending.text, "finish": sample.finish, "tokens": len(sample.ids)}
        name = f"{pending.problem.problem_id}#{sample.index + 1}"
        judgement = replace(judgement, solution_id=name, meta={**judgement.meta, **meta})
        reward = judgement.reward
        if pending.reward is not None and judgement.status is not Status.ERROR:
            reward = pending.reward.result()
        elif self._settings.reward == "points":
            reward = judgement.points_share
        others = (_passed(pending.shadow), _passed(pending.hidden))
        return Episode(sample, pending.text, judgement, reward, *others)

    def _wait(self, pending: PendingReward) -> Judgement:
        """Return a judgement. If the judge fails as a whole, it is a JE of this sample."""
        if pending.judgement is None:
            return self._judge_by_reward(pending)
        try:
            judgement = pending.judgement.result()
        except (JudgeError, CancelledError) as error:
            reply = FailureReply(str(error) or "the judge was closed")
            judgement = self._make_judgement(pending.problem, reply)
        self._errors.add(judgement)
        return judgement

    def _judge_by_reward(self, pending: PendingReward) -> Judgement:
        """Return a judgement made without the judge: a sample is correct if its reward is at least
        1."""
        problem = pending.problem
        reward = pending.reward.result() if pending.reward is not None else None
        if reward is None:
            return self._make_judgement(problem, FailureReply("reward.function gave no reward"))
        judgement = self._make_judgement(problem, SolutionReply(0, (), (), ""))
        if reward >= 1:
            return replace(
                judgement, verdict=Verdict.AC, passed=True, status=Status.CORRECT, score=1.0
            )
        status = Status.INCOMPLETE if pending.sample.truncated else Status.INCORRECT
        return replace(judgement, verdict=Verdict.WA, passed=False, status=status, score=0.0)

    def _make_judgement(self, problem: Problem, reply: Reply) -> Judgement:
        solution = Solution(solution_id="", problem_id=problem.problem_id)
        return make_judgement(problem, solution, reply, self._judge.options)


def _passed(future: Future[Judgement] | None) -> bool | None:
    """Wait for a verdict and return whether it passed; None if there is none or the judge
    failed."""
    if future is None:
        return None
    try:
        judgement = future.result()
    except (JudgeError, CancelledError):
        return None
    return None if judgement.status is Status.ERROR else judgement.passed
