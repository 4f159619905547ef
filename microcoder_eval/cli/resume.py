"""What --resume accepts, and what is said when it does not."""

from __future__ import annotations

import sys

from microcoder_eval.extract import extract
from microcoder_eval.journal import Journal
from microcoder_eval.languages import code_sha256
from microcoder_eval.outputs import OutputError
from microcoder_eval.records import Judgement, Problem, Solution, Verdict


def say_how_to_resume(journal: Journal | None) -> None:
    """Tell on standard error what an interrupted run kept."""
    if journal is None:
        text = "interrupted; without -o nothing was written"
    elif journal.holds_results:
        text = f"interrupted; results so far are in {journal.paths.journal}: " + (
            "run the same command with --resume to go on"
        )
    else:
        text = "interrupted before the first result"
    print(f"microcoder-eval: {text}", file=sys.stderr)


def refuse_other(
    judgement: Judgement, solution: Solution, problem: Problem, config_sha256: str
) -> None:
    """Raise OutputError for a result of other tests, another program or other settings."""
    reason = None
    if judgement.config_sha256 != config_sha256:
        reason = "with other settings (config_sha256 differs)"
    elif judgement.tests_sha256 != problem.tests_sha256:
        reason = "with other tests (tests_sha256 differs)"
    elif judgement.verdict is not Verdict.JE and judgement.code_sha256 != code_hash(solution):
        reason = "for another program (code_sha256 differs)"
    if reason is not None:
        raise OutputError(
            f"--resume refused: the result of {judgement.problem_id} {judgement.solution_id} was "
            f"made {reason}; use the files and options of that run, or --force to start anew"
        )


def code_hash(solution: Solution) -> str:
    """The code_sha256 a judgement of this solution carries."""
    code = solution.code
    if code is None:
        code = extract(solution.response or "", solution.language).code
    return code_sha256(code or "", solution.language if code else "python")


def not_ours(judgement: Judgement) -> str:
    """What is said of a result that belongs to no solution of this run."""
    return (
        f"--resume refused: there is a result of {judgement.problem_id} {judgement.solution_id}, "
        "which is not among the solutions; use the solutions of that run, or --force to start anew"
    )


def refuse_other_repeats(judgement: Judgement, wanted: int) -> None:
    """Raise OutputError for a result of another ``--repeat``."""
    repeats = judgement.meta.get("repeats")
    times = len(repeats) if isinstance(repeats, list) else 1
    if wanted > 1 and times != wanted:
        raise OutputError(
            f"--resume refused: {judgement.problem_id} {judgement.solution_id} was judged "
            f"{times}x; use --repeat {times}, or --force to start anew"
        )
