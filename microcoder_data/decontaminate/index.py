"""An index of the evaluation's problems, to find similar problems fast."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from microcoder_data import source_files
from microcoder_data.fingerprints import hash_programs, hash_tests
from microcoder_data.process.instruction import remove_instruction
from microcoder_data.process.markup import clean_statement
from microcoder_data.recipe import Decontaminate
from microcoder_data.row_reader import read_row
from microcoder_data.rows import Row, get_tests, get_text
from microcoder_data.similarity import SimilarSets, pack_answers, pack_grams
from microcoder_eval.errors import DataError, MicrocoderError

from .words import Words, iterate_grams, parse_words

_SHORT_GRAM_WORDS = 3  # for the similarity of whole statements
# An n-gram in more than this share of the evaluation's problems is a common phrase.
_COMMON_EVALUATION_SHARE = 0.02
_MIN_COMMON_PROBLEMS = 4


@dataclass(frozen=True, slots=True)
class ComparableProblem:
    """A problem in the form that is compared.

    shingles, normalized_shingles: word triples as written and normalized, packed.
    tests: the length of each test, by its hash.
    answers: the expected output of each input, packed.
    programs: hashes of the right ones without their names.
    """

    name: str
    text: str
    words: Words
    shingles: str
    normalized_shingles: str
    tests: Mapping[str, int]
    answers: str
    programs: Sequence[str]


def make_comparable(row: Row) -> ComparableProblem:
    """Return the comparable form of a row: statement cleaned, without our instruction."""
    raw = remove_instruction(get_text(row, "statement") or get_text(row, "starter_code"))
    text = clean_statement(raw).text if raw.strip() else ""
    words = parse_words(text)
    return ComparableProblem(
        name=str(row.get("problem_id")),
        text=text,
        words=words,
        shingles=pack_grams(words.lowercase_words, _SHORT_GRAM_WORDS),
        normalized_shingles=pack_grams(words.normalized_words, _SHORT_GRAM_WORDS),
        tests=hash_tests(row),
        answers=pack_answers(get_tests(row)),
        programs=hash_programs(row),
    )


class Index:
    """All problems of the evaluation, referred to by their number from 0.

    statements, paraphrases: the problems' sets of n-grams, as written and normalized; the recipe's
        thresholds decide which are similar.
    programs: the number of the problem, by the hash of a program.
    """

    def __init__(self, problems: Iterable[ComparableProblem], recipe: Decontaminate) -> None:
        self.recipe = recipe
        self.problems = list(problems)
        self._grams = self._index_grams()
        self._tests: dict[str, list[int]] = defaultdict(list)
        for number, problem in enumerate(self.problems):
            for test_hash in problem.tests:
                self._tests[test_hash].append(number)
        self.statements = _collect([one.shingles for one in self.problems], recipe.statement)
        self.paraphrases = _collect(
            [one.normalized_shingles for one in self.problems], recipe.paraphrase
        )
        self.programs = {
            program: number
            for number, problem in enumerate(self.problems)
            for program in problem.programs
        }

    def _index_grams(self) -> Mapping[str, list[tuple[int, int]]]:
        """By n-gram: (problem, position of its first word); without common phrases."""
        grams: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, problem in enumerate(self.problems):
            # Equal texts have equal normalized n-grams.
            for position, gram in iterate_grams(problem.words.normalized_words, self.recipe.ngram):
                grams[gram].append((number, position))
        max_problems = max(_MIN_COMMON_PROBLEMS, int(_COMMON_EVALUATION_SHARE * len(self.problems)))
        return {
            gram: occurrences
            for gram, occurrences in grams.items()
            if len({number for number, _ in occurrences}) <= max_problems
        }

    def find_shared_grams(self, words: Words) -> dict[int, list[tuple[int, int]]]:
        """By problem: (position in ``words``, position in the problem) of each shared n-gram."""
        pairs: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for position, gram in iterate_grams(words.normalized_words, self.recipe.ngram):
            for number, other_position in self._grams.get(gram, ()):
                pairs[number].append((position, other_position))
        return pairs

    def count_shared_tests(self, tests: Iterable[str]) -> Counter[int]:
        """By problem: the number of shared tests."""
        return Counter(number for test_hash in tests for number in self._tests.get(test_hash, ()))


def _collect(packed_sets: Sequence[str], threshold: float) -> SimilarSets:
    """Return the sets of all problems, each with the problem's number as its key."""
    sets = SimilarSets(packed_sets, threshold)
    for number, packed in enumerate(packed_sets):
        sets.add(number, packed)
    return sets


def read_index(recipe: Decontaminate, max_line_mb: float) -> tuple[Index, list[str]]:
    """Return the index of all problems of the recipe's files, folders or datasets, and the fault of
    each record that cannot be used. Raises DataError if no problem can be read."""
    problems: list[ComparableProblem] = []
    unreadable: list[str] = []
    sources = source_files.find_sources(recipe.against)
    for record in source_files.read_records(sources, max_line_mb):
        try:
            problems.append(make_comparable(read_row(record)))
        except Exception as error:  # one row that breaks a step must not end the stage
            if isinstance(error, MicrocoderError) and not isinstance(error, DataError):
                raise
            label = sources[record.source_index].label
            place = f"{label}:{record.line}" if record.line else label
            kind = "" if isinstance(error, DataError) else f"{type(error).__name__}: "
            unreadable.append(f"{place}: {kind}{error}")
    if not problems:
        reason = f" ({unreadable[0]})" if unreadable else ""
        raise DataError(f"no problem to compare with in {', '.join(recipe.against)}{reason}")
    return Index(problems, recipe), unreadable
