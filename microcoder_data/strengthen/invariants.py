"""What all inputs of a problem have in common, measured rather than named.

``properties.py`` lists constraints that can be repaired. A statement may promise others: the last
number is 0, exactly one letter differs, a sum is odd, components are complete. Here each document
is measured (measures.py), and what holds between the measures in every test must hold in a new
input. An order or a parity, which chance gives in half of all inputs, counts only where so many
tests have it that chance would do so in less than 1 of 20 problems; a modulus where it would in
less than 1 of 32. An even number of items, which statements often ask for, and that a value is at
most the length of a list, as positions are, count from two tests on. Constants and ranges count
always: a test lost costs little, an input that breaks a constraint refuses right programs. Of two
tests, though, many counts are equal by chance: there a count of repetition is constant only if it
is 0 or random values would hardly ever repeat so, counts have no differences, and the range of a
share is wider than what was seen.

In a list of over 100 items that is longer than any that was seen, and of over 2,000 in any case, a
count may also stay as it was instead of growing with the list: among more items of few values the
share of different ones falls. Nor is an order of two such counts believed there: in short lists all
of them are small. Of fewer than eight tests only counts that are none or all are believed: else no
long input would be like them.

A single number that is at least 0 but for -1 has -1 for "unknown": what holds between numbers is
then seen, and kept, where they are known. Only those are unknown together that are so in a test.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product
from math import lcm

from .inference import CHANCE, MULTIPLES, find_step
from .layout import Document
from .measures import ABSENT, LENGTH, REPETITION, SCALAR, SHAPE, MeasureName, Measures, measure
from .views import Form, LeafKind, View

_MIN_LONG_TESTS = 8  # of short lists, to know much of long ones
_FEW, _MANY = 100, 2000  # items: of no long list, and of one even where a test has more
_MIN_ORDER_TESTS = 5  # 1/2^5 < .05
_MIN_PARITY_TESTS = 6  # the first test decides which parity
_MIN_COUNT_TESTS = 3  # small counts are equal in two tests in every third problem
_MAX_LETTERS = 4  # of an alphabet whose pairs of neighbours may be restricted
_MAX_SUMMED = 8  # single numbers of which two may be bounded by a third
_FACTORS = (1, 2)
_MAX_COUNTED = 300  # items of which the chance of repetition is computed
_LETTER_CODES = ("first", "last", "cell")  # measures of words that are letters, not numbers
Pair = tuple[MeasureName, MeasureName]
Triple = tuple[MeasureName, MeasureName, MeasureName]


@dataclass(frozen=True, slots=True)
class Invariants:
    """What holds between the measures of all inputs.

    constants: the value of a measure. optional: measures that some documents lack. remainders: the
    modulus of a measure and its remainder. orders: (left, right, factor), where left times the
    factor is at most right. differences: of (left, right, factor), right less left times the
    factor. products: of (a, b, c), c less a times b, of a length c. shares: the least and the
    greatest share that a measure has in the items of its view. counts: the same of the measure
    itself. sums: (a, b, c), single numbers of which a and b are together at most c, and whether
    they are always c. neighbours: the pairs of neighbouring letters that occur, of views with few
    letters. marked: the numbers of the views whose -1 is no number. unknown: those that are -1
    together in some document. are_few: whether few documents show all this.
    """

    views: tuple[View, ...]
    constants: Mapping[MeasureName, int]
    optional: frozenset[MeasureName]
    remainders: Mapping[MeasureName, tuple[int, int]]
    orders: tuple[tuple[MeasureName, MeasureName, int], ...]
    differences: Mapping[tuple[MeasureName, MeasureName, int], int]
    products: Mapping[Triple, int]
    shares: Mapping[MeasureName, tuple[float, float]]
    counts: Mapping[MeasureName, tuple[int, int]]
    sums: Mapping[Triple, bool]
    neighbours: Mapping[View, frozenset[tuple[str, str]]]
    marked: frozenset[int]
    unknown: frozenset[frozenset[int]]
    are_few: bool

    @classmethod
    def infer(
        cls, documents: Sequence[Document], views: Sequence[View], repeating: Set[View]
    ) -> Invariants:
        """Return the invariants of some documents. Of a single one no value is taken for a
        constant.

        repeating: views whose values may be distinct by chance.
        """
        marked = _find_marked(documents, views)
        measures = [_measure_known(document, views, marked) for document in documents]
        for number, view in enumerate(views):
            if view in repeating:
                _forget_repetition(number, measures)
        columns = _collect_columns(measures, marked)
        names = [name for name in columns if not name[1].startswith(ABSENT)]
        optional = frozenset(name for name in columns if len(columns[name]) < len(documents))
        remainders = {
            name: remainder
            for name, column in columns.items()
            if (remainder := _find_remainder(name, column)) is not None
        }
        names += [(number, SCALAR) for number in sorted(marked)]
        codes = {
            name
            for name in names
            if views[name[0]].kind is LeafKind.WORD and name[1].startswith(_LETTER_CODES)
        }
        pairs = [pair for pair in _list_pairs(names) if (pair[0] in codes) == (pair[1] in codes)]
        are_many = len(documents) >= _MIN_COUNT_TESTS
        shares = _find_shares(columns.keys() - optional, measures, are_many)
        numbers = [name for name in names if name[1] == SCALAR][:_MAX_SUMMED]
        return cls(
            views=tuple(views),
            constants={
                name: column[0]
                for name, column in columns.items()
                if _is_constant(column) and _is_believed(name, column, documents, views[name[0]])
            },
            optional=optional,
            remainders=remainders,
            orders=tuple(_list_orders(pairs, measures)),
            differences=_find_differences(pairs, measures),
            products=_find_products(columns, measures),
            shares=shares,
            counts={name: (min(columns[name]), max(columns[name])) for name in columns},
            sums=_find_sums(numbers, measures),
            neighbours={
                view: _list_pairs_of_letters(documents, view)
                for view in views
                if view.kind is LeafKind.WORD and _has_few_letters(documents, view)
            },
            marked=marked,
            unknown=frozenset(_find_unknown(each, marked) for each in measures),
            are_few=len(documents) < _MIN_LONG_TESTS,
        )

    def hold(self, document: Document) -> bool:
        """Whether a document has them all."""
        measures = _measure_known(document, self.views, self.marked)
        is_long = any(
            measures.get(name, 0) > self._find_usual_length(name)
            for name in self.counts
            if name[1] == LENGTH
        )
        is_vague = is_long and self.are_few
        return (
            all(
                measures.get(name) == value
                for name, value in self.constants.items()
                if not (is_vague and value and name[1] in REPETITION)
                and not (name in self.optional and name not in measures)
            )
            and all(
                measures.get(name, rest) % modulus == rest
                for name, (modulus, rest) in self.remainders.items()
                if not is_long or self._scales(name)
            )
            and all(
                self._is_in_order(measures, left, right, factor)
                for left, right, factor in self.orders
                if not is_long or (self._scales(left, right) and not self._grows(left, right))
            )
            and all(
                left not in measures or right not in measures
                or measures[right] - factor * measures[left] == gap
                for (left, right, factor), gap in self.differences.items()
                if not is_long or self._scales(left, right)
            )
            and all(_has_product(measures, *each) for each in self.products.items())
            and all(
                self._is_usual_share(measures, name)
                for name, (low, high) in self.shares.items()
                if not is_vague or low == 1 or high == 0
            )
            and _find_unknown(measures, self.marked) in self.unknown
            and all(_has_sum(measures, *each) for each in self.sums.items())
            and all(
                neighbours.issuperset(_list_neighbours(document, view))
                for view, neighbours in self.neighbours.items()
            )
        )  # fmt: skip

    def _find_usual_length(self, name: MeasureName) -> int:
        """Return the length beyond which a list is long."""
        return min(max(self.counts[name][1], _FEW), _MANY)

    def _grows(self, left: MeasureName, right: MeasureName) -> bool:
        """Whether the left measure grows with a list and the right one, a value, need not."""
        lengths = {name for name, right, _ in self.differences if right[1] == LENGTH}
        is_size = left[1] == LENGTH or left[1].startswith("#") or left in lengths
        return is_size and right[1].startswith(("high", "low", "first", "last", "at ", "sum"))

    def _scales(self, *names: MeasureName) -> bool:
        """Whether what short lists show of some measures says something of long ones."""
        shapes = [name[1] in SHAPE or (self.are_few and name[1].startswith("#")) for name in names]
        return not any(shapes) or not (self.are_few or all(shapes))

    def _is_usual_share(self, measures: Measures, name: MeasureName) -> bool:
        (low, high), share = self.shares[name], _find_share(measures, name)
        length = measures.get((name[0], LENGTH), 0)
        if length > self._find_usual_length((name[0], LENGTH)):
            fewest, most = self.counts[name]
            low, high = min(low, fewest / length), max(high, most / length)
        return low <= share <= high

    @staticmethod
    def _is_in_order(
        measures: Measures, left: MeasureName, right: MeasureName, factor: int
    ) -> bool:
        if left not in measures or right not in measures:
            return True
        return factor * measures[left] <= measures[right]


def _find_marked(documents: Sequence[Document], views: Sequence[View]) -> frozenset[int]:
    """Return the numbers of the views of one value that is -1 in some documents, else never below
    0."""
    marked = set()
    for number, view in enumerate(views):
        if view.form is Form.SCALAR and view.kind is LeafKind.INTEGER:
            values = [value for document in documents for value in view.read(document)]
            known = sum(value >= 0 for value in values)
            if min(values) == -1 and known + values.count(-1) == len(values) and known > 1:
                marked.add(number)
    return frozenset(marked)


def _measure_known(document: Document, views: Sequence[View], marked: Set[int]) -> Measures:
    """Measure a document without the numbers that stand for what is unknown."""
    measures = measure(document, views)
    for number in marked:
        if measures[number, SCALAR] == -1:
            del measures[number, SCALAR]
    return measures


def _find_unknown(measures: Measures, marked: Set[int]) -> frozenset[int]:
    """Return the marked numbers that are -1. What holds between the others is only known where some
    test has just these."""
    return frozenset(number for number in marked if (number, SCALAR) not in measures)


def _collect_columns(
    measures: Sequence[Measures], marked: Set[int]
) -> dict[MeasureName, list[int]]:
    """Return the values of each measure that enough documents have, but of marked numbers."""
    fewest = min(len(measures), _MIN_COUNT_TESTS)
    columns: dict[MeasureName, list[int]] = {}
    for name in dict.fromkeys(name for each in measures for name in each):
        column = [each[name] for each in measures if name in each]
        is_own = name[1] in REPETITION or not name[1].startswith("#")  # 0 of a letter is no lack
        is_common = len(column) == len(measures) or (len(column) >= fewest and is_own)
        if is_common and (name[1] != SCALAR or name[0] not in marked):
            columns[name] = column
    return columns


def _is_believed(
    name: MeasureName, column: Sequence[int], documents: Sequence[Document], view: View
) -> bool:
    """Whether it is a rule that a measure is the same in all documents."""
    if not column[0]:
        return True
    if name[1].startswith(ABSENT):
        return len(column) >= _MIN_ORDER_TESTS
    are_many = len(documents) >= _MIN_COUNT_TESTS
    return are_many or name[1] not in REPETITION or _is_count_a_rule(documents, view, name[1])


def _is_count_a_rule(documents: Sequence[Document], view: View, name: str) -> bool:
    """Whether random values of the same range would hardly ever repeat as often as those do."""
    if name != "#repeated" or view.kind is not LeafKind.INTEGER:
        return False
    chance = 1.0
    for document in documents:
        values = view.read(document)
        if len(values) > _MAX_COUNTED:
            return False
        chance *= _find_chance(len(values), len(set(values)), max(values) - min(values) + 1)
    return chance <= CHANCE


def _find_chance(count: int, different: int, span: int) -> float:
    """Return how likely ``count`` random values of ``span`` have so many different ones."""
    chances = [1.0]
    for _ in range(count):
        stay = [chance * number / span for number, chance in enumerate(chances)]
        grow = [chance * (span - number) / span for number, chance in enumerate(chances)]
        chances = [a + b for a, b in zip([*stay, 0.0], [0.0, *grow], strict=True)]
    return chances[different]


def _find_remainder(name: MeasureName, column: Sequence[int]) -> tuple[int, int] | None:
    """Return the modulus and the remainder of a measure; None where chance may explain it."""
    fewest = _MIN_PARITY_TESTS if name[1] != LENGTH or column[0] % 2 else 2
    parity = 2 if len(column) >= fewest and len({value % 2 for value in column}) == 1 else 1
    step = find_step(column) if name[1] in (LENGTH, "sum") else None
    modulus = lcm(parity, step[0] if step else 1)
    return (modulus, column[0] % modulus) if modulus > 1 else None


def _find_differences(
    pairs: Sequence[Pair], measures: Sequence[Measures]
) -> dict[tuple[MeasureName, MeasureName, int], int]:
    are_many = len(measures) >= _MIN_COUNT_TESTS
    fewest = min(len(measures), _MIN_COUNT_TESTS)
    differences = {}
    for left, right in pairs:
        if not are_many and {left[1][0], right[1][0]} & {"#"}:
            continue
        known = [each for each in measures if left in each and right in each]
        gaps = [each[right] - each[left] for each in known]
        if _is_constant(gaps) and len(gaps) >= fewest:
            differences[left, right, 1] = gaps[0]
        if {left[1], right[1]} <= {SCALAR, LENGTH} and len(known) >= fewest:
            for (a, b), factor in product(((left, right), (right, left)), MULTIPLES):
                rests = [each[b] - factor * each[a] for each in known]
                if _is_constant(rests) and len({each[a] for each in known}) > 1:
                    differences[a, b, factor] = rests[0]
    return differences


def _find_products(
    columns: Iterable[MeasureName], measures: Sequence[Measures]
) -> dict[Triple, int]:
    """Return the lengths that are a product of two numbers, or of one with itself."""
    numbers = [name for name in columns if name[1] == SCALAR][:_MAX_SUMMED]
    lengths = [name for name in columns if name[1] == LENGTH]
    products = {}
    for (left, right), length in product(combinations_with_replacement(numbers, 2), lengths):
        rests = [_get_rest(each, (left, right, length)) for each in measures]
        known = [rest for rest in rests if rest is not None]
        is_telling = len({each[left] for each in measures if left in each}) > 1
        if len(known) == len(measures) and _is_constant(known) and is_telling:
            products[left, right, length] = known[0]
    return products


def _has_product(measures: Measures, names: Triple, rest: int) -> bool:
    return _get_rest(measures, names) in (None, rest)


def _get_rest(measures: Measures, names: Triple) -> int | None:
    """Return the third measure less the product of the others; None where one is missing."""
    if not all(name in measures for name in names):
        return None
    return measures[names[2]] - measures[names[0]] * measures[names[1]]


def _list_orders(
    pairs: Sequence[Pair], measures: Sequence[Measures]
) -> Iterator[tuple[MeasureName, MeasureName, int]]:
    for left, right in pairs:
        values = [(m[left], m[right]) for m in measures if left in m and right in m]
        for factor in _FACTORS if len(values) >= _MIN_ORDER_TESTS else ():
            if all(factor * a <= b for a, b in values):
                yield left, right, factor
            if all(factor * b <= a for a, b in values):
                yield right, left, factor
        if 1 < len(values) < _MIN_ORDER_TESTS:
            for size, length in ((left, right), (right, left)):
                is_position = size[1] in ("high", SCALAR) and length[1] == LENGTH
                known = [m for m in measures if size in m and length in m]
                if is_position and all(m[size] <= m[length] for m in known):
                    yield size, length, 1


def _find_sums(numbers: Sequence[MeasureName], measures: Sequence[Measures]) -> dict[Triple, bool]:
    sums = {}
    for names in permutations(numbers, 3):
        known = [each for each in measures if all(name in each for name in names)]
        if len(known) >= _MIN_COUNT_TESTS and all(_has_sum(m, names) for m in known):
            sums[names] = all(_has_sum(m, names, is_exact=True) for m in known)
    return sums


def _has_sum(measures: Measures, names: Triple, is_exact: bool = False) -> bool:
    """Whether two numbers together are at most (exactly) a third, where all are known."""
    if not all(name in measures for name in names):
        return True
    total, bound = measures[names[0]] + measures[names[1]], measures[names[2]]
    return total == bound if is_exact else total <= bound


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
    names: Iterable[MeasureName], measures: Sequence[Measures], are_many: bool
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
