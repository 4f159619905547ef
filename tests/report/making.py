"""Judgements as the judge makes them, for reports."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from microcoder_eval.formats import problem_from
from microcoder_eval.records import Judgement, Problem, Solution, Status, TestResult, Verdict
from microcoder_eval.report import ReportBuilder, render_page
from microcoder_eval.results.summary import Tally

Entry = tuple[Judgement, Problem | None, Solution | None]
STATUS = {Verdict.AC: Status.CORRECT, Verdict.JE: Status.ERROR}
WORST = (
    "</script><script>document.title='taken'</script><img src=x onerror=document.title='taken'>"
    "<!--<script>\u2028\u2029\u202e\u200b\x00\x1b]0;x\x07\"'`${1}&lt;\ud800 ]]> --> </style>"
    "</textarea></title></noscript>"
)


def make_test(verdict: Verdict, seconds: float = 0.01, **more: Any) -> TestResult:
    fields = {"wall_s": seconds, "memory_mb": 3.0, **more}
    if verdict is Verdict.AC:
        fields.setdefault("matched_by", "exact")
    return TestResult(verdict, seconds, **fields)


def make_judgement(
    solution: Solution, *tests: TestResult, problem: Problem | None = None, **more: Any
) -> Judgement:
    ran = [test for test in tests if test.verdict is not None]
    verdict = next((t.verdict for t in ran if t.verdict is not Verdict.AC), Verdict.AC)
    verdict = more.pop("verdict", verdict)
    return Judgement(
        **{
            "problem_id": solution.problem_id,
            "solution_id": solution.solution_id,
            "verdict": verdict,
            "passed": verdict is Verdict.AC,
            "score": None if verdict is Verdict.JE else float(verdict is Verdict.AC),
            "status": STATUS.get(verdict, Status.INCORRECT),
            "tests": tests,
            "error": None,
            "flags": (),
            "sandbox_level": 4,
            "memory_method": "maxrss",
            "isolation": "batch",
            "tests_sha256": problem.tests_sha256 if problem is not None else "",
            "code_sha256": sha256(
                (solution.code or "").encode("utf-8", "surrogatepass")
            ).hexdigest(),
            "config_sha256": "c" * 64,
            "version": "0",
            **more,
        }
    )


def make_square(problem_id: str = "square", **more: Any) -> Problem:
    tests = [{"input": f"{n}\n", "output": f"{n * n}\n"} for n in range(1, 6)]
    return problem_from({"problem_id": problem_id, "tests": tests, **more})


def make_entry(problem: Problem, *tests: TestResult, code: str = "print(5)", **more: Any) -> Entry:
    """A program for the problem, and its judgement."""
    solution = Solution(problem.problem_id, more.pop("solution_id", "s"), code=code)
    return make_judgement(solution, *tests, problem=problem, **more), problem, solution


def gather(*entries: Entry, ks: tuple[int, ...] = (1,)) -> tuple[ReportBuilder, Tally]:
    gathering, tally = ReportBuilder(), Tally(ks=ks)
    for position, (judgement, problem, solution) in enumerate(entries):
        tally.add(judgement, problem)
        gathering.add(position, judgement, problem, solution)
    return gathering, tally


def text_of(gathering: ReportBuilder, tally: Tally, **more: Any) -> str:
    """The page."""
    return "".join(render_page(gathering, tally, {"results": "results.jsonl"}, **more))
