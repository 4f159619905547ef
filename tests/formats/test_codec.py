"""The codec: every exact built-in value comes back equal, and no JSON makes it crash."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_sandbox.wire import codec

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.complex_numbers()
    | st.text()
    | st.binary()
)
hashable = st.recursive(
    scalars, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=4), max_leaves=6
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.tuples(inner)
        | st.dictionaries(hashable, inner, max_size=4)
        | st.dictionaries(st.sampled_from(sorted(codec.TAGS)), inner, max_size=2)
        | st.sets(hashable, max_size=4)
    ),
    max_leaves=20,
)
light_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(), inner, max_size=3)
        | st.dictionaries(st.sampled_from(sorted(codec.TAGS)), inner, min_size=1, max_size=1)
    ),
    max_leaves=20,
)


def _spell(value: Any) -> str:
    """A text that is equal for values equal in exact types, with NaN as itself and -0.0 apart."""
    name = type(value).__name__
    if isinstance(value, list | tuple):
        return f"{name}[{','.join(map(_spell, value))}]"
    if isinstance(value, dict):
        return f"{name}[{','.join(f'{_spell(k)}:{_spell(v)}' for k, v in value.items())}]"
    if isinstance(value, set | frozenset):
        return f"{name}[{','.join(sorted(map(_spell, value)))}]"
    return f"{name} {value!r}"


@given(values)
def test_a_value_comes_back_equal_through_json_text(value: Any) -> None:
    text = json.dumps(codec.to_json(value), allow_nan=False)
    assert _spell(codec.from_json(json.loads(text))) == _spell(value)


@given(light_json)
def test_any_json_is_read_or_refused_with_value_error(value: Any) -> None:
    try:
        codec.from_json(value)
    except ValueError:
        pass


@pytest.mark.parametrize(
    "value",
    [
        {"$int": 5},
        {"$int": "zz"},
        {"$bytes": 5},
        {"$bytes": "é"},
        {"$bytes": "a"},
        {"$complex": [1]},
        {"$complex": ["a", 1]},
        {"$complex": [10**400, 1]},
        {"$complex": 3},
        {"$dict": [[{"a": 1}, 2]]},
        {"$dict": [1]},
        {"$set": [{"a": 1}]},
        {"$float": []},
        {"$float": 10**5000},
        {"$tuple": "ab"},
    ],
)
def test_a_malformed_tag_is_a_value_error(value: Any) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        codec.from_json(value)
    assert len(str(caught.value)) < 200


def test_a_list_in_a_set_or_a_key_is_a_tuple() -> None:
    pair = ["a", [1, {"$set": [2]}]]
    key = ("a", (1, frozenset({2})))
    assert codec.from_json({"$set": [pair]}) == {key}
    assert codec.from_json({"$dict": [[pair, [3]]]}) == {key: [3]}


@pytest.mark.parametrize("wrap", [list, tuple, "dict", "pairs", "frozenset"])
def test_the_deepest_value_that_is_written_can_be_read(wrap: Any) -> None:
    value: Any = 0
    for _ in range(codec.MAX_DEPTH):
        if wrap == "dict":
            value = {"a": value}
        elif wrap == "pairs":
            value = {1: value}
        elif wrap == "frozenset":
            value = frozenset([value])
        else:
            value = wrap([value])
    assert codec.from_json(json.loads(json.dumps(codec.to_json(value)))) == value


def test_deeper_values_are_refused_and_never_overflow_the_stack() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(codec.NotEncodableError):
        codec.to_json(deep)
    nested: Any = {}
    for _ in range(900):
        nested = {"$tuple": [nested]}
    with pytest.raises(ValueError, match="deeper"):
        codec.from_json(nested)


def test_long_integers_pass_without_decimal_digits() -> None:
    value = [7**9000, -(7**9000), 1]
    text = json.dumps(codec.to_json(value))
    assert "$int" in text
    assert codec.from_json(json.loads(text)) == value


def test_subclasses_are_refused() -> None:
    class Sneaky(int):
        pass

    with pytest.raises(codec.NotEncodableError, match="Sneaky"):
        codec.to_json([Sneaky(1)])


def test_reading_a_flat_list_does_not_share_it() -> None:
    body = [1, 2, 3]
    value = codec.from_json(body)
    assert value == body
    assert value is not body
    assert math.isinf(codec.from_json({"$float": "-inf"}))


@pytest.mark.parametrize("tag", ["$set", "$frozenset", "$dict"])
def test_keys_made_to_share_a_hash_are_refused_before_they_cost_anything(tag: str) -> None:
    colliding = [i * (2**61 - 1) for i in range(50_000)]  # building a set of them takes minutes
    with pytest.raises(ValueError, match="share a hash"):
        codec.from_json({tag: [[i, 0] for i in colliding] if tag == "$dict" else colliding})
    spread = list(range(50_000))
    assert len(codec.from_json({"$set": spread})) == 50_000
