"""Rules on the text of a statement. Each names what it found and quotes it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from microcoder_eval.data.reasons import Found
from microcoder_eval.data.recipe import Filter

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
# UTF-8 read as Latin-1 or cp1252, and letters that were replaced by signs or question marks.
_MOJIBAKE = re.compile(
    "Ã[\u0080-¿€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|Â[\u0080-¿]|"
    "â€[\u0080-\u009f™œ\u009d“”˜¦¢\u0093\u0094\u0099]|"
    "â‰[¤¥ ]|Ð[\u0080-¿]|\ufffd|ï¿½|ï»¿|\\w\\?\\?\\w|[a-z]\\?[a-z]{2,}\\?[a-z]|"
    "[A-Za-z][\u0400-\u04ff]|[\u0400-\u04ff][A-Za-z]"  # Cyrillic that looks like Latin
)
_FEW_MOJIBAKE = 1
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ue000-\uf8ff]")
_FURNITURE = re.compile(
    r"\b(?:sign up|subscribe|newsletter|cookies?|privacy policy|terms of (?:use|service)|"
    r"all rights reserved|share (?:this|on)|follow us|leave a (?:comment|reply)|upvote|"
    r"download (?:our|the) app|advertisement|sponsored|click here to|add to favorites|"
    r"related (?:articles|topics|posts)|next page|previous page|back to top|log ?out|"
    r"accepted rate|companies|show hint|hide tags|view (?:all )?(?:comments|discussion)|"
    r"buy now|free trial)\b",
    re.IGNORECASE,
)
_FEW_FURNITURE = 2
_CHAT = re.compile(
    r"\bas an ai (?:language )?(?:model|assistant)\b|"
    r"^(?:sure|certainly|of course|absolutely)[!,.]|\bhere(?:'s| is| are) (?:the|a|your) (?:\w+ )?"
    r"(?:rewritten|translated|translation|revised|updated|cleaned|problem statement)\b|"
    r"\bi hope this helps\b|\blet me know if you\b|\bfeel free to ask\b|"
    r"\b(?:ignore|disregard) (?:all |any )?(?:of )?(?:the |your )?(?:previous|prior|above|earlier) "
    r"(?:instructions|prompts?)\b|\bas of my (?:last )?(?:knowledge|training)\b|"
    r"\bi(?:'m| am) (?:sorry|afraid|unable to)\b[^.\n]{0,40}\b(?:can'?t|cannot|unable|help|provide|"
    r"access)\b|\bi (?:can't|cannot|can not) (?:access|browse|open|assist|help|provide)\b|"
    r"^#* ?(?:response|assistant|human|user):(?:\s|$)|"
    r"<\|(?:im_start|im_end|endoftext|user|assistant)\|>|\[/?INST\]",
    re.IGNORECASE | re.MULTILINE,
)
_OTHER = re.compile(
    r"\b(?:write|create|give|report) (?:an? |the )?(?:sql|mysql|postgres\w*|oracle|"
    r"pandas) (?:query|"
    r"solution|statement)\b|\bsql schema\b|\bselect\b.{1,80}\bfrom\b.{1,80}\bwhere\b|"
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
    r"program|design|solve|report|read|get|extract|split|merge|reverse|def|class|solution)\b",
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
# What a contestant writes about a problem, and how one explains its solution.
_POST = re.compile(
    r"\b(?:wrong answer|time limit|tle|wa|runtime error) on (?:test|case|sample)\b|"
    r"\bmy (?:code|solution|submission) (?:passes|fails|gets|works|is|does)\b|"
    r"\b(?:please|can (?:someone|anyone)(?: please)?) help me\b|"
    r"\A\W*(?:editorial|tutorial|hint)\b|\bwe (?:can )?use (?:dynamic programming|binary search|"
    r"dijkstra|dfs|bfs|two pointers|a segment tree)\b|"
    r"\bthe (?:overall|total|time|final) complexity (?:is|will be|of)\b",
    re.IGNORECASE,
)
# Requests, of which a text that asks for something has at least one.
_ASKS = re.compile(
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
_MAIL = re.compile(
    r"\b[\w.+-]+@(?!example\b|leetcode\b|test\b)[\w-]+\.(?:[a-z]{2,6})\b", re.IGNORECASE
)
_CONTACT = re.compile(
    r"\b(?:contact|mail|e-mail|email|write to|call|phone|tel\.?|whatsapp)\b[^\n]{0,60}?"
    r"(?:[\w.+-]+@[\w-]+\.\w{2,6}|\+?\d[\d ()-]{8,}\d)",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_HEADING = re.compile(r"^#{1,6} .*$", re.MULTILINE)
_SHORT = 120  # words; a longer statement may have a hint beside the task
_PARAGRAPH = 15  # words
_TWICE = 5  # words from which a text that is the same words twice is an accident
_REPEATS = 8  # words in a row that stand there again and again


def look(text: str, recipe: Filter) -> Iterator[Found]:
    """Everything wrong with a statement in clean form, without our instruction."""
    prose = text if text.startswith("```python") else _FENCE.sub(" ", text)
    words = _WORD.findall(_HEADING.sub(" ", prose))
    if len(words) < recipe.min_words:
        yield Found("statement_too_short", f"{len(words)} words")
    if len(text) > recipe.max_chars:
        yield Found("statement_too_long", f"{len(text)} characters")
    yield from _letters(prose)
    if (why := repetition(words) or _said_twice(prose)) is not None:
        yield Found("repetitive", why)
    furniture = {found.lower() for found in _FURNITURE.findall(prose)}
    if len(furniture) >= _FEW_FURNITURE:
        yield Found("page_furniture", ", ".join(sorted(furniture)[:5]))
    if found := _CHAT.search(prose):
        yield Found("chat_residue", f'it says "{" ".join(found[0].split())[:80]}"')
    if found := _OTHER.search(prose):
        yield Found("other_language", f'it says "{" ".join(found[0].split())[:80]}"')
    if found := _NOT_TASK.search(prose):
        yield Found("not_programming", f'it says "{" ".join(found[0].split())[:80]}"')
    elif not _TASK.search(prose):
        yield Found("not_programming", "no word of a task")
    elif (found := _POST.search(prose)) and len(words) < _SHORT:
        yield Found("not_programming", f'it says "{" ".join(found[0].split())[:80]}"')
    elif not text.startswith("```python") and not _ASKS.search(prose):
        yield Found("not_programming", "it asks for nothing")
    if found := _CONTACT.search(prose):
        yield Found("personal_data", "a way to contact somebody")
    elif _SECRET.search(prose):
        yield Found("personal_data", "a key, a card or a password")


def _letters(prose: str) -> Iterator[Found]:
    mangled = _MOJIBAKE.findall(prose)
    if len(mangled) >= _FEW_MOJIBAKE:
        yield Found("mojibake", f"{len(mangled)} times, such as {mangled[0]!r}")
    if found := _CONTROL.search(prose):
        yield Found("not_text", f"the character {found[0]!r}")
        return
    solid = [letter for letter in prose if not letter.isspace()]
    letters = sum(map(str.isalpha, solid))
    if len(solid) >= 40 and letters < 0.4 * len(solid):
        yield Found("not_text", f"{100 * letters // len(solid)} % letters")


def _said_twice(prose: str) -> str | None:
    """A paragraph of some length that stands there again, word for word."""
    parts = [" ".join(part.split()) for part in prose.split("\n\n")]
    again = [part for part, count in Counter(parts).items() if count > 1]
    long = next((part for part in again if len(part.split()) >= _PARAGRAPH), None)
    return f'a paragraph twice: "{long[:60]}"' if long else None


def repetition(words: list[str]) -> str | None:
    """What is said again and again, or None: half of a text of some length."""
    lowered = [word.lower() for word in words]
    half = len(words) // 2
    if half >= _TWICE and lowered[:half] == lowered[half:]:
        return "all of it twice"
    if len(words) < 4 * _REPEATS:
        return None
    grams = Counter(zip(*(lowered[start:] for start in range(_REPEATS)), strict=False))
    phrase, count = grams.most_common(1)[0]
    again = sum(count - 1 for count in grams.values())
    if again >= 0.45 * grams.total() or count >= 6:
        return f'{count} times "{" ".join(phrase)}"'
    return None
