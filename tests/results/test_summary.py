"""pass@k and what is counted."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_eval.cli.summary_table import RunFacts, show_summary
from microcoder_eval.records import NOT_RUN, Solution, Verdict
from microcoder_eval.results.summary import Tally, pass_at_k
from tests.report.making import make_judgement, make_test


@given(st.integers(1, 9), st.data())
def test_pass_at_k_is_the_share_of_draws_with_a_passing_sample(n: int, data: st.DataObject) -> None:
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    samples = [True] * c + [False] * (n - c)
    draws = list(combinations(samples, k))
    assert pass_at_k(n, c, k) == pytest.approx(sum(map(any, draws)) / len(draws))


def test_pass_at_k_of_many_samples_neither_overflows_nor_cancels() -> None:
    assert pass_at_k(100_000, 1, 1) == pytest.approx(1e-5)
    assert pass_at_k(100_000, 50_000, 1000) == pytest.approx(1.0)


def test_pass_at_more_than_there_are_is_an_error() -> None:
    with pytest.raises(ValueError, match="pass@5 needs at least 5"):
        pass_at_k(4, 4, 5)


@given(st.integers(1, 400), st.data())
def test_pass_at_1_is_exactly_the_share(n: int, data: st.DataObject) -> None:
    c = data.draw(st.integers(0, n))
    assert pass_at_k(n, c, 1) == c / n


@pytest.mark.parametrize(
    ("verdicts", "count"),
    [
        ([Verdict.AC, Verdict.AC], 1),
        ([Verdict.AC, Verdict.TLE], 1),
        ([Verdict.TLE, None], 1),
        ([Verdict.AC, Verdict.WA], 0),
        ([Verdict.TLE, Verdict.RE], 0),
    ],
)
def test_a_result_near_its_limit_is_listed_where_time_decides(
    verdicts: list[Verdict | None], count: int
) -> None:
    tests = [make_test(verdict, 5.5) if verdict else NOT_RUN for verdict in verdicts]
    tally = Tally()
    tally.add(make_judgement(Solution("p", "p#1", code="x"), *tests, flags=("near_limit",)))
    assert tally.near_limit.count == count


def test_the_time_lost_to_tle_may_be_longer_than_the_run_and_says_why(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tally = Tally()
    tests = make_test(Verdict.TLE, 6.0), make_test(Verdict.TLE, 6.0)
    tally.add(make_judgement(Solution("p", "p#1", code="x"), *tests))
    facts = RunFacts([], 0, {}, 0, None, False, 2, 4, "", 6.1, {})
    show_summary(tally, facts)
    printed = " ".join(capsys.readouterr().out.split())
    assert "time lost to TLE 12.0 s, summed over all workers" in printed
