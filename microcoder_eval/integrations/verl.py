"""verl's ``custom_reward_function``: compute_score, or acompute_score. docs/stacks/verl.md.

    reward.custom_reward_function.path=pkg://microcoder_eval.integrations.verl

Source: verl 0.9.1, trainer/ppo/reward.py and experimental/reward_loop/reward_manager. verl may
load this file as a module that cannot be imported by name, so it has no global state.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_eval.integrations.rows import COLUMNS, TESTS, Row
from microcoder_eval.integrations.scorer import Scorer, require_reward
from microcoder_eval.records import Judgement
from microcoder_eval.settings import check_choice


def compute_score(
    data_source: Any,
    solution_str: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    *,
    on_error: str = "zero",
    **settings: Any,
) -> float | dict[str, float | int]:
    """Return the reward of an answer: {"score", "judge_error"}, or a float if on_error="raise".

    ground_truth: tests in any form that ``rows.get_problem`` reads.
    extra_info: entry_point, limits, …, if they are not in ground_truth. settings (verl's
        reward_kwargs): partial, workers, limits, compare, …; see ``Scorer`` and ``Judge``.
    on_error: if the judge fails twice, "zero" gives score 0.0 and judge_error 1, which verl logs as
        a metric, with a warning; "raise" raises JudgeError, which ends the run.

    Raises DataError for unusable tests; JudgeError if the judge fails on too many of the last
    answers (max_judge_errors, judge_error_window).
    """
    scorer, row = _prepare(ground_truth, extra_info, on_error, settings)
    (judgement,) = scorer.judge_samples([(solution_str, row)])
    return _build_score(scorer, judgement, on_error)


async def acompute_score(
    data_source: Any,
    solution_str: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    *,
    on_error: str = "zero",
    **settings: Any,
) -> float | dict[str, float | int]:
    """Like ``compute_score``, but on verl's event loop. verl decides how many run at a time."""
    scorer, row = _prepare(ground_truth, extra_info, on_error, settings)
    (judgement,) = await scorer.ajudge_samples([(solution_str, row)])
    return _build_score(scorer, judgement, on_error)


def _prepare(
    ground_truth: Any, extra: Mapping[str, Any] | None, on_error: str, settings: dict[str, Any]
) -> tuple[Scorer, Row]:
    from microcoder_eval.formats.datasets.verl import choose_tests

    check_choice("on_error", on_error, ("raise", "zero"))
    for name in ("reward_router_address", "reward_model_tokenizer"):
        settings.pop(name, None)  # verl passes them to every function if it has a reward model
    columns = {key: value for key, value in (extra or {}).items() if key in COLUMNS}
    return Scorer(**settings), {**columns, TESTS: choose_tests(ground_truth, extra)}


def _build_score(
    scorer: Scorer, judgement: Judgement, on_error: str
) -> float | dict[str, float | int]:
    if on_error == "raise":
        return require_reward(scorer.reward(judgement), judgement)
    reward = scorer.training_reward(judgement)
    # All answers need the same keys, since verl turns them into columns.
    return {"score": 0.0 if reward is None else reward, "judge_error": int(reward is None)}
