"""Detects the language of a statement by its script, then by its most common words.

Common words suffice to separate English from other languages and to name these.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_CODE = re.compile(r"```.*?```|`[^`\n]*`|\$[^$\n]*\$", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+")
_MAX_CHARACTERS = 20_000  # of a text that are examined
# The first script with at least this share of the letters decides; kana come before ideographs.
_SCRIPTS = (
    ("ja", re.compile(r"[぀-ヿ]"), 0.05),
    ("ko", re.compile(r"[가-힯]"), 0.2),
    ("zh", re.compile(r"[㐀-鿿]"), 0.2),
    ("uk", re.compile(r"[іїєґІЇЄҐ]"), 0.02),
    ("ru", re.compile(r"[Ѐ-ӿ]"), 0.3),
    ("el", re.compile(r"[Ͱ-Ͽ]"), 0.4),
    ("ar", re.compile(r"[؀-ۿ]"), 0.3),
    ("he", re.compile(r"[֐-׿]"), 0.3),
    ("hi", re.compile(r"[ऀ-ॿ]"), 0.3),
    ("th", re.compile(r"[฀-๿]"), 0.3),
    ("hy", re.compile(r"[԰-֏]"), 0.3),
    ("ka", re.compile(r"[Ⴀ-ჿ]"), 0.3),
)
_COMMON_WORDS = {
    "en": "the of and to is in that it for with are be as if each you which this from by an given "
    "write function number output input find list string return print check",
    "es": "el la de que y los las en un una es por con para se del al si cada número dado entrada "
    "salida escriba función debe",
    "pt": "o a de que e os as em um uma é por com para se do da não cada número dado entrada saída "
    "escreva função deve",
    "fr": "le la de et les des en un une est que pour dans qui sur au du si chaque nombre donné "
    "entrée sortie écrire fonction doit",
    "de": "der die das und ist in den von zu mit ein eine auf für dem nicht wenn jede zahl gegeben "
    "eingabe ausgabe schreibe funktion",
    "it": "il la di che e un una è per con non si del della i gli le ogni numero dato ingresso "
    "uscita scrivi funzione deve",
    "nl": "de het een en van is op te dat met voor niet die in als elke getal gegeven invoer "
    "uitvoer schrijf functie",
    "sv": "och att det som en är på av för med den till ett inte om varje tal givet indata utdata "
    "skriv funktion ska heltal rad",
    "pl": "i w na z się że jest do nie o od przez dla liczba każdy dane wejście wyjście napisz "
    "funkcję jeśli to są",
    "cs": "a je se na v že do s z pro které každé číslo dáno vstup výstup napište funkci pokud to",
    "tr": "ve bir bu için ile da de olarak her sayı verilen girdi çıktı yazın fonksiyon ise olan",
    "id": "yang dan di untuk dengan adalah dari pada sebuah setiap bilangan diberikan masukan "
    "keluaran tulis fungsi jika",
    "vi": "và là của có cho các một được trong số với mỗi dữ liệu vào ra viết hàm nếu",
    "ro": "și de la în un o care este pentru cu se din fiecare număr dat intrare ieșire scrie",
    "hr": "i u na je se da za od su koji broj svaki ulaz izlaz napiši funkciju ako",
    "da": "og at det som en er på af for med den til et ikke om hvert tal givet skriv funktion",
    "fi": "ja on ei se että joka luku annettu syöte tuloste kirjoita funktio jos ovat",
    "hu": "a az és hogy egy nem van minden szám adott bemenet kimenet írj függvény ha",
}
_VOCABULARIES = {language: frozenset(words.split()) for language, words in _COMMON_WORDS.items()}
_MIN_PARAGRAPH_WORDS = 15  # shorter paragraphs are not examined alone
_MIN_WORDS = 3  # shorter texts count as English


def detect_language(text: str) -> str:
    """An ISO 639-1 code; "en" for too few words, "und" for an unknown language."""
    prose = _CODE.sub(" ", text[:_MAX_CHARACTERS])
    letters = sum(map(str.isalpha, prose))
    if not letters:
        return "en"
    for language, script, share in _SCRIPTS:
        if len(script.findall(prose)) >= share * letters:
            return language
    words = _split_words(prose)
    if len(words) < _MIN_WORDS:
        return "en"
    hits = _count_hits(words)
    best_language = max(hits, key=lambda language: (hits[language], language == "en"))
    if hits["en"] >= 0.8 * hits[best_language]:
        return "en"  # names and formulas may be common words of other languages
    return best_language if hits[best_language] >= 0.1 * len(words) else "und"


def _count_hits(words: list[str]) -> dict[str, int]:
    """How many words are common words of each language."""
    return {
        language: sum(map(vocabulary.__contains__, words))
        for language, vocabulary in _VOCABULARIES.items()
    }


def _split_words(prose: str) -> list[str]:
    """The words of two letters or more: single letters are names in any language."""
    return [word.lower() for word in _WORD.findall(prose) if len(word) > 1]


def find_foreign_language(text: str, accepted_languages: Collection[str]) -> str | None:
    """The language of a paragraph in a language that is not accepted; None where there is none.

    Stricter than ``detect_language``: a paragraph may consist of names, calls and single letters.
    """
    for paragraph in text.split("\n\n"):
        words = _split_words(_CODE.sub(" ", paragraph))
        if len(words) < _MIN_PARAGRAPH_WORDS or ">>>" in paragraph:
            continue
        hits = _count_hits(words)
        best_language = max(hits, key=lambda language: hits[language])
        is_sure = (
            hits[best_language] >= 0.25 * len(words) and hits["en"] <= 0.3 * hits[best_language]
        )
        if is_sure and best_language not in accepted_languages:
            return best_language
    return None
