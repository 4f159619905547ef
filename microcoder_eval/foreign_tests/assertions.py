"""Finds the assertions of test code, in C++, Java, JavaScript, Rust and Go."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from microcoder_sandbox import record

from .conditions import (
    AS_JSON,
    Check,
    read_condition,
    read_equality,
    read_same,
    require_call,
    split_pair,
)
from .expected import ANY_TYPE, Expected
from .literals import UNDEFINED, read_go, read_value
from .tokens import NotTranslatableError, Tokens, find_end, list_texts, split, split_arguments

_SEPARATED = ("cpp", "rust")  # statements end with a semicolon
_EQUALITIES = frozenset({"deepEqual", "deepStrictEqual", "equal", "strictEqual"})
# HumanEval-X's C++ helper for vectors, nested vectors, reals and maps, in all its forms.
_SAME = re.compile(
    r"bool issame\((?P<type>.+?) a, ?(?P=type) ?b\)\{ ?(?:return a==b;|"
    r"if \(a\.size\(\)!=b\.size\(\)\) return false; ?(?:"
    r"for \((?:int|size_t) i=0;i<a\.size\(\);i\+\+\) ?\{ ?if \((?P<test>a\[i\]!=b\[i\]|"
    r"abs\(a\[i\]-b\[i\]\)>1e-4)\) return false; ?\}"
    r"|for \((?:int|size_t) i=0;i<a\.size\(\);i\+\+\) ?\{ ?"
    r"if \(a\[i\]\.size\(\)!=b\[i\]\.size\(\)\) return false; ?"
    r"for \((?:int|size_t) j=0;j<a\[i\]\.size\(\);j\+\+\) ?"
    r"if \(a\[i\]\[j\]!=b\[i\]\[j\]\) return false; ?\}"
    r"|map ?<char,int>::iterator it; ?for \(it=a\.begin\(\);it!=a\.end\(\);it\+\+\) ?\{ ?"
    r"char w1=it->first; ?int w2=it->second; ?if \(b\.find\(w1\)==b\.end\(\)\) return false; ?"
    r"if \(b\[w1\]!=w2\) return false; ?\}) ?return true;) ?\}"
)
# MultiPL-E's table of cases in Go, and the loop that runs it.
_GO_TABLE = re.compile(
    r"type\s+(\w+)\s+struct\s*\{\s*actual\s+interface\s*\{\}\s*expected\s+interface\s*\{\}\s*\}"
    r"\s*tests\s*:=\s*\[\]\1\s*(?=\{)"
)
_GO_LOOP = re.compile(
    r"\s*for\s+i\s*,\s*tc\s*:=\s*range\s+tests\s*\{\s*t\.Run\(fmt\.Sprintf\(\"[^\"]*\",\s*i\),\s*"
    r"func\(t\s+\*testing\.T\)\s*\{\s*if\s+fmt\.Sprintf\(\"%v\",\s*tc\.actual\)\s*!=\s*"
    r"fmt\.Sprintf\(\"%v\",\s*tc\.expected\)\s*\{\s*t\.Errorf\([^\n]*\)\s*\}\s*\}\)\s*\}\s*"
)
_REPORTS = {
    "cpp": "if (microcoder::is({0})) microcoder::report({1});",
    "java": "if (MicrocoderChecks.is({0})) MicrocoderChecks.report({1});",
    "javascript": "microcoder.is({0}) && microcoder.report({1});",
    "rust": "if crate::microcoder_checks::is({0}) {{ crate::microcoder_checks::report(&({1})); }}",
    "go": "if microcoderIs({0}) {{ microcoderReport({1}) }}",
}
_JAVA_ITEM = "MicrocoderChecks.is({0}) && MicrocoderChecks.report({1})"


@record
class Edit:
    """A place in the test code that is replaced: an assertion, or what is of no use without one.

    check: what the assertion checks; without a call the place is removed.
    report: the statement in place of the assertion. {0} stands for its number, {1} for the call.
    """

    start: int
    end: int
    check: Check = Check((), Expected(None))
    report: str = ""


Reader = Callable[[Tokens], Check]  # reads what is between the brackets of an assertion


def _find_assertions(
    language: str, tokens: Tokens, forms: Mapping[tuple[str, ...], Reader]
) -> Iterator[Edit]:
    """Yield the statements ``name(…)``. forms: the reader for each name."""
    words = list_texts(tokens)
    for names, read in forms.items():
        for index in range(len(tokens)):
            opening = index + len(names)
            if tuple(words[index : opening + 1]) != (*names, "(") or words[index - 1] == ".":
                continue
            if language in _SEPARATED:
                _require_start(tokens, index)
            end = find_end(tokens, opening)
            check = read(tokens[opening + 1 : end])
            place = tokens[end].end if language == "go" else _end_statement(tokens, end)
            yield Edit(tokens[index].start, place, check, _REPORTS[language])


def _end_statement(tokens: Tokens, end: int) -> int:
    """Return the place in the source after a statement and its semicolon."""
    has_mark = end + 1 < len(tokens) and tokens[end + 1].text == ";"
    return tokens[end + 1].end if has_mark else tokens[end].end


def _require_start(tokens: Tokens, index: int) -> None:
    if index and tokens[index - 1].text not in (";", "{", "}", ")"):
        raise NotTranslatableError("an assertion within an expression")


def _find_cpp(source: str, tokens: Tokens) -> Iterator[Edit]:
    kind = ""
    helper = source.find("bool issame")
    if helper >= 0:
        first = next(i for i, token in enumerate(tokens) if token.start >= helper)
        opening = next(i for i in range(first, len(tokens)) if tokens[i].text == "{")
        text = " ".join(source[helper : tokens[find_end(tokens, opening)].end].split())
        match = _SAME.fullmatch(text)
        if match is None:
            raise NotTranslatableError("an unknown issame")
        kind = "map" if match["type"].startswith("map") else "list"
        kind = "close" if match["test"] and "abs" in match["test"] else kind
        yield Edit(helper, tokens[find_end(tokens, opening)].end)

    def read(inner: Tokens) -> Check:
        if kind and list_texts(inner[:1]) == ["issame"] and find_end(inner, 1) == len(inner) - 1:
            check = read_same(inner[2:-1], kind)
        else:
            check = read_condition("cpp", inner)
            literal = [token for token in inner if token not in check.call]
            check = check.expecting(conversion=_find_cpp_conversion(check.expected, literal))
        return check.expecting(bools_are_numbers=True)

    yield from _find_assertions("cpp", tokens, {("assert",): read})


def _find_cpp_conversion(expected: Expected, literal: Tokens) -> str:
    """Return what C++ makes of a result before it compares it with a number, a character or a truth
    value; checks.cpp has ``convert``."""
    if expected.is_truth:
        return "static_cast<bool>({})"
    value = expected.value
    if expected.tolerance is not None or isinstance(value, (list, dict, type(None))):
        return "{}"
    if isinstance(value, str):
        return "microcoder::convert<char>({})" if len(value) == 1 else "{}"
    name = type(value).__name__.replace("float", "double")
    if type(value) is int:
        digits = next((t.text.lower() for t in literal if t.kind == "number"), "")
        is_hexadecimal = digits.startswith("0x")
        is_small = -(1 << 31) <= value < 1 << (32 if is_hexadecimal or "u" in digits else 31)
        is_small = is_small and "l" not in digits
        is_unsigned = "u" in digits or (is_hexadecimal and is_small and value >= 1 << 31)
        name = ("unsigned " if is_unsigned else "") + ("int" if is_small else "long long")
    return f"microcoder::convert<{name}>({{}})"


def _find_java(source: str, tokens: Tokens) -> Iterator[Edit]:
    words = list_texts(tokens)
    for index in range(len(words)):
        if words[index : index + 7] == ["List", "<", "Boolean", ">", "correct", "=", "Arrays"]:
            end = find_end(tokens, index + 9)
            for part in split_arguments(tokens[index + 10 : end]):
                yield Edit(part[0].start, part[-1].end, read_condition("java", part), _JAVA_ITEM)
        elif words[index] == "assert":
            _require_start(tokens, index)
            end = next(i for i in range(index, len(tokens)) if words[i] == ";")
            condition = split(tokens[index + 1 : end], frozenset(":"))[0]
            check = read_condition("java", condition)
            yield Edit(tokens[index].start, tokens[end].end, check, _REPORTS["java"])
        elif words[index] == "if":
            yield _read_java_if(tokens, index)


def _read_java_if(tokens: Tokens, index: int) -> Edit:
    """Read ``if (…) throw new AssertionError(…);``, in braces or not."""
    end = find_end(tokens, index + 1)
    has_braces = tokens[end + 1].text == "{"
    start = end + 1 + has_braces
    if list_texts(tokens[start : start + 4]) != ["throw", "new", "AssertionError", "("]:
        raise NotTranslatableError("a condition")
    stop = find_end(tokens, start + 3) + 1 + has_braces
    place = tokens[stop].end
    condition = tokens[index + 2 : end]
    if list_texts(condition) == ["correct", ".", "contains", "(", "false", ")"]:
        return Edit(tokens[index].start, place)
    sides = split(condition, frozenset(["!="]))
    if len(sides) == 2:
        check = read_equality("java", *sides)
    elif condition[0].text == "!" and len(sides) == 1:
        check = read_condition("java", condition[1:])
    else:
        raise NotTranslatableError("a condition")
    return Edit(tokens[index].start, place, check, _REPORTS["java"])


def _find_javascript(source: str, tokens: Tokens) -> Iterator[Edit]:
    words = list_texts(tokens)
    for index in range(len(words)):
        if words[index : index + 3] == ["assert", "=", "require"]:
            if words[index + 4] not in ("'assert'", "'node:assert'", '"assert"', '"node:assert"'):
                raise NotTranslatableError("another assert")
            end = find_end(tokens, index + 3)
            yield Edit(tokens[index - 1].start, _end_statement(tokens, end))

    def read(inner: Tokens) -> Check:
        check = read_condition("javascript", split_arguments(inner)[0])
        _refuse_identity(check.expected)
        return check.expecting(conversion="!!({})") if check.expected.is_truth else check

    forms: dict[tuple[str, ...], Reader] = {("console", ".", "assert"): read, ("assert",): read}
    for name in _EQUALITIES:
        forms["assert", ".", name] = partial(_read_javascript_equality, name=name)
    yield from _find_assertions("javascript", tokens, forms)


def _read_javascript_equality(inner: Tokens, *, name: str) -> Check:
    is_strict = name.lower().endswith("strictequal")
    check = read_equality("javascript", *split_pair(inner), is_loose=not is_strict)
    if not name.startswith("deep"):
        _refuse_identity(check.expected)
    return check.expecting(tells_zeros=is_strict)  # they compare by Object.is


def _refuse_identity(expected: Expected) -> None:
    is_object = isinstance(expected.value, (list, dict)) and expected.value != UNDEFINED
    if is_object and expected.conversion != AS_JSON:
        raise NotTranslatableError("an object, which equals only itself")


def _find_rust(source: str, tokens: Tokens) -> Iterator[Edit]:
    bindings = _read_rust_bindings(tokens)
    words = list_texts(tokens)
    uses = Counter[str]()

    def resolve(part: Tokens) -> Tokens:
        """Return the tokens with the value of the name in ``[call, ==,] name``."""
        name = part[-1].text
        if (len(part) > 1 and part[-2].text != "==") or name not in bindings:
            return part
        uses[name] += 1
        return [*part[:-1], *bindings[name][1]]

    forms: dict[tuple[str, ...], Reader] = {
        ("assert", "!"): lambda t: read_condition("rust", resolve(split_arguments(t)[0])),
        ("assert_eq", "!"): lambda t: read_equality("rust", *map(resolve, split_pair(t))),
    }
    yield from _find_assertions("rust", tokens, forms)
    for name, count in uses.items():  # a program may include its own source, and read it there
        if words.count(name) != count + 1:
            raise NotTranslatableError("an expected value that is used elsewhere")
        yield bindings[name][0]


def _read_rust_bindings(tokens: Tokens) -> dict[str, tuple[Edit, Tokens]]:
    """Return the statements ``let name: type = value;`` and their values, by names that are bound
    once."""
    words = list_texts(tokens)
    bindings = {}
    for index in range(len(words)):
        name = words[index + 1 : index + 2]
        if words[index] != "let" or not name or words.count("let") > 50:
            continue
        if words[index + 2 : index + 3] not in ([":"], ["="]):
            continue
        place = words.index("=", index)
        end = next((i for i in range(place, len(words)) if words[i] == ";"), place)
        count = sum(words[i : i + 2] == [name[0], "="] for i in range(len(words)))
        if count + (words[index + 2] == ":") == 1:
            statement = Edit(tokens[index].start, tokens[end].end)
            bindings[name[0]] = statement, tokens[place + 1 : end]
    return bindings


def _find_go(source: str, tokens: Tokens) -> Iterator[Edit]:
    table = _GO_TABLE.search(source)
    if table is not None:
        yield from _read_go_table(source, tokens, table)
        return
    words = list_texts(tokens)
    for index in range(len(words)):
        if words[index : index + 5] == ["assert", ":=", "assert", ".", "New"]:
            yield Edit(tokens[index].start, tokens[find_end(tokens, index + 5)].end)
    yield from _find_assertions("go", tokens, {("assert", ".", "Equal"): _read_go_equality})


def _read_go_equality(inner: Tokens) -> Check:
    left, right = split_pair(inner)
    if list_texts(left) == ["true"] and "<" in list_texts(right):
        return read_condition("go", right).expecting(type_text=ANY_TYPE)
    for literal, call in ((left, right), (right, left)):
        try:
            type_text, value = read_go(literal)
        except NotTranslatableError:
            continue
        return Check(require_call(call), Expected(value, type_text=type_text))
    raise NotTranslatableError("a comparison with no value")


def _read_go_table(source: str, tokens: Tokens, table: re.Match[str]) -> Iterator[Edit]:
    opening = next(i for i, token in enumerate(tokens) if token.start >= table.end())
    end = find_end(tokens, opening)
    loop = _GO_LOOP.match(source, tokens[end].end)
    if loop is None:
        raise NotTranslatableError("another table")
    place = table.start()
    for row in split_arguments(tokens[opening + 1 : end]):
        actual, expected = split_arguments(row[1:-1])
        if list_texts(actual[:2]) != ["actual", ":"] or list_texts(expected[:2]) != [
            "expected",
            ":",
        ]:
            raise NotTranslatableError("another table")
        value = read_value("go", expected[2:])
        check = Check(require_call(actual[2:]), Expected(value, type_text=ANY_TYPE))
        yield Edit(place, row[-1].end, check, _REPORTS["go"] + "\n")
        place = row[-1].end
    yield Edit(place, loop.end())


FINDERS = {
    "cpp": _find_cpp,
    "java": _find_java,
    "javascript": _find_javascript,
    "rust": _find_rust,
    "go": _find_go,
}
