"""verl's ``custom_reward_function``: compute_score, or acompute_score. docs/stacks/verl.md.

    reward.custom_reward_function.path=pkg://microcoder_eval.integrations.verl

Source: verl 0.9.1, trainer/ppo/reward.py and experimental/reward_loop/reward_manager. It may also
be loaded from its file, as a module that nobody can import by name: nothing global here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_eval.integrations.rows import COLUMNS, TESTS, Row
from microcoder_eval.integrations.scoring import Scorer, certain
from microcoder_eval.records import Judgement


def compute_score(
    data_source: Any,
    solution_str: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    *,
    on_error: str = "raise",
    **settings: Any,
) -> float | dict[str, float | int]:
    """The reward of an answer.

    ground_truth: tests in any form that ``rows.problem_in`` reads. extra_info: entry_point,
    limits, …, where they stand beside the tests. settings (verl's reward_kwargs): partial,
    workers, limits, compare, …; see ``Scorer`` and ``Judge``.
    on_error, where the judge has failed twice: "raise" JudgeError, or "zero". With "zero" each
    answer gives {"score", "judge_error"}, and verl logs the second as a metric.
    Raises DataError for unusable tests.
    """
    scorer, row = _prepared(ground_truth, extra_info, on_error, settings)
    (judgement,) = scorer.judgements([(solution_str, row)])
    return _score(scorer, judgement, on_error)


async def acompute_score(
    data_source: Any,
    solution_str: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    *,
    on_error: str = "raise",
    **settings: Any,
) -> float | dict[str, float | int]:
    """As ``compute_score``, on verl's event loop: as many at one time as it asks for."""
    scorer, row = _prepared(ground_truth, extra_info, on_error, settings)
    (judgement,) = await scorer.ajudgements([(solution_str, row)])
    return _score(scorer, judgement, on_error)


def _prepared(
    ground_truth: Any, extra: Mapping[str, Any] | None, on_error: str, settings: dict[str, Any]
) -> tuple[Scorer, Row]:
    if on_error not in ("raise", "zero"):
        raise ValueError(f'on_error must be one of raise, zero, not "{on_error}"')
    for name in ("reward_router_address", "reward_model_tokenizer"):
        settings.pop(name, None)  # verl hands them to every function when it has a reward model
    own = {key: value for key, value in (extra or {}).items() if key in COLUMNS}
    return Scorer(**settings), {**own, TESTS: ground_truth}


def _score(scorer: Scorer, judgement: Judgement, on_error: str) -> float | dict[str, float | int]:
    reward = scorer.reward(judgement)
    if on_error == "raise":
        return certain(reward, judgement)
    # The same keys for each answer: verl makes columns of them.
    return {"score": 0.0 if reward is None else reward, "judge_error": int(reward is None)}
