"""An index of the evaluation's problems, to find similar problems fast."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from microcoder_data import inputs
from microcoder_data.process.instruction import remove_instruction
from microcoder_data.process.markup import clean_statement
from microcoder_data.reading import read_package_row, read_row
from microcoder_data.rows import Row, get_text
from microcoder_data.similarity import MinHashIndex, compute_signature, make_shingles
from microcoder_data.stage import RawRecord
from microcoder_eval.errors import DataError

from .fingerprints import hash_tests, list_solution_grams
from .words import Words, iterate_grams, parse_words

_SHORT_GRAM_WORDS = 3  # for the similarity of whole statements
# An n-gram that more than this share of the evaluation's problems have is a common phrase.
_COMMON_SHARE = 0.02
_MIN_COMMON_PROBLEMS = 4


@dataclass(frozen=True, slots=True)
class ComparableProblem:
    """A problem in the form that is compared.

    shingles, normalized_shingles: word triples as written and normalized. tests: their hashes.
    solutions: the token n-grams of each right program.
    """

    name: str
    text: str
    words: Words
    shingles: frozenset[str]
    normalized_shingles: frozenset[str]
    tests: frozenset[str]
    solutions: tuple[frozenset[str], ...]


def make_comparable(row: Row) -> ComparableProblem:
    """Return the comparable form of a row: statement cleaned, without our instruction."""
    raw = remove_instruction(get_text(row, "statement") or get_text(row, "starter_code"))
    text = clean_statement(raw).text if raw.strip() else ""
    words = parse_words(text)
    return ComparableProblem(
        str(row.get("problem_id")),
        text,
        words,
        frozenset(make_shingles(words.lowercase_words, _SHORT_GRAM_WORDS)),
        frozenset(make_shingles(words.normalized_words, _SHORT_GRAM_WORDS)),
        hash_tests(row),
        tuple(map(frozenset, list_solution_grams(row))),
    )


@dataclass(slots=True)
class Index:
    """All problems of the evaluation, referred to by their number from 0. size: words an n-gram.

    grams: by n-gram (problem, position of its first word). tests: by hash the problems.
    unreadable: what is wrong with each record that is no problem.
    """

    size: int
    problems: list[ComparableProblem] = field(default_factory=list)
    grams: dict[str, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    tests: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    statement_index: MinHashIndex = field(default_factory=lambda: MinHashIndex(0.3))
    program_index: MinHashIndex = field(default_factory=lambda: MinHashIndex(0.5))
    unreadable: list[str] = field(default_factory=list)

    def add(self, problem: ComparableProblem) -> None:
        """Add one problem."""
        number = len(self.problems)
        self.problems.append(problem)
        # Equal texts have equal normalized n-grams.
        for position, gram in iterate_grams(problem.words.normalized_words, self.size):
            self.grams[gram].append((number, position))
        for test_hash in problem.tests:
            self.tests[test_hash].append(number)
        if problem.normalized_shingles:
            self.statement_index.add(number, compute_signature(problem.normalized_shingles))
        for position, solution in enumerate(problem.solutions):
            self.program_index.add((number, position), compute_signature(solution))

    def remove_common_grams(self) -> None:
        """Remove the n-grams of common phrases; call after the last ``add``."""
        max_problems = max(_MIN_COMMON_PROBLEMS, int(_COMMON_SHARE * len(self.problems)))
        for gram, occurrences in list(self.grams.items()):
            if len({number for number, _ in occurrences}) > max_problems:
                del self.grams[gram]

    def find_shared_grams(self, words: Words) -> dict[int, list[tuple[int, int]]]:
        """By problem: (position in ``words``, position in the problem) of each shared n-gram."""
        pairs: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for position, gram in iterate_grams(words.normalized_words, self.size):
            for number, other_position in self.grams.get(gram, ()):
                pairs[number].append((position, other_position))
        return pairs

    def count_shared_tests(self, tests: frozenset[str]) -> Counter[int]:
        """By problem: the number of shared tests."""
        return Counter(number for test_hash in tests for number in self.tests.get(test_hash, ()))


def read_index(paths: Sequence[str], size: int, max_line_mb: float) -> Index:
    """Index all problems of files, folders or datasets. Raises DataError where there is none."""
    index = Index(size)
    sources = inputs.find_sources(paths)
    for record in inputs.read_records(sources, max_line_mb):
        try:
            index.add(make_comparable(_read_problem_row(record)))
        except DataError as error:
            label = sources[record.source_index].label
            index.unreadable.append(
                f"{label}:{record.line}: {error}" if record.line else str(error)
            )
    if not index.problems:
        reason = f" ({index.unreadable[0]})" if index.unreadable else ""
        raise DataError(f"no problem to compare with in {', '.join(paths)}{reason}")
    index.remove_common_grams()
    return index


def _read_problem_row(record: RawRecord) -> Row:
    """Return the row of a line or package. Raises DataError."""
    if record.folder is not None:
        row, drop = read_package_row(record.folder, record.name)
        if drop is not None:  # compared as an empty problem, it would match nothing
            raise DataError(f"{record.name}: {drop.detail}")
        return row
    if record.fault is not None:
        raise DataError(record.fault)
    return read_row(record)
