"""Answers and rows in, judgements out: what the reward functions of all stacks have in common.

The pool is the process's own shared one: started at the first answer, ended with the process, and
made anew in a fork. A failure of the judge is tried once more, then it is nobody's wrong answer.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from typing import Any

from microcoder_eval.api import Judge, shared_judge
from microcoder_eval.cores import usable_cores
from microcoder_eval.errors import JudgeError
from microcoder_eval.integrations.rows import Row, problem_in
from microcoder_eval.records import Judgement, Limits, Status


class Scorer:
    """The judge with its settings; picklable, since it holds nothing else.

    partial: the reward is the share of tests passed, and all are run; else 1.0 or 0.0.
    workers: processes of this process's pool; by default the cores it may use, shared among the
    ranks that torchrun or accelerate started on this machine (LOCAL_WORLD_SIZE).
    limits: a Limits or its dict; they win over a row's. settings: the others of ``Judge``.
    """

    def __init__(
        self,
        *,
        partial: bool = False,
        workers: int | None = None,
        limits: Limits | Mapping[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        self.partial = partial
        self._workers = workers
        if limits is not None and not isinstance(limits, Limits):
            limits = Limits(**dict(limits))
        if "packages" in settings:  # a list of another kind where it comes out of YAML
            settings["packages"] = tuple(settings["packages"])
        if partial:
            settings["stop"] = "never"
        self._settings: dict[str, Any] = {"limits": limits, **settings}

    def judgements(self, asked: Sequence[tuple[str, Row]]) -> list[Judgement]:
        """Judge each answer by its row. Raises DataError, and JudgeError if none can start."""
        pairs = [({"response": text}, problem_in(row)) for text, row in asked]
        judge = self._judge()
        found = [future.result() for future in [judge.submit(*pair) for pair in pairs]]
        failed = [i for i, judgement in enumerate(found) if judgement.status is Status.ERROR]
        again = [judge.submit(*pairs[i]) for i in failed]
        for i, future in zip(failed, again, strict=True):
            found[i] = future.result()
        return found

    async def ajudgements(self, asked: Sequence[tuple[str, Row]]) -> list[Judgement]:
        """As ``judgements``, without blocking the event loop."""
        return list(await asyncio.gather(*(self._ajudge(text, row) for text, row in asked)))

    async def _ajudge(self, text: str, row: Row) -> Judgement:
        # Reading a large problem or starting the pool takes a second: not the event loop's.
        problem = await asyncio.to_thread(problem_in, row)
        judge = await asyncio.to_thread(self._judge)
        found = await judge.ajudge({"response": text}, problem)
        if found.status is Status.ERROR:
            found = await judge.ajudge({"response": text}, problem)
        return found

    def reward(self, judgement: Judgement) -> float | None:
        """1.0, 0.0 or the share of tests passed; None: the judge failed."""
        if not self.partial or judgement.reward is None or judgement.status is Status.INCOMPLETE:
            return judgement.reward
        return judgement.score

    def _judge(self) -> Judge:
        return shared_judge(workers=self._workers or _workers(), **self._settings)


def certain(reward: float | None, judgement: Judgement) -> float:
    """The reward. Raises JudgeError where there is none, for stacks that know no such thing."""
    if reward is None:
        raise JudgeError(f"the judge failed twice: {judgement.error}")
    return reward


def answer_text(completion: Any) -> str:
    """The text of a completion: itself, or the last thing the assistant said in a chat."""
    if isinstance(completion, str):
        return completion
    for message in reversed(list(completion)):
        content = message.get("content")
        if message.get("role", "assistant") == "assistant" and content:
            return content if isinstance(content, str) else _joined(content)
    return ""


def _joined(parts: Sequence[Any]) -> str:
    texts = (part if isinstance(part, str) else part.get("text") for part in parts)
    return "".join(text for text in texts if text)


def _workers() -> int:
    ranks = os.environ.get("LOCAL_WORLD_SIZE", "")
    return max(1, usable_cores() // (int(ranks) if ranks.isdecimal() and int(ranks) else 1))
