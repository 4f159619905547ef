"""Names, options and what an unknown one is answered."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_eval.compare import COMPARERS, make_comparer, parse_spec
from microcoder_eval.errors import ComparerError


def test_every_name_and_alias_can_be_asked_for() -> None:
    for name, entry in COMPARERS.items():
        assert make_comparer(name).name == name
        assert entry.description
        for alias in entry.aliases:
            assert make_comparer({"name": alias, **entry.options}).name == name


def test_a_spec_is_read_into_name_and_options() -> None:
    spec = parse_spec("floats:abs=1e-9,rel=none")
    assert spec == {"name": "floats", "abs": "1e-9", "rel": "none"}
    assert make_comparer(spec).options == {"abs": 1e-9, "rel": None, "case_sensitive": False}
    assert make_comparer("kattis:case_sensitive").options["case_sensitive"] is True


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("calibratd", 'did you mean "calibrated"?'),
        ("testlib_wcpm", 'did you mean "testlib_wcmp"?'),
        ("check.py", 'a program of your own is written as {"source": its text}'),
        ("floats:abss=1", 'did you mean "abs"? known: abs, case_sensitive, rel'),
        ("exact:abs=1", "it has none"),
        ("floats:abs", "abs must be a number"),
        ("floats:abs=-1", "abs must be a number"),
        ("floats:abs=nan", "abs must be a number"),
        ("floats:abs=1_0", "abs must be a number"),
        ("floats:abs=1,abs=2", "twice"),
        ("tokens:case_sensitive=maybe", "true or false"),
        ({"name": "tokens", "case_sensitive": None}, "true or false"),
        ({"source": "…", "language": "python"}, "a checker given as source is a program"),
        ({"name": "floats:abss=1"}, 'no option "abss" of "floats"'),
        ({}, "no comparer"),
    ],
)
def test_what_does_not_exist_is_answered_with_what_does(spec: Any, words: str) -> None:
    with pytest.raises(ComparerError) as raised:
        make_comparer(spec)
    assert words in str(raised.value)
