"""Results as files hold them: whole, broken, of interrupted runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_eval.errors import DataError
from microcoder_eval.records import Solution, Verdict
from microcoder_eval.report.reading import Programs, Results
from microcoder_eval.results.lines import judgement_from_line, judgement_to_line
from tests.report.making import make_judgement, make_test

WHOLE = make_judgement(
    Solution("p", "s", code="x"), make_test(Verdict.AC), make_test(Verdict.WA, detail="no")
)


def line(**keys: Any) -> bytes:
    return json.dumps({**WHOLE.to_dict(), **keys}).encode()


def line_of_test(**keys: Any) -> bytes:
    entry = WHOLE.tests[1].to_dict()
    assert entry is not None
    return line(tests=[{**entry, **keys}])


def test_a_whole_line_is_read_as_it_is() -> None:
    assert judgement_from_line(judgement_to_line(WHOLE)) == WHOLE


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"{not json", "not JSON"),
        (b"[1]", "must be a JSON object"),
        (b"{}", "problem_id"),
        (line(verdict="XX"), "no such value"),
        (line(verdict=[]), "verdict"),
        (line_of_test(cpu_s=float("nan")), "not a finite number"),
        (line_of_test(cpu_s=10**400), "cpu_s.*not a finite number"),
        (line_of_test(memory_mb=1e308), "memory_mb.*not a finite number"),
        (line_of_test(wall_s="1"), "wall_s.*must be a number"),
        (line(score=-(10**400)), "score.*not a finite number"),
        (line(score=float("-inf")), "score.*not a finite number"),
        (line(score=True), "score.*must be a number"),
        (line(sandbox_level=10**400), "sandbox_level"),
        (line(sandbox_level=-1), "sandbox_level"),
        (line(tests=3), "must be a list"),
        (line(tests=[3]), "must be an object or null"),
    ],
)
def test_what_cannot_be_used_is_refused_with_the_reason(raw: bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        judgement_from_line(raw)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text() | st.integers(-(10**500), 10**500),
        st.lists,
        max_leaves=5,
    )
)
def test_no_value_in_any_place_is_more_than_a_data_error(value: Any) -> None:
    for key in json.loads(judgement_to_line(WHOLE)):
        try:
            judgement_from_line(line(**{key: value}))
        except DataError:
            pass


def read(path: Path, *lines: bytes) -> tuple[list[Any], list[str]]:
    path.write_bytes(b"\n".join(lines) + b"\n")
    results = Results()
    reasons = [bad.reason for bad in results.read(str(path), 1 << 20)]
    judgements = list(results)
    return judgements, reasons


def test_a_later_result_counts_in_place_of_a_failure_of_the_judge(tmp_path: Path) -> None:
    failed, good = line(verdict="JE"), line(verdict="AC")
    judgements, reasons = read(tmp_path / "a.part", failed, good)
    assert ([judgement.verdict for judgement in judgements], reasons) == ([Verdict.AC], [])
    judgements, reasons = read(tmp_path / "b.part", good, line())
    assert [judgement.verdict for judgement in judgements] == [Verdict.AC]
    assert ["second result" in reason for reason in reasons] == [True]


def test_a_torn_last_line_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    judgements, reasons = read(tmp_path / "r.part", line(), judgement_to_line(WHOLE)[:40])
    assert len(judgements) == 1
    assert len(reasons) == 1


def test_programs_are_found_by_name_with_their_place() -> None:
    programs = Programs()
    for number in range(3):
        programs.add(Solution("p", f"s{number}", code=f"print({number})"))
    here = make_judgement(Solution("p", "s1"))
    assert programs.find(here) == (1, Solution("p", "s1", code="print(1)"))
    assert (programs.find(make_judgement(Solution("q", "s1"))), len(programs)) == (None, 3)
