"""Which problems have tests that run in the program's own process, where it can forge them."""

from __future__ import annotations

from microcoder_eval.errors import DataError
from microcoder_eval.records import Problem

from .rewrite import rewrite_tests


def runs_in_process(problem: Problem) -> bool:
    """Whether what a problem's tests compare is compared in the program's own process."""
    language = problem.test_language
    return language is not None and rewrite_tests(language, problem.test_code or "") is None


def refuse_in_process_tests(problem: Problem, setting: str) -> None:
    """Raise DataError if ``runs_in_process``. setting: the setting that allows such a problem."""
    if runs_in_process(problem):
        raise DataError(
            f"{problem.problem_id}: its tests run in the program's own process, where a program "
            f"can make them pass without solving anything, so they give no reward; {setting} "
            "takes their word for it"
        )
