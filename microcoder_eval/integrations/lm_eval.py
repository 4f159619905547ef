"""lm-evaluation-harness: ``process_results: !function utils.process_results``.
docs/stacks/lm-eval.md.

Source: lm-eval 0.4.13, api/task.py (ConfigurableTask.process_results), api/metrics.py (nanmean).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from microcoder_eval.integrations.scoring import Scorer


def process_results(
    doc: Mapping[str, Any], results: Sequence[Any], **settings: Any
) -> dict[str, float]:
    """{"accepted": share of the answers that are right, "judge_error": share not judged}.

    doc: the row, with its tests (``rows.problem_in``). results: the answer, or, where the task has
    repeats, all of them. "accepted" is NaN where none could be judged: aggregate it by nanmean.
    settings: see ``Scorer`` and ``Judge``. Raises DataError for unusable tests.
    """
    scorer = Scorer(**settings)
    answers = [text for each in results for text in ([each] if isinstance(each, str) else each)]
    found = scorer.judgements([(text, doc) for text in answers])
    rewards = [scorer.reward(judgement) for judgement in found]
    judged = [reward for reward in rewards if reward is not None]
    return {
        "accepted": sum(judged) / len(judged) if judged else float("nan"),
        "judge_error": 1 - len(judged) / len(rewards) if rewards else 0.0,
    }
