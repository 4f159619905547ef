"""Finds phrases that a statement shares with evaluation problems, without common boilerplate.

A phrase is boilerplate if many problems of the corpus and the evaluation have it, as "return it
modulo 10^9 + 7. Example 1: Input". Many copies of one evaluation problem would make its own phrases
look like boilerplate, so a statement that shares half or more of it does not count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from microcoder_data.recipe import Decontaminate
from microcoder_data.rows import hash_text
from microcoder_data.stage import KeptProblem
from microcoder_eval.audit.findings import Finding

from .index import ComparableProblem, Index
from .words import Words, merge_runs

_BOILERPLATE_SHARE = 0.002  # a phrase in more than this share of all problems is boilerplate
_MIN_COMMON = 4
_COPY_SHARE = 0.5  # a statement that shares this much is a copy; it is not counted for boilerplate
_MAX_SPANS = 5  # quoted in the evidence of a match
MAX_SPAN_CHARACTERS = 300


class SharedPhrase(NamedTuple):
    """Where a phrase is in a statement, and in that of the evaluation problem that shares it.

    word: the number of its first word.
    gram_hash: the hash of its n-gram.
    is_same: it is the same to the letter.
    start to other_end: where it starts and ends in both texts.
    """

    word: int
    gram_hash: str
    is_same: bool
    start: int
    end: int
    other_start: int
    other_end: int


@dataclass(frozen=True, slots=True)
class Overlap:
    """What a statement shares with the evaluation problem of this name.

    length: words of the shorter of both. text: of the statement; empty where the share is too small
        for a match.
    """

    problem: str
    length: int
    phrases: Sequence[SharedPhrase]
    text: str

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Overlap:
        """Return the overlap of an object that ``asdict`` made."""
        return cls(**{**fields, "phrases": [SharedPhrase(*one) for one in fields["phrases"]]})


def collect_features(problem: ComparableProblem, index: Index) -> list[dict[str, Any]]:
    """Return the overlap with each evaluation problem as an object, for ``find_contaminated``."""
    size = index.recipe.ngram
    words = problem.words
    overlaps = []
    for number, pairs in sorted(index.find_shared_grams(words).items()):
        other = index.problems[number]
        length = min(len(words.normalized_words), len(other.words.normalized_words))
        phrases = list(_list_shared_phrases(words, other.words, pairs, size))
        is_match = _measure_share(phrases, size, length) >= index.recipe.span_share
        text = problem.text if is_match else ""
        overlaps.append(asdict(Overlap(other.name, length, phrases, text)))
    return overlaps


def _list_shared_phrases(
    words: Words, other: Words, pairs: Sequence[tuple[int, int]], size: int
) -> Iterator[SharedPhrase]:
    """Yield the phrases that both statements have."""
    for start, there in dict(pairs).items():
        end, other_end = start + size, there + size
        is_same = words.lowercase_words[start:end] == other.lowercase_words[there:other_end]
        ends = words.starts[start], words.ends[end - 1]
        other_ends = other.starts[there], other.ends[other_end - 1]
        gram_hash = hash_text(" ".join(words.normalized_words[start:end]))[:12]
        yield SharedPhrase(start, gram_hash, is_same, *ends, *other_ends)


def _measure_share(phrases: Iterable[SharedPhrase], size: int, length: int) -> float:
    """Return the share of a statement that phrases cover."""
    runs = merge_runs((phrase.word for phrase in phrases), size)
    return min(1.0, sum(end - start for start, end in runs) / max(1, length))


def find_contaminated(
    problems: Sequence[KeptProblem], recipe: Decontaminate, evaluation_count: int
) -> Iterator[tuple[int, Finding]]:
    """Yield (position, finding) of each problem that shares enough phrases, boilerplate
    excluded. evaluation_count: of the evaluation's problems."""
    overlaps = {
        problem.position: [Overlap.from_json(fields) for fields in problem.features]
        for problem in problems
    }
    total = len(problems) + evaluation_count
    boilerplate = _find_boilerplate(problems, overlaps, recipe.ngram, total)
    for position, own in overlaps.items():
        best: tuple[float, Finding] | None = None
        for overlap in own:
            phrases = [one for one in overlap.phrases if one.gram_hash not in boilerplate]
            share = _measure_share(phrases, recipe.ngram, overlap.length)
            if share >= recipe.span_share and (best is None or share > best[0]):
                best = share, _make_finding(overlap, phrases, share, recipe.ngram)
        if best is not None:
            yield position, best[1]


def _find_boilerplate(
    problems: Sequence[KeptProblem],
    overlaps: Mapping[int, Sequence[Overlap]],
    size: int,
    total: int,
) -> set[str]:
    """Return the hashes of phrases that many problems have, counting those of the evaluation
    too. overlaps: by position. size: of an n-gram. total: of all these problems."""
    owners: dict[str, set[str]] = defaultdict(set)
    for problem in problems:
        own = overlaps[problem.position]
        is_copy = any(
            _measure_share(overlap.phrases, size, overlap.length) >= _COPY_SHARE for overlap in own
        )
        for overlap in own:
            for phrase in overlap.phrases:
                owners[phrase.gram_hash].add(f"evaluation {overlap.problem}")
                if not is_copy:
                    owners[phrase.gram_hash].add(problem.problem_id)
    maximum = max(_MIN_COMMON, int(_BOILERPLATE_SHARE * total))
    return {gram for gram, names in owners.items() if len(names) > maximum}


def _make_finding(
    overlap: Overlap, phrases: Sequence[SharedPhrase], share: float, size: int
) -> Finding:
    is_verbatim = any(phrase.is_same for phrase in phrases)
    name = "contaminated_statement" if is_verbatim else "contaminated_paraphrase"
    by_word = {phrase.word: phrase for phrase in phrases}
    described = []
    for first_word, end_word in merge_runs(by_word, size)[:_MAX_SPANS]:
        first, last = by_word[first_word], by_word[end_word - size]
        described.append(
            {
                "text": overlap.text[first.start : last.end][:MAX_SPAN_CHARACTERS],
                "at": [first.start, last.end],
                "there": [first.other_start, max(first.other_end, last.other_end)],
            }
        )
    evidence = {"problem": overlap.problem, "share": round(share, 3), "spans": described}
    detail = f'{100 * share:.0f} % of the words are in "{overlap.problem}"'
    return Finding(name, detail, evidence)
