"""Detects the language of a statement with py3langid, whose model is part of its release."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from typing import Any

from microcoder_eval.errors import DataError

_CODE = re.compile(r"```.*?```|`[^`\n]*`|\$[^$\n]*\$", re.DOTALL)
# Single letters are names in any language, but words of Chinese and Japanese.
_WORD = re.compile(r"[\u3040-\u9fff]|[^\W\d_]{2,}")
# No other language has so many of these: the model, which is slow, need not be asked.
_ENGLISH = frozenset({"the", "of", "and", "to", "is", "that", "with", "are", "for", "by", "it"})
_MIN_ENGLISH = 0.15
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
    language = _classify(prose[:_MAX_CHARACTERS], 1, _MIN_PROBABILITY)
    if language != "en" and language not in accepted_languages:
        return language
    paragraphs = (part for part in prose.split("\n\n") if ">>>" not in part)
    languages = (
        _classify(part, _MIN_PARAGRAPH_WORDS, _MIN_PARAGRAPH_PROBABILITY) for part in paragraphs
    )
    foreign = (name for name in languages if name != "en" and name not in accepted_languages)
    return next(foreign, language)


def _classify(prose: str, min_words: int, min_probability: float) -> str:
    words = _WORD.findall(prose.lower())
    if len(words) < min_words or (
        sum(map(_ENGLISH.__contains__, words)) >= _MIN_ENGLISH * len(words)
    ):
        return "en"
    language, probability = _load_identifier().classify(prose)
    is_sure = probability >= min_probability and language not in _NO_LANGUAGES
    return str(language) if is_sure else "en"
