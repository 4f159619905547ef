"""inspect-ai: ``Task(scorer=accepted())``. docs/stacks/inspect-ai.md.

Imports inspect_ai, since its decorator registers scorers.
Source: inspect-ai 0.3.285, scorer/_scorer.py and scorer/_metric.py (Score.unscored).
"""

from __future__ import annotations

from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from microcoder_eval.integrations.rows import TESTS
from microcoder_eval.integrations.scorer import Scorer as JudgeScorer


@scorer(metrics=[mean(), stderr()])
def accepted(**settings: Any) -> Scorer:
    """Make a scorer: 1.0 for a right answer, else 0.0; unscored if the judge failed.

    Means leave unscored samples out. The tests are in the sample's metadata
    (``rows.get_problem``), else the target is their JSON.
    settings: partial, workers, limits, compare, …; see ``JudgeScorer`` and ``Judge``.
    """
    judge = JudgeScorer(**settings)

    async def score(state: TaskState, target: Target) -> Score:
        row = dict(state.metadata)
        if row.get(TESTS) is None and row.get("test_code") is None:
            row[TESTS] = target.text
        (judgement,) = await judge.ajudge_samples([(state.output.completion, row)])
        reward = judge.reward(judgement)
        metadata = {"verdict": str(judgement.verdict), "error": judgement.error}
        if reward is None:
            return Score.unscored(
                reason="judge_error", explanation=judgement.error, metadata=metadata
            )
        detail = next((t.detail for t in judgement.tests if t.detail), None)
        explanation = f"{judgement.verdict}: {detail}" if detail else str(judgement.verdict)
        answer = state.output.completion
        return Score(value=reward, answer=answer, explanation=explanation, metadata=metadata)

    return score
