"""Reward functions for TRL: ``GRPOTrainer(reward_funcs=reward)``. docs/stacks/trl.md.

Source: TRL 1.16, trainer/grpo_trainer.py (_calculate_rewards) and trainer/utils.py
(get_callable_name, is_async_callable).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from microcoder_eval.integrations.rows import Row, has_tests
from microcoder_eval.integrations.scoring import Scorer, answer_text, certain
from microcoder_eval.records import Judgement, Verdict

# What the trainer adds to the columns of the data set, a list or not.
_TRAINERS = ("completion_ids", "trainer_state", "log_extra", "log_metric", "environments")
_ON_ERROR = ("none", "raise")


class Reward:
    """A reward function with settings of its own; picklable.

    name: what TRL logs it under, rewards/NAME/mean. on_error, where the judge has failed twice:
    "none", which TRL keeps out of the group, or "raise" (JudgeError). The other keywords are those
    of ``Scorer`` and ``Judge``: partial, workers, limits, compare, packages, ….
    """

    def __init__(self, name: str = "microcoder", on_error: str = "none", **settings: Any) -> None:
        if on_error not in _ON_ERROR:
            raise ValueError(f'on_error must be one of {", ".join(_ON_ERROR)}, not "{on_error}"')
        self.__name__ = name
        self._on_error = on_error
        self._scorer = Scorer(**settings)

    def __call__(
        self, prompts: Sequence[Any], completions: Sequence[Any], **columns: Any
    ) -> list[float | None]:
        """One reward a completion, texts or chats; None where the row has no tests or the judge
        failed. columns: of the data set, see ``rows.problem_in``. Raises DataError."""
        asked = _asked(completions, columns)
        found = self._scorer.judgements(list(asked.values()))
        return self._rewards(len(completions), dict(zip(asked, found, strict=True)), columns)

    def _rewards(
        self, count: int, found: dict[int, Judgement], columns: dict[str, Any]
    ) -> list[float | None]:
        rewards = {i: self._scorer.reward(judgement) for i, judgement in found.items()}
        _log(count, found, columns)
        if self._on_error == "raise":
            for i, judgement in found.items():
                certain(rewards[i], judgement)
        return [rewards.get(i) for i in range(count)]


class AsyncReward(Reward):
    """The same as a coroutine function: TRL runs it beside the other rewards."""

    async def __call__(  # type: ignore[override]
        self, prompts: Sequence[Any], completions: Sequence[Any], **columns: Any
    ) -> list[float | None]:
        """As ``Reward``."""
        asked = _asked(completions, columns)
        found = await self._scorer.ajudgements(list(asked.values()))
        return self._rewards(len(completions), dict(zip(asked, found, strict=True)), columns)


def _asked(completions: Sequence[Any], columns: dict[str, Any]) -> dict[int, tuple[str, Row]]:
    """Answer and row of each sample that has tests."""
    count = len(completions)
    own = {
        key: values
        for key, values in columns.items()
        if key not in _TRAINERS and isinstance(values, (list, tuple)) and len(values) == count
    }
    rows = [{key: values[i] for key, values in own.items()} for i in range(count)]
    if not any(has_tests(row) for row in rows) and not {"tests", "test_code"} & own.keys():
        raise ValueError(
            f'no column holds tests: "tests" or "test_code" is needed, or those of a known format '
            f"(columns: {', '.join(sorted(own)) or 'none'})"
        )
    return {
        i: (answer_text(completion), row)
        for i, (completion, row) in enumerate(zip(completions, rows, strict=True))
        if has_tests(row)
    }


def _log(count: int, found: dict[int, Judgement], columns: dict[str, Any]) -> None:
    """Verdicts beside the completions, and the share of failures of the judge, where TRL can."""
    if columns.get("log_extra"):
        columns["log_extra"](
            "verdict", [str(found[i].verdict) if i in found else "" for i in range(count)]
        )
    if columns.get("log_metric"):
        failures = sum(judgement.verdict is Verdict.JE for judgement in found.values())
        columns["log_metric"]("judge_error", failures / max(1, len(found)))


reward = Reward()
areward = AsyncReward()
