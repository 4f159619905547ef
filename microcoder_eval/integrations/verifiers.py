"""verifiers: a reward of a v1 ``Task``, and of a ``Rubric`` of the versions before.
docs/stacks/verifiers.md.

Source: verifiers 0.4.0, v1/task.py (Task.score: called with what its parameters name); of the
versions before, rubrics/rubric.py (_call_individual_reward_func).
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any

from microcoder_eval.errors import JudgeError
from microcoder_eval.integrations.rows import COLUMNS, TESTS, Row
from microcoder_eval.integrations.scoring import Scorer, answer_text, certain


async def accepted(trace: Any, task: Any) -> float:
    """The reward of the last reply in a trace by the tests in its task's data.

    task: the TaskData, with a field ``tests`` (``rows.problem_in``). Raises JudgeError when the
    judge failed twice: verifiers keeps it in the trace's errors, and the reward None.
    """
    return await score(trace.last_reply, {key: _field(task, key) for key in (TESTS, *COLUMNS)})


async def rubric_reward(
    completion: Any,
    answer: Any = None,
    info: Mapping[str, Any] | None = None,
    state: Any = None,
    **rest: Any,
) -> float:
    """For ``Rubric(funcs=[rubric_reward])``: tests are in ``info``, else in ``answer``.

    A Rubric logs what a function raises and counts 0. So that a failure of the judge can be told
    from a wrong answer, ``state["judge_error"]`` says why before JudgeError is raised.
    """
    row = dict(info or {})
    if row.get(TESTS) is None and row.get("test_code") is None:
        row[TESTS] = answer
    try:
        return await score(answer_text(completion), row)
    except JudgeError as error:
        if isinstance(state, MutableMapping):
            state["judge_error"] = str(error)
        raise


async def score(text: str, row: Row, **settings: Any) -> float:
    """The reward of a text by a row; settings: see ``Scorer`` and ``Judge``."""
    scorer = Scorer(**settings)
    (judgement,) = await scorer.ajudgements([(text, row)])
    return certain(scorer.reward(judgement), judgement)


def _field(task: Any, key: str) -> Any:
    return task.get(key) if isinstance(task, Mapping) else getattr(task, key, None)
