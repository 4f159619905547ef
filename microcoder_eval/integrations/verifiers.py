"""verifiers: a reward of a v1 ``Task``. docs/stacks/verifiers.md.

Source: verifiers 0.4.0, v1/task.py (Task.score passes arguments by the names of parameters).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_eval.integrations.rows import COLUMNS, TESTS, Row
from microcoder_eval.integrations.scorer import Scorer, require_reward


async def accepted(trace: Any, task: Any) -> float:
    """Return the reward of the last reply in a trace, by the tests in its task's data.

    task: the TaskData, with a field ``tests`` (``rows.get_problem``). Raises JudgeError if the
    judge fails twice; verifiers then adds it to the trace's errors, and the reward is None.
    """
    return await score(trace.last_reply, {key: _get_field(task, key) for key in (TESTS, *COLUMNS)})


async def score(text: str, row: Row, **settings: Any) -> float:
    """Return the reward of a text by a row. settings: see ``Scorer``. Raises JudgeError."""
    scorer = Scorer(**settings)
    (judgement,) = await scorer.ajudge_samples([(text, row)])
    return require_reward(scorer.training_reward(judgement), judgement)


def _get_field(task: Any, key: str) -> Any:
    return task.get(key) if isinstance(task, Mapping) else getattr(task, key, None)
