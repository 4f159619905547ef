"""Reward functions for TRL: ``GRPOTrainer(reward_funcs=reward)``. docs/stacks/trl.md.

Source: TRL 1.16, trainer/grpo_trainer.py (_calculate_rewards) and trainer/utils.py
(get_callable_name, is_async_callable).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.integrations.rows import Row, get_problem, has_tests
from microcoder_eval.integrations.scorer import Scorer, extract_text, require_reward
from microcoder_eval.records import Judgement, Verdict
from microcoder_eval.settings import check_choice

# Keywords that the trainer adds to the columns of the dataset.
_TRAINER_KEYS = ("completion_ids", "trainer_state", "log_extra", "log_metric", "environments")


class Reward:
    """A reward function with its settings; picklable.

    name: the reward's name, which is no column: TRL logs it as rewards/NAME/mean. on_error: if the
    judge fails twice on an answer, "none" gives the reward None, which TRL leaves out of the group,
    and "raise" raises JudgeError. settings: those of ``Scorer`` and ``Judge``: partial, workers,
    limits, …
    """

    def __init__(self, name: str = "microcoder", on_error: str = "none", **settings: Any) -> None:
        check_choice("on_error", on_error, ("none", "raise"))
        if not isinstance(name, str) or not name:
            raise TypeError(f"the first argument is the name in TRL's logs, not {name!r}")
        self.__name__ = name
        self._on_error = on_error
        self._scorer = Scorer(**settings)

    def __call__(
        self, prompts: Sequence[Any], completions: Sequence[Any], **columns: Any
    ) -> list[float | None]:
        """Return the reward of each completion, a text or a chat.

        It is None if the row has no tests or the judge failed. columns: those of the dataset, see
        ``rows.get_problem``. Raises DataError.
        """
        samples = _collect_samples(completions, columns)
        with _naming_row(samples):
            results = self._scorer.judge_samples(list(samples.values()))
        return self._compute_rewards(samples, results, len(completions), columns)

    def _compute_rewards(
        self, samples: Iterable[int], results: list[Judgement], count: int, columns: dict[str, Any]
    ) -> list[float | None]:
        judgements = dict(zip(samples, results, strict=True))
        _log_verdicts(count, judgements, columns)
        if self._on_error == "raise":
            for judgement in judgements.values():
                require_reward(self._scorer.reward(judgement), judgement)
        rewards = {
            i: self._scorer.training_reward(judgement) for i, judgement in judgements.items()
        }
        return [rewards.get(i) for i in range(count)]


class AsyncReward(Reward):
    """``Reward`` as a coroutine function, which TRL runs concurrently with other rewards."""

    async def __call__(  # type: ignore[override]
        self, prompts: Sequence[Any], completions: Sequence[Any], **columns: Any
    ) -> list[float | None]:
        """Like ``Reward.__call__``."""
        samples = _collect_samples(completions, columns)
        with _naming_row(samples):
            results = await self._scorer.ajudge_samples(list(samples.values()))
        return self._compute_rewards(samples, results, len(completions), columns)


def _collect_samples(
    completions: Sequence[Any], columns: dict[str, Any]
) -> dict[int, tuple[str, Row]]:
    """Return the answer and the row of each sample that has tests, by its index."""
    count = len(completions)
    data_columns = {
        key: values
        for key, values in columns.items()
        if key not in _TRAINER_KEYS and isinstance(values, (list, tuple)) and len(values) == count
    }
    for key in ("tests", "test_code"):
        if key in columns and key not in data_columns:
            size = len(columns[key]) if hasattr(columns[key], "__len__") else 0
            raise ValueError(
                f'the column "{key}" must be a list with an item for each of the {count} '
                f"completions, not {type(columns[key]).__name__} of {size}"
            )
    rows = [{key: values[i] for key, values in data_columns.items()} for i in range(count)]
    if not any(has_tests(row) for row in rows) and not {"tests", "test_code"} & data_columns.keys():
        raise ValueError(
            f'no column holds tests: add "tests" or "test_code", or the columns of a known format '
            f"(columns: {', '.join(sorted(data_columns)) or 'none'})"
        )
    return {
        i: (extract_text(completion), row)
        for i, (completion, row) in enumerate(zip(completions, rows, strict=True))
        if has_tests(row)
    }


@contextmanager
def _naming_row(samples: Mapping[int, tuple[str, Row]]) -> Iterator[None]:
    """Name the first row that cannot be read, by its place in the batch, if a DataError is of
    one."""
    try:
        yield
    except DataError:
        for i, (_text, row) in samples.items():
            try:
                get_problem(row)
            except DataError as error:
                raise DataError(f"row {i} of the batch, from 0: {error}") from None
        raise


def _log_verdicts(count: int, judgements: dict[int, Judgement], columns: dict[str, Any]) -> None:
    """Log verdicts and the share of judge failures, if this version of TRL supports it."""
    if columns.get("log_extra"):
        columns["log_extra"](
            "verdict", [str(judgements[i].verdict) if i in judgements else "" for i in range(count)]
        )
    if columns.get("log_metric"):
        failures = sum(judgement.verdict is Verdict.JE for judgement in judgements.values())
        columns["log_metric"]("judge_error", failures / max(1, len(judgements)))


reward = Reward()
areward = AsyncReward()
