"""Runs compared problem by problem: the figures against what one can count by hand."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, cast

import pytest

from microcoder_eval.records import Judgement, Status
from microcoder_eval.results import statistics
from microcoder_eval.results.run_comparison import Difference, Run, compare_runs
from microcoder_eval.results.statistics import (
    compute_difference_interval,
    compute_paired_p_value,
    compute_rate_interval,
)
from tests.commands import run
from tests.files import write_jsonl

HALVES = [Fraction(n, 2) for n in (-2, -1, 0, 1, 2)]


def test_p_is_the_share_of_signs_that_are_at_least_as_uneven() -> None:
    for differences in product(HALVES, repeat=4):
        sums = [
            abs(float(sum(sign * d for sign, d in zip(signs, differences, strict=True))))
            for signs in product((-1, 1), repeat=4)
        ]
        observed = abs(float(sum(differences)))
        share = sum(total >= observed for total in sums) / len(sums)
        assert compute_paired_p_value(differences) == pytest.approx(share), differences


@pytest.mark.parametrize(("worse", "better"), [(0, 6), (3, 9), (20, 41), (480, 520)])
def test_with_one_sample_a_problem_it_is_the_exact_mcnemar_test(worse: int, better: int) -> None:
    count = worse + better
    tail = sum(math.comb(count, i) for i in range(min(worse, better) + 1)) / 2**count
    differences = [Fraction(-1)] * worse + [Fraction(1)] * better + [Fraction(0)] * 7
    assert compute_paired_p_value(differences) == pytest.approx(min(1.0, 2 * tail))


def test_samples_of_many_sizes_are_tested_by_the_normal_distribution() -> None:
    sizes = [Fraction(n % 37 + 1, 10_000 + n) for n in range(2000)]
    assert compute_paired_p_value(sizes) < 1e-6
    assert compute_paired_p_value([d * (-1) ** n for n, d in enumerate(sizes)]) > 0.5


def test_steps_are_differences_times_their_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four of 1 take 16 steps: exactly 1 in 8, and 1 in 22 by the normal distribution."""
    for most, p_value in ((16, 0.125), (15, 0.0455)):
        monkeypatch.setattr(statistics, "_MAX_EXACT_STEPS", most)
        assert compute_paired_p_value([Fraction(1)] * 4) == pytest.approx(p_value, rel=0.01)


def test_sums_that_fill_gigabytes_are_tested_by_the_normal_distribution() -> None:
    """The common denominator of four is 57 million: 125 million sums; exactly 1 in 8."""
    differences = [Fraction(1, 97), Fraction(50, 89), Fraction(60, 83), Fraction(70, 79)]
    assert compute_paired_p_value(differences) == pytest.approx(0.0869, rel=0.01)


def test_problems_that_all_change_alike_leave_an_interval_with_a_width() -> None:
    for count in range(2, 40):
        low, high = compute_difference_interval([-1.0] * count)
        assert low == -1.0
        assert -1.0 < high < 1.0
        assert compute_difference_interval([1.0] * count) == pytest.approx((-high, 1.0))
        low, high = compute_rate_interval([1.0] * count)
        assert 0.0 < low < high == 1.0


def test_an_interval_holds_the_mean_and_narrows_with_more_problems() -> None:
    few, many = [0.0, 1.0, 0.0, 0.0] * 5, [0.0, 1.0, 0.0, 0.0] * 500
    assert compute_difference_interval(few)[0] < 0.25 < compute_difference_interval(few)[1]
    margin = 1.96 * math.sqrt(0.25 * 0.75 / len(many))
    assert compute_rate_interval(many) == pytest.approx((0.25 - margin, 0.25 + margin), abs=0.0008)


def test_of_few_problems_the_interval_is_that_of_students_distribution() -> None:
    error = math.sqrt(2 / 5 / 5)  # of -1, 0, 0, 0, 1
    assert compute_difference_interval([0.0] * 3) == pytest.approx(
        (-2.776 * error, 2.776 * error), rel=0.02
    )


@dataclass(frozen=True)
class Judged:
    """What a comparison reads of a judgement."""

    problem_id: str
    solution_id: str
    passed: bool
    status: Status = Status.CORRECT
    tests_sha256: str = "t"
    code_sha256: str = ""
    config_sha256: str = "c"
    version: str = "1"
    tests: tuple[Any, ...] = ()
    versions: dict[str, str] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    meta: dict[str, Any] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        return "AC" if self.passed else "WA"


def run_of(name: str, *outs: Judged, by: str | None = None) -> Run:
    run = Run(name)
    for judgement in outs:
        run.add(cast(Judgement, judgement), by)
    return run


def difference_of(*runs: Run) -> Difference:
    """Of the second run and the first."""
    difference = compare_runs(list(runs)).standings[1].difference
    assert difference is not None
    return difference


def sample(problem: str, *passes: int, **fields: Any) -> list[Judged]:
    return [Judged(problem, str(n), bool(passed), **fields) for n, passed in enumerate(passes)]


def test_problems_are_compared_and_not_samples() -> None:
    first = run_of("a", *sample("p", 1, 1, 0), *sample("q", 0, 0))
    later = run_of("b", *sample("p", 0, 1, 1), *sample("q", 0, 1))
    difference = difference_of(first, later)
    assert difference.regressions == []  # another sample of "p" fails: that says nothing
    assert [str(change) for change in difference.gains] == ["q (0/2 -> 1/2)"]
    assert difference.change == pytest.approx(0.25)
    assert not difference.is_significant
    assert difference.interval[0] <= 0 <= difference.interval[1]


def test_a_small_gain_of_every_problem_is_seen_by_the_test_and_the_interval() -> None:
    runs = [
        run_of(name, *(one for n in range(10) for one in sample(f"p{n}", *passes)))
        for name, passes in (("a", (1, 0, 0, 0, 0, 0, 0, 0)), ("b", (1, 1, 0, 0, 0, 0, 0, 0)))
    ]
    difference = difference_of(*runs)
    assert difference.is_significant
    assert 0 < difference.interval[0] < difference.change < difference.interval[1] < 0.25


@pytest.mark.parametrize(("passed", "interval"), [(1, (0.0, 1.0)), (0, (-1.0, 0.0))])
def test_the_interval_claims_no_more_than_the_test(
    passed: int, interval: tuple[float, float]
) -> None:
    runs = [
        run_of(name, *(one for n in range(5) for one in sample(f"p{n}", passes)))
        for name, passes in (("a", 1 - passed), ("b", passed))
    ]
    difference = difference_of(*runs)
    assert difference.p_value == 2 / 2**5
    assert difference.interval == interval


def test_only_problems_that_all_runs_judged_count() -> None:
    failed = Judged("r", "0", False, Status.ERROR)
    runs = [
        run_of("a", *sample("p", 1), *sample("q", 0), failed),
        run_of("b", *sample("p", 0), *sample("r", 1)),
        run_of("c", *sample("p", 1), *sample("q", 1)),
    ]
    comparison = compare_runs(runs, ks=(1, 2))
    assert (comparison.problem_ids, comparison.left_out) == (["p"], 2)
    assert [standing.rates for standing in comparison.standings] == [
        {1: 1.0, 2: None},
        {1: 0.0, 2: None},
        {1: 1.0, 2: None},
    ]
    with pytest.raises(ValueError, match="in common"):
        compare_runs([runs[0], run_of("d", *sample("z", 1))])


def test_the_same_program_with_another_verdict_is_named() -> None:
    first = run_of("a", *sample("p", 1, 0, code_sha256="s"))
    later = run_of("b", *sample("p", 0, 0, code_sha256="s"), *sample("q", 1))
    assert difference_of(first, later).changed_verdicts == [("p", "0")]


def test_pass_at_1_is_told_by_any_key_of_meta() -> None:
    runs = [
        run_of(
            name,
            *sample("p", p, meta={"level": 1}),
            *sample("q", *q, meta={"level": 2}),
            Judged("q", "other level", True, meta={"level": 1}),
            by="level",
        )
        for name, p, q in (("a", 1, (0, 0, 0, 1)), ("b", 0, (0,)))
    ]
    groups = [standing.groups for standing in compare_runs(runs).standings]
    assert groups == [{"1": (1.0, 2), "2": (0.25, 1)}, {"1": (0.5, 2), "2": (0.0, 1)}]


SQUARE = {"problem_id": "sq", "tests": [{"input": "3", "output": "9"}], "difficulty": "easy"}
CUBE = {"problem_id": "cu", "tests": [{"input": "3", "output": "27"}], "difficulty": "hard"}


@pytest.fixture(scope="module")
def outs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Results of two models on two problems; "slow" is "b" with another limit and comparer."""
    tmp_path = tmp_path_factory.mktemp("judged")
    tests = write_jsonl(tmp_path / "tests.jsonl", SQUARE, CUBE)
    files = {"tests": tests}
    for name, power in (("a", (2, 3)), ("b", (2, 2))):
        rows = [
            {"problem_id": p, "solution_id": "1", "code": f"print(int(input()) ** {n})"}
            for p, n in zip(("sq", "cu"), power, strict=True)
        ]
        files[name] = tmp_path / f"{name}.jsonl"
        solutions = write_jsonl(tmp_path / f"{name}-programs.jsonl", *rows)
        result = run(solutions, "--tests", tests, "-o", files[name], "-q")
        assert result.returncode == 0, result.stderr
        files[f"{name}-programs"] = solutions
    files["slow"] = tmp_path / "slow.jsonl"
    options = ("--time-limit", "9", "--compare", "exact", "-q")
    run(files["b-programs"], "--tests", tests, "-o", files["slow"], *options)
    return files


@pytest.mark.timeout(120)
def test_runs_with_other_settings_are_compared_and_each_setting_is_named(
    outs: dict[str, Path],
) -> None:
    result = run("diff", outs["a"], outs["b"], outs["slow"])
    assert result.returncode == 0, result.stderr
    warnings = [line for line in result.stderr.splitlines() if "warning: other " in line]
    assert [line.split("warning: other ")[1] for line in warnings] == [
        "compare: default in a, default in b, exact in slow",
        "limits.time_s: default in a, default in b, 9.0 in slow",
    ]
    assert "cu (1/1 -> 0/1)" in result.stdout
    assert "may be chance, p = 1" in result.stdout
    assert run("diff", outs["a"], outs["b"], "--fail-on-regression").returncode == 1
    assert run("diff", outs["b"], outs["a"], "--fail-on-regression").returncode == 0


@pytest.mark.timeout(120)
def test_runs_with_other_tests_are_refused(outs: dict[str, Path], tmp_path: Path) -> None:
    longer = {**CUBE, "tests": [{"input": "3", "output": "27"}, {"input": "1", "output": "1"}]}
    tests, other = write_jsonl(tmp_path / "other.jsonl", SQUARE, longer), tmp_path / "o.jsonl"
    run(outs["b-programs"], "--tests", tests, "-o", other, "-q")
    result = run("diff", outs["a"], other)
    assert (result.returncode, result.stdout) == (2, "")
    assert "1 of 2 problems were judged with other tests" in result.stderr
    assert "cu: 1 and 2 tests" in result.stderr
    result = run("diff", outs["a"], other, "--force")
    assert result.returncode == 0, result.stderr
    assert "warning: 1 of 2 problems" in result.stderr


@pytest.mark.timeout(120)
@pytest.mark.parametrize("form", ["text", "md", "latex", "csv"])
def test_no_name_in_the_table_commands_a_terminal(
    form: str, outs: dict[str, Path], tmp_path: Path
) -> None:
    rows = [json.loads(line) for line in outs["a"].read_text().splitlines()]
    first = write_jsonl(tmp_path / "a.jsonl", *({**row, "level": "\x1b[31m\nred"} for row in rows))
    result = run("diff", first, outs["b"], "--by", "level", "--format", form)
    assert result.returncode == 0, result.stderr
    assert "[31m" in result.stdout
    assert "\x1b" not in result.stdout
    assert "\nred" not in result.stdout


@pytest.mark.timeout(120)
def test_the_table_comes_in_five_formats_and_as_a_page(
    outs: dict[str, Path], tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    by = ("--by", "difficulty", "--tests", outs["tests"], "--k", "2")
    outputs = {
        form: run("diff", outs["a"], outs["b"], *by, "--format", form, "-o", page).stdout
        for form in ("text", "md", "latex", "csv", "json")
    }
    head = "run,pass@1,95 %,pass@2,easy,hard,against a,95 %,p"  # the interval is pass@1's
    assert outputs["csv"].splitlines()[0] == head
    assert outputs["md"].splitlines()[2].startswith("| a | 100.0 |")
    assert "\nb & 50.0 &" in outputs["latex"]
    assert r"95 \%" in outputs["latex"]
    facts = json.loads(outputs["json"])
    assert facts["runs"][1]["groups"]["hard"] == {"pass_at_1": 0.0, "problems": 1}
    assert facts["runs"][1]["difference"]["regressions"] == [
        {"problem_id": "cu", "before": [1, 1], "after": [0, 1]}
    ]
    assert outputs["text"].splitlines()[2].startswith("b      50.0")
    assert 'pass@2 needs 2 samples of each problem: "-"' in outputs["text"]
    text = page.read_text()
    assert "Problems where the runs differ most" in text
    assert ">cu<" in text
