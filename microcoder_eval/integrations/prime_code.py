"""Replaces verl's ``prime_code.compute_score``, with the same signature. docs/stacks/verl.md.

Source: verl 0.9.1, utils/reward_score/prime_code.
"""

from __future__ import annotations

from typing import Any

from microcoder_eval.integrations.rows import TESTS
from microcoder_eval.integrations.scoring import Scorer
from microcoder_eval.records import Judgement, Verdict

FIRST = 10  # a continuous score counts this many tests, as in prime_code


def compute_score(
    completion: str, test_cases: Any, continuous: bool = False, **settings: Any
) -> tuple[bool | float, list[dict[str, Any]]]:
    """Return (success, the result of each test).

    test_cases: {"inputs", "outputs", "fn_name"} or its JSON text, or any form that
    ``rows.get_problem`` reads. success: True or False; with ``continuous``, if not all tests pass,
    the share of the first ten that do. settings: see ``Scorer`` and ``Judge``.
    If the judge fails twice: (False, [{"judge_error": reason}]), with a warning. Raises DataError
    for unusable tests (prime_code returns False); JudgeError if the judge fails on too many of the
    last answers (max_judge_errors, judge_error_window).
    """
    row = {TESTS: test_cases}
    scorer = Scorer(**settings)
    (judgement,) = scorer.judge_samples([(completion, row)])
    success = scorer.training_reward(judgement) == 1.0
    if success or not continuous or judgement.reward is None:
        return success, _describe_tests(judgement)
    (judgement,) = Scorer(**{**settings, "partial": True}).judge_samples([(completion, row)])
    if judgement.reward is None:
        return False, _describe_tests(judgement)
    tests = judgement.tests[:FIRST]
    pass_count = sum(test.verdict is Verdict.AC for test in tests)
    return pass_count / max(1, len(tests)), _describe_tests(judgement)


def _describe_tests(judgement: Judgement) -> list[dict[str, Any]]:
    if judgement.reward is None:
        return [{"judge_error": judgement.error}]
    return [
        {"test": i, "verdict": str(test.verdict), "detail": test.detail}
        for i, test in enumerate(judgement.tests)
        if test.verdict is not None
    ]
