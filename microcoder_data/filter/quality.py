"""Rules on the text of a statement. Each finding quotes the text that it is about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from microcoder_data.process.conversion.letters import repair_letters
from microcoder_data.recipe import Filter
from microcoder_eval.audit.findings import Finding

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
# Letters replaced by signs or question marks, and Cyrillic ones among Latin ones.
_LOST_LETTERS = re.compile(
    r"\ufffd|ï¿½|ï»¿|\w\?\?\w|[a-z]\?[a-z]{2,}\?[a-z]|"
    r"[A-Za-z][\u0400-\u04ff]|[\u0400-\u04ff][A-Za-z]"
)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ue000-\uf8ff]")
_FURNITURE = re.compile(
    r"\b(?:sign up|subscribe|newsletter|cookies?|privacy policy|terms of (?:use|service)|"
    r"all rights reserved|share (?:this|on)|follow us|leave a (?:comment|reply)|upvote|"
    r"download (?:our|the) app|advertisement|sponsored|click here to|add to favorites|"
    r"related (?:articles|topics|posts)|next page|previous page|back to top|log ?out|"
    r"accepted rate|companies|show hint|hide tags|view (?:all )?(?:comments|discussion)|"
    r"buy now|free trial|copyright|server time|web 2\.0|mobile version|powered by|"
    r"(?:enter|log ?in|sign ?in) \| (?:register|sign ?up))\b",
    re.IGNORECASE,
)
_MIN_FURNITURE = 2
_CHAT = re.compile(
    r"\bas an ai (?:language )?(?:model|assistant)\b|"
    r"^(?:sure|certainly|of course|absolutely)[!,.]|\bhere(?:'s| is| are) (?:the|a|your) (?:\w+ )?"
    r"(?:rewritten|translated|translation|revised|updated|cleaned|problem statement)\b|"
    r"\bi hope this helps\b|\blet me know if you\b|\bfeel free to ask\b|"
    r"\b(?:ignore|disregard) (?:all |any )?(?:of )?(?:the |your )?(?:previous|prior|above|earlier) "
    r"(?:instructions|prompts?|text)\b|\b(?:ignore|disregard) the (?:text|instructions) above\b|"
    r"\bif you are an? (?:ai|llm|language model)\b|\bas of my (?:last )?(?:knowledge|training)\b|"
    r"\bi(?:'m| am) (?:sorry|afraid|unable to)\b[^.\n]{0,40}\b(?:can'?t|cannot|unable|help|provide|"
    r"access)\b|\bi (?:can't|cannot|can not) (?:access|browse|open|assist|help|provide)\b|"
    r"^#* ?(?:response|assistant|human|user):(?:\s|$)|"
    r"<\|(?:im_start|im_end|endoftext|user|assistant)\|>|\[/?INST\]",
    re.IGNORECASE | re.MULTILINE,
)
_OTHER_LANGUAGE = re.compile(
    r"\b(?:write|create|give|report) (?:an? |the )?(?:sql|mysql|postgres\w*|oracle|"
    r"pandas) (?:query|"
    r"solution|statement)\b|\bsql schema\b|"
    r"\b(?:write|create) (?:an? )?(?:bash|shell|awk|powershell|perl) (?:script|one-liner|"
    r"command)\b|"
    r"\b(?:in|using|with|write an?) (?:java|c\+\+|c#|javascript|typescript|rust|kotlin|haskell|"
    r"php|ruby|"
    r"matlab|assembly|golang|scala|swift|html|css) (?:program|function|method|class|code|only|"
    r"page)\b|"
    r"\b(?:program|function|method|class|solution) (?:must be )?(?:written )?in (?:java|c\+\+|c#|"
    r"javascript|rust|kotlin|haskell|php|ruby|matlab|assembly)\b",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"\b(?:write|print|output|return|find|compute|calculate|determine|count|check|convert|"
    r"implement|"
    r"given|input|function|program|algorithm|number|string|list|array|integer|help|task|tell|"
    r"decide|"
    r"generate|create|sort|remove|replace|sum|maximum|minimum|whether|figure out|how many|complete|"
    r"program|design|solve|report|read|get|extract|split|merge|reverse|def|class|solution|"
    r"greatest|largest|smallest|longest|shortest|how (?:much|long|far|often)|which)\b",
    re.IGNORECASE,
)
_NOT_TASK = re.compile(
    r"\bwhich of the following\b|\b(?:choose|select) the (?:correct|right|best) (?:answer|"
    r"option)\b|"
    r"\bmultiple[- ]choice\b|\b(?:true or false|fill in the blank)\b|\bwrite an? (?:essay|poem|"
    r"story|"
    r"letter|article|summary)\b|\bprove that\b|\bexplain (?:why|how|in your own words)\b|"
    r"^\s*\(?[A-Da-d][.)] .*\n\s*\(?[B-Eb-e][.)] ",
    re.IGNORECASE | re.MULTILINE,
)
# Questions of contestants about a problem, and explanations of a solution.
_FORUM_POST = re.compile(
    r"\b(?:wrong answer|time limit|tle|wa|runtime error) on (?:test|case|sample)\b|"
    r"\bmy (?:code|solution|submission) (?:passes|fails|gets|works|is|does)\b|"
    r"\b(?:please|can (?:someone|anyone)(?: please)?) help me\b|"
    r"\A\W*(?:editorial|tutorial|hint)\b|\bwe (?:can )?use (?:dynamic programming|binary search|"
    r"dijkstra|dfs|bfs|two pointers|a segment tree)\b|"
    r"\bthe (?:overall|total|time|final) complexity (?:is|will be|of)\b",
    re.IGNORECASE,
)
# Words of requests: every task has at least one.
_REQUEST = re.compile(
    r"\b(?:writ|print|output|return|find|comput|calculat|determin|count|check|convert|implement|"
    r"creat|generat|sort|remov|replac|tell|decid|report|complet|design|solv|evaluat|pars|simulat|"
    r"giv|take|get|show|add|mak|help|verif|validat|mov|filter|extract|format|merg|split|multipl|"
    r"sum|reverse|search|identif|estimat|minimi|maximi|appl|us|encod|decod|transform|build|"
    r"display|list|assign|answer|accept|read|draw|choos|select|pick|say|mean|represent|"
    r"contain|receiv)\w*|\?|"
    r"\b(?:must|should|shall|need|want|task|goal|how (?:many|much|long)|whether|what is|which)\b",
    re.IGNORECASE,
)
_SECRET = re.compile(
    r"\bsk-[\w-]{16,}|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_\w{30,}|-----BEGIN [A-Z ]*PRIVATE KEY-----|"
    r"\bcards?\b[^\n]{0,30}\b(?:\d{4}[ -]){3}\d{4}\b|^\W*password: ?\S+\W*$",
    re.MULTILINE,
)
_CONTACT = re.compile(
    r"\b(?:contact|mail|e-mail|email|write to|call|phone|tel\.?|whatsapp)\b[^\n]{0,60}?"
    r"(?:[\w.+-]+@[\w-]+\.\w{2,6}|\+?\d[\d ()-]{8,}\d)",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_HEADING = re.compile(r"^#{1,6} .*$", re.MULTILINE)
_SHORT_WORDS = 120  # a longer statement may have a hint beside the task
_MIN_PARAGRAPH_WORDS = 15
_MIN_REPEATED_WORDS = 5  # a text of fewer words may be the same words twice on purpose
_GRAM_WORDS = 8


def list_findings(text: str, recipe: Filter) -> Iterator[Finding]:
    """Yield the faults of a cleaned statement without our instruction."""
    prose = text if text.startswith("```python") else _FENCE.sub(" ", text)
    words = _WORD.findall(_HEADING.sub(" ", prose)) or _WORD.findall(prose)
    if len(words) < recipe.min_words:
        yield Finding("statement_too_short", f"{len(words)} words")
    if len(text) > recipe.max_chars:
        yield Finding("statement_too_long", f"{len(text)} characters")
    yield from _check_letters(prose)
    if (reason := find_repetition(words) or _find_repeated_paragraph(prose)) is not None:
        yield Finding("repetitive", reason)
    furniture = {match.lower() for match in _FURNITURE.findall(prose)}
    if len(furniture) >= _MIN_FURNITURE:
        yield Finding("page_furniture", ", ".join(sorted(furniture)[:5]))
    if match := _CHAT.search(prose):
        yield Finding("chat_residue", _quote_match(match))
    if match := _OTHER_LANGUAGE.search(prose):
        yield Finding("other_language", _quote_match(match))
    if match := _NOT_TASK.search(prose):
        yield Finding("not_programming", _quote_match(match))
    elif not _TASK.search(prose):
        yield Finding("not_programming", "no word of a task")
    elif (match := _FORUM_POST.search(prose)) and len(words) < _SHORT_WORDS:
        yield Finding("not_programming", _quote_match(match))
    elif not text.startswith("```python") and not _REQUEST.search(prose):
        yield Finding("not_programming", "it asks for nothing")
    if match := _CONTACT.search(prose):
        yield Finding("personal_data", "a way to contact somebody")
    elif _SECRET.search(prose):
        yield Finding("personal_data", "a key, a card or a password")


def _quote_match(match: re.Match[str]) -> str:
    return f'it says "{" ".join(match[0].split())[:80]}"'


def _check_letters(prose: str) -> Iterator[Finding]:
    if matches := _LOST_LETTERS.findall(prose):
        yield Finding("mojibake", f"{len(matches)} times, such as {matches[0]!r}")
    elif (line := repair_letters(prose)[1]) is not None:  # process repairs it
        yield Finding("mojibake", f'such as in "{line[:60]}"')
    if match := _CONTROL.search(prose):
        yield Finding("not_text", f"the character {match[0]!r}")
        return
    characters = [character for character in prose if not character.isspace()]
    letters = sum(map(str.isalpha, characters))
    if len(characters) >= 40 and letters < 0.4 * len(characters):
        yield Finding("not_text", f"{100 * letters // len(characters)} % letters")


def _find_repeated_paragraph(prose: str) -> str | None:
    """Which paragraph of some length is repeated word for word; None where none is."""
    paragraphs = Counter(" ".join(part.split()) for part in prose.split("\n\n"))
    for paragraph, count in paragraphs.items():
        if count > 1 and len(paragraph.split()) >= _MIN_PARAGRAPH_WORDS:
            return f'a paragraph twice: "{paragraph[:60]}"'
    return None


def find_repetition(words: list[str]) -> str | None:
    """Return what is repeated in about half of the text or more, numbers apart; None where nothing
    is."""
    lowercase_words = [word.lower() for word in words if not word.isdigit()]
    half = len(lowercase_words) // 2
    if half >= _MIN_REPEATED_WORDS and lowercase_words[:half] == lowercase_words[half:]:
        return "all of it twice"
    if len(lowercase_words) < 4 * _GRAM_WORDS:
        return None
    grams = Counter(zip(*(lowercase_words[start:] for start in range(_GRAM_WORDS)), strict=False))
    phrase, count = grams.most_common(1)[0]
    repeat_count = sum(count - 1 for count in grams.values())
    if repeat_count >= 0.45 * grams.total():
        return f'{count} times "{" ".join(phrase)}"'
    return None
