"""Records: what the standard library's frozen dataclasses promise, at a lower price."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_sandbox.frozen_records import record


@record
class Point:
    """A point."""

    x: int
    y: int = 2
    tags: list[str] = field(default_factory=list)


@record
class Checked:
    """A record that refuses a value, has a text of its own and derives a field."""

    share: float
    percent: float = field(init=False)

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise ValueError("no share")
        object.__setattr__(self, "percent", 100 * self.share)

    def __repr__(self) -> str:
        return "mine"


@record
class Empty:
    """Nothing."""


def make_dataclass() -> type[Any]:
    @dataclass(frozen=True)
    class Point:
        """A point."""

        x: int
        y: int = 2
        tags: list[str] = field(default_factory=list)

    return Point


Dataclass = make_dataclass()
values = st.integers(-2, 2)
arguments = st.one_of(
    st.tuples(values), st.tuples(values, values), st.tuples(values, values, st.just(("a",)))
)


@given(arguments, arguments)
def test_records_compare_and_hash_as_dataclasses(one: Any, other: Any) -> None:
    assert (Point(*one) == Point(*other)) == (Dataclass(*one) == Dataclass(*other))
    assert (Point(*one) != Point(*other)) == (Dataclass(*one) != Dataclass(*other))
    if len(one) == len(other) == 3:
        assert hash(Point(*one)) == hash(Dataclass(*one))


def test_a_record_equals_no_other_class() -> None:
    assert Point(1) != Dataclass(1)
    assert Empty() == Empty()
    assert Empty() != Point(1)


def test_a_record_shows_its_fields() -> None:
    assert repr(Point(1, tags=["a"])) == "Point(x=1, y=2, tags=['a'])"
    assert repr(Empty()) == "Empty()"


def test_a_signature_shows_types_and_defaults() -> None:
    signature = str(inspect.signature(Point))
    assert signature == str(inspect.signature(Dataclass))
    assert [one.name for one in fields(Point)] == ["x", "y", "tags"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change",
    [
        lambda point: setattr(point, "x", 3),
        lambda point: setattr(point, "z", 3),
        lambda point: delattr(point, "x"),
    ],
)
def test_a_record_cannot_be_changed(change: Callable[[Point], None]) -> None:
    point = Point(1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field"):
        change(point)
    assert point == Point(1)


@pytest.mark.parametrize("arguments", [(), (1, 2, [], 4)])
def test_wrong_arguments_are_refused(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match=r"Point\.__init__"):
        Point(*arguments)


def test_each_record_has_its_own_default_list() -> None:
    assert Point(1).tags is not Point(1).tags


def test_a_record_is_copied_pickled_and_replaced() -> None:
    point = Point(1, tags=["a"])
    for same in (copy.copy(point), copy.deepcopy(point), pickle.loads(pickle.dumps(point))):
        assert same == point
    assert replace(point, y=5) == Point(1, 5, ["a"])


def test_a_record_is_matched_by_position() -> None:
    match Point(1, 7):
        case Point(1, y):
            assert y == 7
        case _:
            pytest.fail("not matched")


def test_a_class_keeps_its_own_methods_and_derived_fields() -> None:
    assert repr(Checked(0.5)) == "mine"
    assert Checked(0.5).percent == 50
    assert Checked(0.5) == Checked(0.5) != Checked(0.25)
    with pytest.raises(ValueError, match="no share"):
        Checked(2)
    with pytest.raises(ValueError, match="no share"):
        replace(Checked(0.5), share=3.0)
