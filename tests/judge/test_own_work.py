"""No kind of problem accepts a program that does none of the work that its tests ask for.

Each problem has a right program, so that it asks for something, and idle ones in its language:
empty, ended at once with status 0, misnamed, or printing what success looks like.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from microcoder_eval import Judge, Limits
from microcoder_eval.compare import make_comparer
from microcoder_eval.compare.table import COMPARERS
from microcoder_sandbox.toolchains.toolchain import find_toolchain
from tests.files import read_table
from tests.judges import SharedJudge, require_toolchain


class Case(NamedTuple):
    """A problem, a right program, and what success looks like to those who judge it."""

    problem: dict[str, Any]
    right: str
    language: str = "python"
    success: str = "AC"


def make_case(kind: str, row: dict[str, Any]) -> Case:
    usual = TABLE["usual"][kind]
    problem = {"kind": kind, **usual.get("problem", {}), **row.get("problem", {})}
    return Case(problem, row.get("right", usual["right"]), success=row.get("success", "AC"))


TABLE = read_table(__file__)
LANGUAGES = TABLE["languages"]
CASES = {
    f"{kind}, {name}": make_case(kind, row)
    for kind in ("stdin", "call", "assert")
    for name, row in TABLE[kind].items()
}
ENDING = ("ends", "an exit in the function")
WRONG_CALLS = ("misnamed", "an exit in the function")
CALLS = TABLE["usual"]["call"]["problem"]["tests"]
REPORT = json.dumps({"passed": True, "candidate_answered": True, "unsupported": False})


@pytest.fixture(scope="module")
def judge() -> Judge:
    limits = Limits(time_s=4, wall_s=60)
    return SharedJudge(workers=2, limits=limits, reuse=False, stop="never")


def assert_asks_for_work(
    judge: Judge, case: Case, name: str, idle_programs: dict[str, str] | None = None
) -> None:
    solution = {"code": case.right, "language": case.language}
    judgement = judge.judge(solution, case.problem)
    assert judgement.verdict == "AC", (judgement.error, judgement.tests)
    texts = {"name": name, "success": case.success, "report": REPORT}
    accepted = {}
    for idle, code in (idle_programs or TABLE["idle"][case.language]).items():
        filled = code.format(**texts) if case.language == "python" else code
        judgement = judge.judge({"code": filled, "language": case.language}, case.problem)
        if judgement.verdict in ("AC", "JE"):
            accepted[idle] = (judgement.verdict, judgement.error, judgement.tests)
    assert accepted == {}


def name_of(case: Case) -> str:
    entry = case.problem.get("entry_point") or "inc"
    return str(entry).rpartition(".")[2]


def needs_compiler(name: str) -> list[Any]:
    if not name.startswith("stdin, testlib"):
        return []
    missing = find_toolchain() is None
    return [pytest.mark.skipif(missing, reason="no g++ on this machine"), pytest.mark.slow]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=needs_compiler(name), id=name) for name in CASES]
)
def test_an_idle_python_program_is_never_accepted(judge: Judge, name: str) -> None:
    assert_asks_for_work(judge, CASES[name], name_of(CASES[name]))


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_idle_compiled_function_is_never_accepted(judge: Judge, language: str) -> None:
    require_toolchain(language)
    problem = {"kind": "call", "entry_point": "add", "tests": CALLS}
    # WRONG of worker/test_compiled_calls.py has the others, with their verdicts.
    idle = {name: code for name, code in TABLE["idle"][language].items() if name not in WRONG_CALLS}
    assert_asks_for_work(judge, Case(problem, LANGUAGES[language]["right"], language), "add", idle)


@pytest.mark.slow
@pytest.mark.parametrize("in_process", [False, True], ids=["outside", "in process"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_idle_program_beside_tests_in_its_language_is_never_accepted(
    judge: Judge, language: str, in_process: bool
) -> None:
    require_toolchain(language)
    row = LANGUAGES[language]
    tests = row["tests"].replace("@", row["condition"] if in_process else "")
    problem = {"kind": "assert", "test_code": tests, "test_language": language}
    idle = TABLE["idle"][language]
    if in_process:  # the others compile as little as outside
        idle = {name: idle[name] for name in idle if name in ENDING}
    assert_asks_for_work(judge, Case(problem, row["right"], language), "add", idle)


@pytest.mark.parametrize("name", COMPARERS)
def test_no_comparer_takes_an_idle_answer_for_the_expected_one(name: str) -> None:
    expected = {"yesno": "YES\n", "nyesno": "YES\n"}.get(name, "3\n")
    if name.startswith("case"):
        expected = "Case 1: 3\n"
    comparer = make_comparer(name)
    assert comparer.compare_text(expected.encode(), expected.encode()).method is not None
    for idle in ("", "\n", " ", "\0", "\ufeff", "AC", "nan", "None", "[]"):
        assert comparer.compare_text(idle.encode(), expected.encode()).method is None, repr(idle)
