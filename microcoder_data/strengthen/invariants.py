"""What all inputs of a problem have in common, measured rather than named.

``properties.py`` lists constraints that can be repaired. A statement may promise others: the last
number is 0, exactly one letter differs, a sum is odd, components are complete. Here each document
is measured (measures.py), and what holds between the measures in every test must hold in a new
input. An order or a parity, which chance gives in half of all inputs, counts only where so many
tests have it that chance would do so in less than 1 of 20 problems. Constants and ranges count
always: a test lost costs little, an input that breaks a constraint refuses right programs. Of two
tests, though, many counts are equal by chance: there a count of repetition is constant only if it
is 0, counts have no differences, and the range of a share is wider than what was seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations

from .layout import Document
from .measures import LENGTH, REPETITION, SCALAR, MeasureName, Measures, measure
from .views import LeafKind, View

_MIN_ORDER_TESTS = 5  # 1/2^5 < .05
_MIN_PARITY_TESTS = 6  # the first test decides which parity
_MIN_COUNT_TESTS = 3  # small counts are equal in two tests in every third problem
_MAX_LETTERS = 4  # of an alphabet whose pairs of neighbours may be restricted
_MAX_SUMMED = 8  # single numbers of which two may be bounded by a third
_FACTORS = (1, 2)
Pair = tuple[MeasureName, MeasureName]


@dataclass(frozen=True, slots=True)
class Invariants:
    """What holds between the measures of all inputs.

    constants: the value of a measure. parities: its remainder by 2. orders: (left, right, factor),
    where left times the factor is at most right. differences: right less left. shares: the least
    and the greatest share that a measure has in the items of its view.
    sums: (a, b, c), single numbers of which a and b together are at most c. neighbours: the pairs
    of neighbouring letters that occur, of views with few letters.
    """

    views: tuple[View, ...]
    constants: Mapping[MeasureName, int]
    parities: Mapping[MeasureName, int]
    orders: tuple[tuple[MeasureName, MeasureName, int], ...]
    differences: Mapping[Pair, int]
    shares: Mapping[MeasureName, tuple[float, float]]
    sums: tuple[tuple[MeasureName, MeasureName, MeasureName], ...]
    neighbours: Mapping[View, frozenset[tuple[str, str]]]

    @classmethod
    def infer(
        cls, documents: Sequence[Document], views: Sequence[View], repeating: Set[View]
    ) -> Invariants:
        """Return the invariants of some documents. Of a single one no value is taken for a
        constant.

        repeating: views whose values may be distinct by chance.
        """
        measures = [measure(document, views) for document in documents]
        for number, view in enumerate(views):
            if view in repeating:
                _forget_repetition(number, measures)
        names = [name for name in measures[0] if all(name in each for each in measures)]
        columns = {name: [each[name] for each in measures] for name in names}
        are_many = len(documents) >= _MIN_COUNT_TESTS
        constants = {
            name: column[0]
            for name, column in columns.items()
            if _is_constant(column) and (are_many or not column[0] or name[1] not in REPETITION)
        }
        parities = {
            name: column[0] % 2
            for name, column in columns.items()
            if len(column) >= _MIN_PARITY_TESTS and len({value % 2 for value in column}) == 1
        }
        differences, orders = {}, []
        for left, right in _list_pairs(names):
            pairs = list(zip(columns[left], columns[right], strict=True))
            gaps = [b - a for a, b in pairs]
            if _is_constant(gaps) and (are_many or not {left[1][0], right[1][0]} & {"#"}):
                differences[left, right] = gaps[0]
            for factor in _FACTORS if len(pairs) >= _MIN_ORDER_TESTS else ():
                if all(factor * a <= b for a, b in pairs):
                    orders.append((left, right, factor))
                if all(factor * b <= a for a, b in pairs):
                    orders.append((right, left, factor))
        shares = _find_shares(names, measures, are_many)
        numbers = [name for name in names if name[1] == SCALAR][:_MAX_SUMMED]
        sums = [
            (left, right, bound)
            for left, right, bound in permutations(numbers, 3)
            if are_many and all(m[left] + m[right] <= m[bound] for m in measures)
        ]
        return cls(
            tuple(views),
            constants,
            parities,
            tuple(orders),
            differences,
            shares,
            tuple(sums),
            {
                view: _list_pairs_of_letters(documents, view)
                for view in views
                if view.kind is LeafKind.WORD and _has_few_letters(documents, view)
            },
        )

    def hold(self, document: Document) -> bool:
        """Whether a document has them all."""
        measures = measure(document, self.views)
        return (
            all(measures.get(name) == value for name, value in self.constants.items())
            and all(measures.get(name, value) % 2 == value for name, value in self.parities.items())
            and all(self._is_in_order(measures, *order) for order in self.orders)
            and all(
                left not in measures or right not in measures
                or measures[right] - measures[left] == gap
                for (left, right), gap in self.differences.items()
            )
            and all(
                low <= _find_share(measures, name) <= high
                for name, (low, high) in self.shares.items()
            )
            and all(measures[a] + measures[b] <= measures[c] for a, b, c in self.sums)
            and all(
                neighbours.issuperset(_list_neighbours(document, view))
                for view, neighbours in self.neighbours.items()
            )
        )  # fmt: skip

    @staticmethod
    def _is_in_order(
        measures: Measures, left: MeasureName, right: MeasureName, factor: int
    ) -> bool:
        if left not in measures or right not in measures:
            return True
        return factor * measures[left] <= measures[right]


def _forget_repetition(number: int, measures: Sequence[Measures]) -> None:
    """Remove what says that values of a view are distinct, where they are."""
    if any(each.get((number, "#repeated")) for each in measures):
        return
    for each in measures:
        for name in REPETITION:
            each.pop((number, name), None)


def _is_constant(values: Sequence[int]) -> bool:
    return len(values) > 1 and len(set(values)) == 1


def _find_shares(
    names: Sequence[MeasureName], measures: Sequence[Measures], are_many: bool
) -> dict[MeasureName, tuple[float, float]]:
    """Return the range of the share of each count; wider where tests are few, but for none and
    all."""
    shares = {}
    for name in names:
        if name[1].startswith("#"):
            values = [_find_share(each, name) for each in measures]
            low, high = min(values), max(values)
            if not are_many:
                low, high = low if low == 1 else low / 2, high if high == 0 else (1 + high) / 2
            shares[name] = (low, high)
    return shares


def _find_share(measures: Measures, name: MeasureName) -> float:
    return measures.get(name, 0) / max(1, measures[name[0], LENGTH])


def _list_pairs(names: Sequence[MeasureName]) -> Iterator[Pair]:
    """Measures that may be compared: of one view, of the same name, or with a number that stands
    alone."""
    for left, right in combinations(names, 2):
        if left[0] == right[0] or left[1] == right[1] or SCALAR in (left[1], right[1]):
            yield left, right


def _has_few_letters(documents: Sequence[Document], view: View) -> bool:
    return len({letter for doc in documents for word in view.read(doc) for letter in word}) <= (
        _MAX_LETTERS
    )


def _list_pairs_of_letters(documents: Sequence[Document], view: View) -> frozenset[tuple[str, str]]:
    return frozenset(pair for doc in documents for pair in _list_neighbours(doc, view))


def _list_neighbours(document: Document, view: View) -> Iterator[tuple[str, str]]:
    for word in view.read(document):
        yield from pairwise(word)
