"""Identical programs of a problem are judged once."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from microcoder_eval import Judge, Judgement, Solution
from microcoder_eval.pool import dedup
from microcoder_eval.pool.tasks import Task
from microcoder_eval.worker.messages import SolutionReply, SolutionRequest
from tests.judges import SharedJudge

NOISE = "import random\nprint(random.getrandbits(64))"
ANY_NUMBER = {"problem_id": "p", "tests": [{"input": "", "output": "1"}]}
SLOW = "t = 0\nwhile t < 3 * 10**6: t += 1\nprint(1)"


def quote_output(judgement: Judgement) -> str:
    """What the program printed, as the refusal quotes it: another number each time it runs."""
    assert judgement.tests[0] is not None
    return judgement.tests[0].detail or ""


def test_an_identical_program_gets_the_first_ones_results() -> None:
    with SharedJudge(workers=1) as judge:
        first = judge.judge({"code": NOISE, "solution_id": "a"}, ANY_NUMBER)
        second = judge.judge({"code": NOISE, "solution_id": "b", "meta": {"x": 1}}, ANY_NUMBER)
    assert quote_output(first) == quote_output(second)
    assert (first.solution_id, second.solution_id) == ("a", "b")
    assert second.meta == {"x": 1}


def test_another_program_or_problem_or_form_is_judged_again() -> None:
    other = {**ANY_NUMBER, "tests": [{"input": "", "output": "2"}]}
    with SharedJudge(workers=1) as judge:
        texts = {
            quote_output(judge.judge({"code": NOISE}, ANY_NUMBER)),
            quote_output(judge.judge({"code": NOISE + " "}, ANY_NUMBER)),
            quote_output(judge.judge({"code": NOISE}, other)),
            quote_output(judge.judge({"response": f"```python\n{NOISE}\n```"}, ANY_NUMBER)),
        }
    assert len(texts) == 4


def test_without_reuse_each_is_judged_again() -> None:
    with SharedJudge(workers=1, reuse=False) as judge:
        texts = {quote_output(judge.judge({"code": NOISE}, ANY_NUMBER)) for _ in range(3)}
    assert len(texts) == 3


def test_a_twin_is_judged_even_if_the_first_is_cancelled() -> None:
    with SharedJudge(workers=1) as judge:
        busy = judge.submit({"code": SLOW}, ANY_NUMBER)
        first, second, third = (judge.submit({"code": NOISE}, ANY_NUMBER) for _ in range(3))
        assert first.cancel()
        assert second.result().verdict == "WA"
        assert third.result().verdict == "WA"
        assert busy.result().passed


def test_a_cancelled_twin_takes_nobody_with_it() -> None:
    with SharedJudge(workers=1) as judge:
        judge.submit({"code": SLOW}, ANY_NUMBER)
        first, second = (judge.submit({"code": NOISE}, ANY_NUMBER) for _ in range(2))
        assert second.cancel()
        assert first.result().verdict == "WA"


def test_twins_are_answered_in_an_event_loop_too() -> None:
    async def both(judge: Judge) -> list[Judgement]:
        return await asyncio.gather(
            *(judge.ajudge({"code": SLOW + "\n" + NOISE}, ANY_NUMBER) for _ in range(5))
        )

    with SharedJudge(workers=1) as judge:
        assert len({quote_output(judgement) for judgement in asyncio.run(both(judge))}) == 1


def test_a_failure_of_the_judge_is_not_kept() -> None:
    unknown: dict[str, Any] = {
        "problem_id": "p",
        "tests": [{"input": "", "output": "1"}],
        "checker": {"type": "python", "source": "raise SystemExit('broken')"},
    }
    with SharedJudge(workers=1) as judge:
        before = judge.stats().failures
        verdicts = [judge.judge({"code": NOISE}, unknown).verdict for _ in range(2)]
        assert verdicts == ["JE", "JE"]
        assert judge.stats().failures - before == 2


def test_many_threads_with_the_same_program_get_one_answer() -> None:
    program = {"code": f"{SLOW}\n{NOISE}"}
    with SharedJudge(workers=2) as judge, ThreadPoolExecutor(16) as threads:
        outputs = list(
            threads.map(lambda _: quote_output(judge.judge(program, ANY_NUMBER)), range(16))
        )
    assert len(set(outputs)) == 1


def test_kept_answers_are_bounded_in_number_and_in_results(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dedup, "MAX_REPLIES", 4)
    monkeypatch.setattr(dedup, "MAX_RESULTS", 30)
    cache = dedup.DedupCache(lambda task: None)

    def task() -> Task:
        return Task(SolutionRequest("", Solution("p", "s", "")), None, lambda answer: answer)

    def answered(key: int, results: int) -> None:
        first = task()
        assert not cache.join(key, first)
        first.answer(SolutionReply(4, (None,) * results, (), ""))

    under_way = task()
    assert not cache.join("under way", under_way)
    for key in range(100):
        answered(key, 1)
    assert all(cache.join(key, task()) for key in (99, 98, 97))
    assert not cache.join(96, task())
    for key in range(100, 110):
        answered(key, 20)
    assert cache.join(109, task())
    assert not cache.join(108, task())  # two of them would be 40 results
    assert cache.join("under way", task())  # what others may wait for is never dropped
