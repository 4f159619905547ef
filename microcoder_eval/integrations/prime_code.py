"""In the place of verl's ``prime_code.compute_score``: same call, same answer. docs/stacks/verl.md.

Source: verl 0.9.1, utils/reward_score/prime_code.
"""

from __future__ import annotations

from typing import Any

from microcoder_eval.integrations.rows import TESTS
from microcoder_eval.integrations.scoring import Scorer, certain
from microcoder_eval.records import Judgement, Verdict

FIRST = 10  # the tests that count in a continuous score: prime_code's own


def compute_score(
    completion: str, test_cases: Any, continuous: bool = False, **settings: Any
) -> tuple[bool | float, list[dict[str, Any]]]:
    """(success, what each test said).

    test_cases: {"inputs", "outputs", "fn_name"} or its JSON text, or whatever else
    ``rows.problem_in`` reads. success: True or False; with ``continuous``, if not all tests pass,
    the share of the first ten that do. settings: see ``Scorer`` and ``Judge``.
    Raises DataError for unusable tests (prime_code: False), JudgeError when the judge failed twice.
    """
    row = {TESTS: test_cases}
    whole = Scorer(**settings)
    (judgement,) = whole.judgements([(completion, row)])
    success = certain(judgement.reward, judgement) == 1.0
    if success or not continuous:
        return success, _details(judgement)
    (judgement,) = Scorer(**{**settings, "partial": True}).judgements([(completion, row)])
    certain(judgement.reward, judgement)
    tests = judgement.tests[:FIRST]
    passed = sum(test is not None and test.verdict is Verdict.AC for test in tests)
    return passed / max(1, len(tests)), _details(judgement)


def _details(judgement: Judgement) -> list[dict[str, Any]]:
    return [
        {"test": i, "verdict": str(test.verdict), "detail": test.detail}
        for i, test in enumerate(judgement.tests)
        if test is not None
    ]
