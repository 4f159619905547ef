"""OpenRLHF's reward function: ``from microcoder_eval.integrations.openrlhf import reward_func`` in
the file that ``--reward.remote_url`` names. docs/stacks/openrlhf.md.

Source: OpenRLHF 0.11.2, utils/agent.py (SingleTurnAgentExecutor) and
trainer/ppo_utils/samples_generator.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.integrations.rows import TESTS, Row
from microcoder_eval.integrations.scorer import Scorer

# Queries contain special tokens as text. A token right after a closing fence would hide the fence.
_LONGEST_TOKEN = 44
_TOKEN = re.compile(r"<\|[^<>|]{1,40}\|>|</s>|<eos>|<end_of_turn>|<[|｜][^<>]{1,40}[|｜]>")


def reward_func(
    queries: Sequence[str], prompts: Sequence[str], labels: Sequence[Any], **settings: Any
) -> dict[str, Any]:
    """Return {"rewards", "scores", "extra_logs"}, with one number for each answer.

    queries: prompt and answer; labels: the tests (--data.label_key), in any form that
    ``rows.get_problem`` reads. settings: see ``Scorer`` and ``Judge``; bind them with partial.
    If the judge fails twice on an answer, its reward is 0.0 and extra_logs["judge_error"] is 1.0.
    Raises DataError for unusable tests; JudgeError if the judge fails on too many of the last
    answers (max_judge_errors, judge_error_window).
    """
    import torch

    scorer = Scorer(**settings)
    samples = [
        (extract_answer(query, prompt), _make_row(label))
        for query, prompt, label in zip(queries, prompts, labels, strict=True)
    ]
    judgements = scorer.judge_samples(samples)
    training_rewards = [scorer.training_reward(judgement) for judgement in judgements]
    rewards = torch.tensor([reward or 0.0 for reward in training_rewards], dtype=torch.float32)
    return {
        "rewards": rewards,
        "scores": rewards.clamp(0, 1),
        "extra_logs": {
            "passed": torch.tensor([float(judgement.passed) for judgement in judgements]),
            "judge_error": torch.tensor([float(reward is None) for reward in training_rewards]),
        },
    }


def extract_answer(query: str, prompt: str) -> str:
    """Return the text after the prompt, without the special tokens at its end.

    Tokens may precede the prompt. Raises DataError if the query does not contain the prompt, since
    code in the prompt would then be judged as the answer.
    """
    start = query.find(prompt)
    if start < 0:
        raise DataError(
            "a query does not contain its prompt, so the answer cannot be found: give "
            "reward_func the prompts that the queries were made of"
        )
    answer = query[start + len(prompt) :]
    return answer[: _find_text_end(answer)]


def _find_text_end(answer: str) -> int:
    """Find where the special tokens at the end begin, searching backwards from the last one."""
    text_end = end = len(answer)
    while True:
        while end and answer[end - 1].isspace():
            end -= 1
        start = answer.rfind("<", max(0, end - _LONGEST_TOKEN), end)
        if start < 0 or not _TOKEN.fullmatch(answer, start, end):
            return text_end
        text_end = end = start


def _make_row(label: Any) -> Row:
    return label if isinstance(label, Mapping) and TESTS in label else {TESTS: label}
