"""The problems of the evaluation, so that what resembles them is found fast."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from microcoder_eval.data import inputs
from microcoder_eval.data.collect.packages import read_package
from microcoder_eval.data.process.instruction import without_instruction
from microcoder_eval.data.process.markup import clean
from microcoder_eval.data.reading import read_row
from microcoder_eval.data.rows import Row, text_of
from microcoder_eval.data.similarity import Alike, shingles, signature
from microcoder_eval.data.stage import Given
from microcoder_eval.errors import DataError

from .prints import solution_prints, test_prints
from .words import Words, grams, words_in

_SHORT_GRAM = 3  # words, for similarity as a whole
_COMMON = 0.02  # of the evaluation's problems: an n-gram of more is a turn of phrase
_FEW_PROBLEMS = 4


@dataclass(frozen=True, slots=True)
class Item:
    """One problem of the evaluation."""

    name: str
    text: str
    words: Words
    written: frozenset[str]
    level: frozenset[str]
    tests: frozenset[str]
    solutions: tuple[frozenset[str], ...]


def item_of(row: Row) -> Item:
    """A problem as it is compared: its statement clean, without our instruction."""
    raw = without_instruction(text_of(row, "statement") or text_of(row, "starter_code"))
    text = clean(raw).text if raw.strip() else ""
    words = words_in(text)
    return Item(
        str(row.get("problem_id")),
        text,
        words,
        frozenset(shingles(words.written, _SHORT_GRAM)),
        frozenset(shingles(words.level, _SHORT_GRAM)),
        test_prints(row),
        tuple(map(frozenset, solution_prints(row))),
    )


@dataclass(slots=True)
class Index:
    """All problems of the evaluation. size: words of an n-gram."""

    size: int
    items: list[Item] = field(default_factory=list)
    grams: dict[str, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    tests: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    alike: Alike = field(default_factory=lambda: Alike(0.3))
    programs: Alike = field(default_factory=lambda: Alike(0.5))
    unreadable: list[str] = field(default_factory=list)

    def add(self, item: Item) -> None:
        """Take in one problem."""
        number = len(self.items)
        self.items.append(item)
        # Levelled n-grams find what is written the same, too.
        for place, gram in grams(item.words.level, self.size):
            self.grams[gram].append((number, place))
        for print_ in item.tests:
            self.tests[print_].append(number)
        if item.level:
            self.alike.add(number, signature(item.level))
        for place, some in enumerate(item.solutions):
            self.programs.add((number, place), signature(some))

    def settle(self) -> None:
        """Forget turns of phrase, once all problems are in."""
        most = max(_FEW_PROBLEMS, int(_COMMON * len(self.items)))
        for gram, places in list(self.grams.items()):
            if len({number for number, _ in places}) > most:
                del self.grams[gram]

    def sharing(self, words: Words) -> dict[int, list[tuple[int, int]]]:
        """By number of a problem: (place here, place there) of each n-gram shared with it."""
        found: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for place, gram in grams(words.level, self.size):
            for number, there in self.grams.get(gram, ()):
                found[number].append((place, there))
        return found

    def with_tests(self, tests: frozenset[str]) -> Counter[int]:
        """By number of a problem: how many tests are shared with it."""
        return Counter(number for one in tests for number in self.tests.get(one, ()))


def read_index(paths: Sequence[str], size: int, max_line_mb: float) -> Index:
    """Index all problems of files, folders or datasets. Raises DataError where there is none.

    ``unreadable`` tells of lines and packages that are no problem: nothing is compared with them.
    """
    index = Index(size)
    sources = inputs.sources_of(paths)
    for given in inputs.given(sources, max_line_mb):
        try:
            index.add(item_of(_row(given)))
        except DataError as error:
            label = sources[given.source].label
            index.unreadable.append(f"{label}:{given.line}: {error}" if given.line else str(error))
    if not index.items:
        why = f" ({index.unreadable[0]})" if index.unreadable else ""
        raise DataError(f"no problem to compare with in {', '.join(paths)}{why}")
    index.settle()
    return index


def _row(given: Given) -> Row:
    """The row of a line or package. Raises DataError."""
    if given.folder is not None:
        return read_package(Path(given.folder)).row
    if given.fault is not None:
        raise DataError(given.fault)
    return read_row(given)
