"""lm-evaluation-harness: ``process_results: !function utils.process_results``.
docs/stacks/lm-eval.md.

Source: lm-eval 0.4.13, api/task.py (ConfigurableTask.process_results), api/metrics.py (nanmean).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from microcoder_eval.integrations.scorer import Scorer


def process_results(
    doc: Mapping[str, Any], results: Sequence[Any], **settings: Any
) -> dict[str, float]:
    """Return {"accepted": share of the answers that are right, "judge_error": share not judged}.

    doc: the row with its tests (``rows.get_problem``). results: the answer, or a list of answers
    if the task has repeats. "accepted" is NaN if none could be judged: aggregate it by nanmean.
    settings: see ``Scorer`` and ``Judge``.

    Raises DataError for unusable tests.
    """
    scorer = Scorer(**settings)
    answers = [
        text for result in results for text in ([result] if isinstance(result, str) else result)
    ]
    judgements = scorer.judge_samples([(text, doc) for text in answers])
    rewards = [scorer.reward(judgement) for judgement in judgements]
    known_rewards = [reward for reward in rewards if reward is not None]
    return {
        "accepted": sum(known_rewards) / len(known_rewards) if known_rewards else float("nan"),
        "judge_error": 1 - len(known_rewards) / len(rewards) if rewards else 0.0,
    }
