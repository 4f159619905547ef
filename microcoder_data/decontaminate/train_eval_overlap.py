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

    A problem overlaps if a training problem has its tests (all, or two and the share from which
    decontaminate drops a problem), or if the training set has at least half of the n-grams of its
    statement, case and punctuation aside. These are as long as decontaminate's: a single one is
    often boilerplate. Limits, names and checkers play no part.
    """
    recipe = Decontaminate()
    tests = {problem.problem_id: hash_tests(make_row(problem)) for problem in train}
    owners = defaultdict(list)
    for name, hashes in tests.items():
        for test_hash in hashes:
            owners[test_hash].append(name)
    sources = {
        ngram: problem.problem_id for problem in train for ngram in _list_ngrams(problem, recipe)
    }
    matches = []
    for problem in evaluation:
        name, ngrams = problem.problem_id, _list_ngrams(problem, recipe)
        hashes = hash_tests(make_row(problem))
        counts = Counter(other for test_hash in hashes for other in owners[test_hash])
        same_tests = [
            f"{name} has the tests of {other} ({count} of {len(hashes)})"
            for other, count in counts.most_common()
            if hashes == tests[other]
            or (count > 1 and count / min(len(hashes), len(tests[other])) >= recipe.tests)
        ]
        shared = Counter(sources[ngram] for ngram in ngrams if ngram in sources)
        if same_tests:
            matches.append(same_tests[0])
        elif ngrams and 2 * shared.total() >= len(ngrams):
            share = f"{shared.total()} of {len(ngrams)} {recipe.ngram}-grams"
            matches.append(f"{name} shares {share}, most with {shared.most_common(1)[0][0]}")
    return matches


def _list_ngrams(problem: Problem, recipe: Decontaminate) -> set[str]:
    """Return all n-grams of a problem's statement; of a shorter text, the whole text."""
    words = split_words(f"{problem.statement or ''} {problem.starter_code or ''}")
    starts = range(max(1, len(words) - recipe.ngram + 1) if words else 0)
    return {" ".join(words[start : start + recipe.ngram]) for start in starts}
