"""Which earlier results ``--resume`` accepts, and the messages for those it refuses.

How they are read and continued: results/journal.py.
"""

from __future__ import annotations

from microcoder_eval.console.streams import print_warning
from microcoder_eval.program_hash import code_sha256
from microcoder_eval.records import Judgement, Problem, Solution, Verdict
from microcoder_eval.results.files import OutputError
from microcoder_eval.results.journal import Journal
from microcoder_eval.results.run_comparison import DEFAULT, flatten_settings
from microcoder_eval.settings import JudgeOptions


def print_resume_hint(journal: Journal | None) -> None:
    """Print on standard error what an interrupted run has saved."""
    if journal is None:
        text = "interrupted; without -o nothing was written"
    elif journal.holds_results:
        text = f"interrupted; results so far are in {journal.paths.journal}: " + (
            "run the same command with --resume to continue"
        )
    else:
        text = "interrupted before the first result"
    print_warning(text)


def is_reusable(
    judgement: Judgement, solution: Solution, problem: Problem, options: JudgeOptions, repeat: int
) -> bool:
    """Whether the result stands; where the judge itself failed (JE), the program is judged again.

    repeat: the value of ``--repeat``. Raises OutputError if the result belongs to other tests,
    another program, other settings or another number of runs.
    """
    reason = None
    if judgement.config_sha256 != options.config_sha256:
        reason = f"with other settings ({_name_unlike_settings(judgement, options)})"
    elif judgement.tests_sha256 != problem.tests_sha256:
        reason = "with other tests (tests_sha256 differs)"
    elif judgement.verdict is not Verdict.JE and judgement.code_sha256 != _hash_program(solution):
        reason = "for another program (code_sha256 differs)"
    if reason is not None:
        raise OutputError(
            f"--resume refused: the result of {judgement.problem_id} {judgement.solution_id} was "
            f"made {reason}; use the files and options of that run, or --force to start over"
        )
    repeats = judgement.meta.get("repeats")
    count = len(repeats) if isinstance(repeats, list) else 1
    if repeat > 1 and count != repeat:
        raise OutputError(
            f"--resume refused: {judgement.problem_id} {judgement.solution_id} was judged "
            f"{count}x; use --repeat {count}, or --force to start over"
        )
    return judgement.verdict is not Verdict.JE


def _name_unlike_settings(judgement: Judgement, options: JudgeOptions) -> str:
    then, now = (
        dict(flatten_settings(settings))
        for settings in (judgement.settings, options.changed_settings)
    )
    unlike = [
        f"{name}: {then.get(name, DEFAULT)} then, {now.get(name, DEFAULT)} now"
        for name in sorted(then.keys() | now.keys())
        if then.get(name) != now.get(name)
    ]
    return "; ".join(unlike) or "config_sha256 differs"


def _hash_program(solution: Solution) -> str:
    """Compute the code_sha256 of a judgement of this solution."""
    code = solution.find_code()
    if code is None:
        return code_sha256("", "python")
    return code_sha256(code, solution.language, solution.file, solution.files)


def describe_foreign_result(judgement: Judgement) -> str:
    """Return the message for a result that belongs to no solution of this run."""
    return (
        f"--resume refused: there is a result of {judgement.problem_id} {judgement.solution_id}, "
        "which is not among the solutions; use the solutions of that run, or --force to start over"
    )
