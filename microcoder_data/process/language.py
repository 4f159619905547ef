"""Detects the language of a statement with py3langid, whose model is part of its release."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from typing import Any

from microcoder_eval.errors import DataError

_CODE = re.compile(r"```.*?```|`[^`\n]*`|\$[^$\n]*\$", re.DOTALL)
_QUOTED = re.compile(r'"[^"\n]*"')  # data, as in ["ab", "c"]
# Single letters are names in any language, but words of Chinese and Japanese.
_WORD = re.compile(r"[\u3040-\u9fff]|[^\W\d_]{2,}")
# No other language has so many of these: the model, which is slow to load, need not be asked.
_ENGLISH = frozenset(
    ["the", "of", "and", "to", "is", "that", "with", "are", "for", "by", "it", "you", "this", "can",
     "from", "only", "any", "each", "where", "there", "have", "your", "which", "if", "when", "what",
     "after"]
)  # fmt: skip
_MIN_ENGLISH = 0.15
# Nor where a third of its words stand in the statement's English paragraphs, as in notes on
# examples: paragraphs in another language share at most a quarter with their own translation.
_MIN_SHARED = 1 / 3
_MAX_CHARACTERS = 20_000  # examine at most this much of a text
_MIN_PARAGRAPH_WORDS = 15  # shorter paragraphs are not examined alone
# Names, formulas and code belong to no language, so a text is foreign only if the model is sure.
_NO_LANGUAGES = ("zxx", "pcm")  # text without words; lists of English words, taken for Pidgin
_MIN_PROBABILITY = 0.5
_MIN_PARAGRAPH_PROBABILITY = 0.9


@cache
def _load_identifier() -> Any:
    try:
        from py3langid.langid import MODEL_FILE, LanguageIdentifier
    except ImportError as error:
        raise DataError(
            "languages need py3langid: pip install '.[data]' in the checkout"
        ) from error
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def detect_language(text: str, accepted_languages: Collection[str] = ("en",)) -> str:
    """Return the ISO 639-1 code of the text, or of the first paragraph in a language that is not
    accepted; "en" where no other language is likely."""
    prose = _CODE.sub(" ", text)
    start = prose[:_MAX_CHARACTERS]
    language = "en" if _is_english(_list_words(start)) else _ask_model(start, _MIN_PROBABILITY)
    if language != "en" and language not in accepted_languages:
        return language
    languages = (_ask_model(part, _MIN_PARAGRAPH_PROBABILITY) for part in _list_doubtful(prose))
    foreign = (name for name in languages if name != "en" and name not in accepted_languages)
    return next(foreign, language)


def _list_doubtful(prose: str) -> list[str]:
    """Return the paragraphs that are long enough and not English by their words."""
    parts = [part for part in prose.split("\n\n") if ">>>" not in part]
    words = {part: _list_words(part) for part in parts}
    known = _ENGLISH.union(*filter(_is_english, words.values()))
    return [
        part
        for part, own in words.items()
        if len(own) >= _MIN_PARAGRAPH_WORDS
        and not _is_english(own)
        and len(known & {*own}) < _MIN_SHARED * len({*own})
    ]


def _list_words(prose: str) -> list[str]:
    return _WORD.findall(_QUOTED.sub(" ", prose.lower()))


def _is_english(words: list[str]) -> bool:
    return sum(map(_ENGLISH.__contains__, words)) >= _MIN_ENGLISH * len(words)


def _ask_model(prose: str, min_probability: float) -> str:
    language, probability = _load_identifier().classify(prose)
    is_sure = probability >= min_probability and language not in _NO_LANGUAGES
    return str(language) if is_sure else "en"
