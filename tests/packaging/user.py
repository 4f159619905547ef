"""A user's program. It is checked by mypy --strict against the installed package, never run.

Where a comment says that an error is expected, there must be one: types that had become Any would
leave it unused, which --strict refuses.
"""

from __future__ import annotations

from collections.abc import Iterator

from microcoder_eval import Judge, Judgement, Limits, Problem, Verdict, judge, run


def rewards(answers: list[str], problem: Problem) -> Iterator[float | None]:
    """A reward for each answer."""
    with Judge(workers=2, stop="first_failure") as pool:
        for judgement in pool.map(({"response": answer}, problem) for answer in answers):
            yield judgement.reward


def choose_best(judgements: list[Judgement]) -> Judgement | None:
    """The one with the highest score."""
    accepted = [each for each in judgements if each.verdict is Verdict.AC]
    return max(accepted, key=lambda each: each.score or 0.0, default=None)


judgement = judge("print(1)", [{"input": "", "output": "1\n"}], limits=Limits(time_s=2.0))
text: str = run("print(1)").stdout
passed: bool = judgement.passed
seconds: float = judgement.tests[0].cpu_s if judgement.tests[0] else 0.0
wrong: str = judgement.reward  # type: ignore[assignment]
nothing = judgement.no_such_name  # type: ignore[attr-defined]
judge("print(1)", [], no_such_option=1)  # type: ignore[call-arg]
Judge(worker=1)  # type: ignore[call-arg]
Judge(workers="1")  # type: ignore[arg-type]
