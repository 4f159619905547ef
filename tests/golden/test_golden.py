"""No verdict shifts unseen: what some 500 pairs of our own must get stands in verdicts.jsonl.

A change that shifts verdicts on purpose records them again (``python -m tests.golden.record
--write``) and commits the lines that differ.
"""

from __future__ import annotations

from collections import Counter

import pytest

from microcoder_eval.languages import LANGUAGES
from tests.golden.lines import shifts
from tests.golden.pairs import all_pairs
from tests.golden.record import judge_pairs, missing_languages, read_record

PAIRS = list(all_pairs())


@pytest.fixture(scope="module")
def missing_toolchains() -> dict[str, int]:
    """Languages without a toolchain on this machine, with the number of pairs that need it."""
    return missing_languages(PAIRS)


def test_every_pair_has_the_verdict_that_is_recorded(missing_toolchains: dict[str, int]) -> None:
    judged = [pair for pair in PAIRS if not pair.languages & missing_toolchains.keys()]
    skipped = {pair.name for pair in PAIRS} - {pair.name for pair in judged}
    expected = {name: line for name, line in read_record().items() if name not in skipped}
    shifted = shifts(expected, judge_pairs(judged))
    assert not shifted, f"{len(shifted)} verdicts have shifted:\n" + "\n".join(shifted)


@pytest.mark.parametrize("language", [each.name for each in LANGUAGES if each.compiled])
def test_pairs_of_a_language_are_judged_where_its_toolchain_is_here(
    language: str, missing_toolchains: dict[str, int]
) -> None:
    if language in missing_toolchains:
        pytest.skip(
            f"no toolchain for {language}: {missing_toolchains[language]} pairs are not judged"
        )


def test_names_of_pairs_are_unique() -> None:
    assert [name for name, count in Counter(p.name for p in PAIRS).items() if count > 1] == []
