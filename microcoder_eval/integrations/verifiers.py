"""verifiers: a reward of a v1 ``Task``, and of a ``Rubric`` of earlier versions.
docs/stacks/verifiers.md.

Source: verifiers 0.4.0, v1/task.py (Task.score passes arguments by the names of parameters);
earlier versions, rubrics/rubric.py (_call_individual_reward_func).
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any

from microcoder_eval.integrations.rows import COLUMNS, TESTS, Row
from microcoder_eval.integrations.scoring import Scorer, extract_text, require_reward
from microcoder_eval.records import Judgement


async def accepted(trace: Any, task: Any) -> float:
    """Return the reward of the last reply in a trace, by the tests in its task's data.

    task: the TaskData, with a field ``tests`` (``rows.get_problem``). Raises JudgeError if the
    judge fails twice; verifiers then adds it to the trace's errors, and the reward is None.
    """
    return await score(trace.last_reply, {key: _get_field(task, key) for key in (TESTS, *COLUMNS)})


async def rubric_reward(
    completion: Any,
    answer: Any = None,
    info: Mapping[str, Any] | None = None,
    state: Any = None,
    **unused: Any,
) -> float:
    """Return the reward of a completion, for ``Rubric(funcs=[rubric_reward])``.

    The tests are in ``info`` or in ``answer``.

    A Rubric needs a number: if the judge fails twice the reward is 0.0, and
    ``state["judge_error"]`` holds the reason.
    """
    row = dict(info or {})
    if row.get(TESTS) is None and row.get("test_code") is None:
        row[TESTS] = answer
    reward, judgement = await _score_text(extract_text(completion), row)
    if reward is None and isinstance(state, MutableMapping):
        state["judge_error"] = judgement.error
    return reward or 0.0


async def score(text: str, row: Row, **settings: Any) -> float:
    """Return the reward of a text by a row. settings: see ``Scorer``. Raises JudgeError."""
    return require_reward(*await _score_text(text, row, **settings))


async def _score_text(text: str, row: Row, **settings: Any) -> tuple[float | None, Judgement]:
    scorer = Scorer(**settings)
    (judgement,) = await scorer.ajudge_samples([(text, row)])
    return scorer.training_reward(judgement), judgement


def _get_field(task: Any, key: str) -> Any:
    return task.get(key) if isinstance(task, Mapping) else getattr(task, key, None)
