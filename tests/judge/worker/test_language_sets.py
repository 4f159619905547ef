"""Sets in other languages: every right program is accepted, no wrong one is (tests/humaneval_x)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from microcoder_eval import Judge
from microcoder_eval.foreign_tests.rewrite import runs_in_process
from microcoder_eval.formats.problems import open_problems
from microcoder_eval.formats.solutions import read_solutions
from microcoder_eval.records import Solution
from tests.files import ROOT
from tests.judges import require_toolchain

SETS = ROOT / "tests" / "humaneval_x"
PARTS = ("python", "cpp", "java", "js", "go", "rust", "multipl_e/cpp", "multipl_e/java",
         "multipl_e/js", "multipl_e/go", "multipl_e/rust", "leetcode/cpp", "leetcode/java",
         "leetcode/javascript", "leetcode/rust")  # fmt: skip


def read_part(part: str) -> Iterator[tuple[Solution, bool]]:
    """The programs of a part, and whether each is right."""
    folder = SETS / part
    files = ("generations.jsonl", "completions.jsonl", "solutions.jsonl")
    file = next(folder / name for name in files if (folder / name).exists())
    with open_problems(folder / "problems.jsonl") as problems:
        assert problems.bad == []
        for solution in read_solutions(file, problems):
            assert isinstance(solution, Solution), solution
            yield solution, solution.meta["right"]


@pytest.mark.parametrize("part", ["cpp", "go"])
def test_a_completion_continues_the_prompt_as_a_generation_does(part: str, tmp_path: Path) -> None:
    text = (SETS / part / "generations.jsonl").read_text()
    file = tmp_path / "completions.jsonl"
    file.write_text(text.replace('"generation":', '"completion":'))
    with open_problems(SETS / part / "problems.jsonl") as problems:
        assert [(one.code, one.language) for one in read_solutions(file, problems)] == [
            (one.code, one.language) for one, _ in read_part(part)
        ]


def find_disagreements(judge: Judge, part: str, tests: Path, programs: slice) -> list[str]:
    """The programs of a part whose verdict is not what it should be. tests: of problems."""
    solutions = list(read_part(part))[programs]
    require_toolchain(solutions[0][0].language)
    with open_problems(tests) as problems:
        results = [
            (judge.submit(solution, problems.get(solution.problem_id)), right)
            for solution, right in solutions
        ]
        judgements = [(future.result(), right) for future, right in results]
    return [
        f"{judgement.problem_id} right={right}: {judgement.verdict} {judgement.error}"
        for judgement, right in judgements
        if judgement.passed is not right or judgement.verdict == "JE"
    ]


@pytest.mark.sampled(5, "slow")
@pytest.mark.parametrize("part", PARTS)
def test_the_first_programs_of_a_set_have_their_verdicts(judge: Judge, part: str) -> None:
    assert find_disagreements(judge, part, SETS / part / "problems.jsonl", slice(2)) == []


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("part", PARTS)
def test_every_program_of_a_set_has_its_verdict(judge: Judge, part: str) -> None:
    assert find_disagreements(judge, part, SETS / part / "problems.jsonl", slice(None)) == []


@pytest.mark.slow
@pytest.mark.parametrize("part", ["leetcode/cpp", "leetcode/javascript", "leetcode/rust"])
def test_starter_code_of_several_languages_in_one_problem(judge: Judge, part: str) -> None:
    tests = SETS / "leetcode" / "problems.jsonl"
    assert find_disagreements(judge, part, tests, slice(4)) == []


def test_imports_of_crates_that_a_program_does_not_use_do_no_harm(judge: Judge) -> None:
    tests = SETS / "rust_crates" / "problems.jsonl"
    assert find_disagreements(judge, "rust", tests, slice(2)) == []


@pytest.mark.parametrize("part", [part for part in PARTS if "leetcode" not in part][1:])
def test_what_the_tests_of_a_set_expect_is_compared_outside_of_the_programs_process(
    part: str,
) -> None:
    with open_problems(SETS / part / "problems.jsonl") as problems:
        names = {solution.problem_id for solution, _right in read_part(part)}
        inside = [name for name in sorted(names) if runs_in_process(problems.get(name))]
    # An absolute value by a method, and an empty map that is made otherwise.
    assert len(inside) <= (3 if part == "rust" else 0)
