"""OpenRLHF's reward function: ``from microcoder_eval.integrations.openrlhf import reward_func`` in
the file that ``--reward.remote_url`` names. docs/stacks/openrlhf.md.

Source: OpenRLHF 0.11.2, utils/agent.py (SingleTurnAgentExecutor) and
trainer/ppo_utils/samples_generator.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from microcoder_eval.integrations.rows import TESTS, Row
from microcoder_eval.integrations.scoring import Scorer, certain

# Queries are decoded with their special tokens; one behind a closing fence would hide it.
_LAST_TOKENS = re.compile(
    r"(?:\s*(?:<\|[^<>|]{1,40}\|>|</s>|<eos>|<end_of_turn>|<[|｜][^<>]{1,40}[|｜]>))+\s*\Z"
)


def reward_func(
    queries: Sequence[str], prompts: Sequence[str], labels: Sequence[Any], **settings: Any
) -> dict[str, Any]:
    """{"rewards", "scores", "extra_logs"}, one number an answer.

    queries: prompt and answer; labels: the tests (--data.label_key), in any form that
    ``rows.problem_in`` reads. settings: see ``Scorer`` and ``Judge``; bind them with partial.
    Raises DataError for unusable tests, JudgeError when the judge failed twice.
    """
    import torch

    scorer = Scorer(**settings)
    asked = [
        (answer_in(query, prompt), _row(label))
        for query, prompt, label in zip(queries, prompts, labels, strict=True)
    ]
    found = scorer.judgements(asked)
    rewards = torch.tensor(
        [certain(scorer.reward(judgement), judgement) for judgement in found], dtype=torch.float32
    )
    return {
        "rewards": rewards,
        "scores": rewards.clamp(0, 1),
        "extra_logs": {"passed": torch.tensor([float(judgement.passed) for judgement in found])},
    }


def answer_in(query: str, prompt: str) -> str:
    """What follows the prompt in the query, without the tokens that ended it."""
    answer = query[len(prompt) :] if query.startswith(prompt) else query
    return _LAST_TOKENS.sub("", answer)


def _row(label: Any) -> Row:
    return label if isinstance(label, Mapping) and TESTS in label else {TESTS: label}
