"""What a trainer's two sets share, problem by problem; stage.py drops problems of a corpus."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from microcoder_data.fingerprints import hash_tests
from microcoder_data.recipe import Decontaminate
from microcoder_data.rows import make_row
from microcoder_data.similarity import split_words
from microcoder_eval.records import Problem


def find_overlaps(train: Sequence[Problem], evaluation: Sequence[Problem]) -> list[str]:
    """Return what each evaluation problem shares with the training set, for those that overlap.

    A problem overlaps if its statement (case and punctuation aside) is in the training set, or at
    least half of its n-grams, which are as long as decontaminate's (a single one is often
    boilerplate), or if a training problem has its tests: all, or two and the share from which
    decontaminate drops a problem. Limits, names and checkers play no part.
    """
    recipe = Decontaminate()
    statements = {_split_statement(problem): problem.problem_id for problem in train}
    tests = {problem.problem_id: hash_tests(make_row(problem)) for problem in train}
    owners = defaultdict(list)
    for name, hashes in tests.items():
        for test_hash in hashes:
            owners[test_hash].append(name)
    train_ngrams = {ngram for words in statements for ngram in _make_ngrams(words, recipe.ngram)}
    matches = []
    for problem in evaluation:
        words, name = _split_statement(problem), problem.problem_id
        ngrams, hashes = _make_ngrams(words, recipe.ngram), hash_tests(make_row(problem))
        shared = len(ngrams & train_ngrams)
        counts = Counter(other for test_hash in hashes for other in owners[test_hash])
        same_tests = [
            f"{name} has the tests of {other} ({count} of {len(hashes)})"
            for other, count in counts.most_common()
            if hashes == tests[other]
            or (count > 1 and count / min(len(hashes), len(tests[other])) >= recipe.tests)
        ]
        if words and words in statements:
            matches.append(f"{name} has the statement of {statements[words]}")
        elif same_tests:
            matches.append(same_tests[0])
        elif ngrams and 2 * shared >= len(ngrams):
            matches.append(f"{name} shares {shared} of {len(ngrams)} {recipe.ngram}-grams")
    return matches


def _split_statement(problem: Problem) -> tuple[str, ...]:
    return tuple(split_words(f"{problem.statement or ''} {problem.starter_code or ''}"))


def _make_ngrams(words: tuple[str, ...], size: int) -> set[tuple[str, ...]]:
    """Return all n-grams; of a shorter text, the whole text."""
    if not words:
        return set()
    return {words[start : start + size] for start in range(max(1, len(words) - size + 1))}
