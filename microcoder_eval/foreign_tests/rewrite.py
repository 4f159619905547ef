"""Rewrite test code so that it reports what calls return, in place of comparing it.

An assertion such as ``assert(add(1, 2) == 3)`` becomes ``if (the test asked for is number 0)
report(add(1, 2))``. The arguments stay as they are and are compiled with the program. The expected
value is taken out, and compared in the judge's own process. Either all assertions are rewritten or
none: if one has another form, or stands in a loop or a condition, the test code stays as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial

from microcoder_eval.languages import TEST_LANGUAGES
from microcoder_sandbox import record

from .conditions import (
    ANY_TYPE,
    AS_JSON,
    Expected,
    read_condition,
    read_equality,
    read_same,
    require_call,
    split_pair,
)
from .literals import UNDEFINED, read_go, read_value
from .tokens import NotTranslatableError, Tokens, find_end, split, split_arguments, texts, tokenize

# Words of any of the languages that decide whether or how often an assertion runs, or that make
# test code fail in another way.
_CONTROL = frozenset({"if", "for", "while", "do", "loop", "switch", "match", "goto", "try", "throw",
                      "throws", "catch", "defer", "should_panic", "define"})  # fmt: skip
# Calls that make a value, and attributes of Rust.
_MAKERS = frozenset({"asList", "from", "vec", "Some", "cfg", "allow"})
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
class ReportedTests:
    """Test code that reports values. source: its text. expected: what each of them must be."""

    source: str
    expected: tuple[Expected, ...]


@record
class _Edit:
    """A place in the test code, and the call that is reported there, empty if it is removed."""

    start: int
    end: int
    call: Tokens = ()
    expected: Expected = Expected(None)
    template: str = ""


@lru_cache(maxsize=64)
def rewrite_tests(test_language: str, source: str) -> ReportedTests | None:
    """Return the test code with each comparison taken out; None where that cannot be done."""
    try:
        return _rewrite(TEST_LANGUAGES[test_language].name, source)
    except (NotTranslatableError, RecursionError, LookupError, ValueError):
        return None


def _rewrite(language: str, source: str) -> ReportedTests:
    tokens = tokenize(language, source)
    edits = sorted(_FINDERS[language](source, tokens), key=lambda edit: edit.start)
    checks = [edit for edit in edits if edit.call]
    if not checks:
        raise NotTranslatableError("no assertion")
    _refuse_rest(language, source, tokens, edits)
    _refuse_own_functions(tokens, checks)
    _refuse_contradictions(source, checks)
    pieces, start, number = [], 0, 0
    for edit in edits:
        pieces.append(_join(tokens, source, start, edit.start))
        start = edit.end
        if edit.call:
            call = _join(tokens, source, edit.call[0].start, edit.call[-1].end)
            call = edit.expected.conversion.format(call)
            pieces.append((edit.template or _REPORTS[language]).format(number, call))
            number += 1
    pieces.append(_join(tokens, source, start, len(source)))
    expected = [
        replace(edit.expected, source=" ".join(source[edit.start : edit.end].split())[:200])
        for edit in checks
    ]
    return ReportedTests("".join(pieces), tuple(expected))


def _join(tokens: Tokens, source: str, start: int, end: int) -> str:
    """Return a part of the source without its comments, which may tell what is expected."""
    text, place = "", start
    for token in tokens:
        if start <= token.start and token.end <= end:
            gap = source[place : token.start]
            text += re.sub(r"//[^\n]*|/\*.*?\*/", " ", gap, flags=re.DOTALL)
            text += source[token.start : token.end]
            place = token.end
    return text + re.sub(r"//[^\n]*|/\*.*?\*/", " ", source[place:end], flags=re.DOTALL)


def _refuse_rest(language: str, source: str, tokens: Tokens, edits: list[_Edit]) -> None:
    """Raise NotTranslatableError if anything besides the assertions may fail or decide what runs: a
    control statement or a call. Calls of the test code's own functions, and calls that make a
    value, are allowed."""
    known_names = _MAKERS | _list_functions(tokens)
    for index, token in enumerate(tokens):
        if any(edit.start <= token.start < edit.end for edit in edits):
            continue
        is_header = language == "cpp" and source[token.start - 1] == "<"  # assert.h, cassert
        if token.text in _CONTROL or (
            "assert" in token.text and token.kind == "name" and not is_header
        ):
            raise NotTranslatableError(f"{token.text} beside the assertions")
        is_made = index > 0 and tokens[index - 1].text == "new"
        if _is_called(tokens, index) and not is_made and token.text not in known_names:
            raise NotTranslatableError(f"a call of {token.text} beside the assertions")


def _is_called(tokens: Tokens, index: int) -> bool:
    following = texts(tokens[index + 1 : index + 3])
    is_macro = following[:1] == ["!"] and following[1:] in (["("], ["["])
    return tokens[index].kind == "name" and (following[:1] == ["("] or is_macro)


def _list_functions(tokens: Tokens) -> set[str]:
    """Return the names of functions that the test code has: ``int main(``, ``test = () =>``."""
    names = set()
    for index, token in enumerate(tokens[:-1]):
        before = tokens[index - 1] if index else None
        if _is_called(tokens, index) and before is not None and before.kind == "name":
            if before.text not in ("return", "new", "else", "await"):
                names.add(token.text)
        elif texts(tokens[index + 1 : index + 3]) == ["=", "("]:
            end = find_end(tokens, index + 2)
            if texts(tokens[end + 1 : end + 2]) == ["=>"]:
                names.add(token.text)
    return names


def _refuse_own_functions(tokens: Tokens, checks: list[_Edit]) -> None:
    """Raise NotTranslatableError if an assertion calls a function that the test code itself
    defines, because that function would compare in the program's process. A second name for a
    function of the program is allowed."""
    function_names = set()
    for edit in checks:
        names = texts(edit.call)
        function_names.add(names[names.index("(") - 1] if names[0] != "new" else names[5])
    for index, token in enumerate(tokens):
        if token.text not in function_names or index == 0:
            continue
        before, after = tokens[index - 1], texts(tokens[index + 1 : index + 4])
        if after[:1] in (["="], [":="]):
            is_alias = re.fullmatch(r"[A-Za-z_]\w*", after[1] if len(after) > 1 else "")
            if not is_alias or after[2:3] in (["("], ["=>"], ["."]) or after[1] == "function":
                raise NotTranslatableError("a function of the test code")
        elif after[:1] == ["("] and before.kind == "name" and before.text not in ("return", "not"):
            raise NotTranslatableError("a function of the test code")


def _refuse_contradictions(source: str, checks: list[_Edit]) -> None:
    """Raise NotTranslatableError where a call has two results: the program is meant to keep
    state."""
    result_of_call: dict[str, object] = {}
    for edit in checks:
        call, value = source[edit.call[0].start : edit.call[-1].end], edit.expected.value
        if result_of_call.setdefault(call, value) != value:
            raise NotTranslatableError("a call with two results")


# Reads what is between the brackets of an assertion: the call, and what must come of it.
Reader = Callable[[Tokens], tuple[Tokens, Expected]]


def _find_assertions(
    language: str, tokens: Tokens, forms: Mapping[tuple[str, ...], Reader]
) -> Iterator[_Edit]:
    """Yield the statements ``name(…)``. forms: the reader for each name."""
    words = texts(tokens)
    for names, read in forms.items():
        for index in range(len(tokens)):
            opening = index + len(names)
            if tuple(words[index : opening + 1]) != (*names, "(") or words[index - 1] == ".":
                continue
            if language in _SEPARATED:
                _require_start(tokens, index)
            end = find_end(tokens, opening)
            call, expected = read(tokens[opening + 1 : end])
            place = tokens[end].end if language == "go" else _end_statement(tokens, end)
            yield _Edit(tokens[index].start, place, call, expected)


def _end_statement(tokens: Tokens, end: int) -> int:
    """Return the place in the source after a statement and its semicolon."""
    has_mark = end + 1 < len(tokens) and tokens[end + 1].text == ";"
    return tokens[end + 1].end if has_mark else tokens[end].end


def _require_start(tokens: Tokens, index: int) -> None:
    if index and tokens[index - 1].text not in (";", "{", "}", ")"):
        raise NotTranslatableError("an assertion within an expression")


def _find_cpp(source: str, tokens: Tokens) -> Iterator[_Edit]:
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
        yield _Edit(helper, tokens[find_end(tokens, opening)].end)

    def read(inner: Tokens) -> tuple[Tokens, Expected]:
        if kind and texts(inner[:1]) == ["issame"] and find_end(inner, 1) == len(inner) - 1:
            call, expected = read_same(inner[2:-1], kind)
        else:
            call, expected = read_condition("cpp", inner)
            literal = [token for token in inner if token not in call]
            expected = replace(expected, conversion=_find_cpp_conversion(expected, literal))
        return call, replace(expected, bools_are_numbers=True)

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


def _find_java(source: str, tokens: Tokens) -> Iterator[_Edit]:
    words = texts(tokens)
    for index in range(len(words)):
        if words[index : index + 7] == ["List", "<", "Boolean", ">", "correct", "=", "Arrays"]:
            end = find_end(tokens, index + 9)
            for part in split_arguments(tokens[index + 10 : end]):
                call, expected = read_condition("java", part)
                yield _Edit(part[0].start, part[-1].end, call, expected, _JAVA_ITEM)
        elif words[index] == "assert":
            _require_start(tokens, index)
            end = next(i for i in range(index, len(tokens)) if words[i] == ";")
            condition = split(tokens[index + 1 : end], frozenset(":"))[0]
            call, expected = read_condition("java", condition)
            yield _Edit(tokens[index].start, tokens[end].end, call, expected)
        elif words[index] == "if":
            yield _read_java_if(tokens, index)


def _read_java_if(tokens: Tokens, index: int) -> _Edit:
    """Read ``if (…) throw new AssertionError(…);``, in braces or not."""
    end = find_end(tokens, index + 1)
    has_braces = tokens[end + 1].text == "{"
    start = end + 1 + has_braces
    if texts(tokens[start : start + 4]) != ["throw", "new", "AssertionError", "("]:
        raise NotTranslatableError("a condition")
    stop = find_end(tokens, start + 3) + 1 + has_braces
    place = tokens[stop].end
    condition = tokens[index + 2 : end]
    if texts(condition) == ["correct", ".", "contains", "(", "false", ")"]:
        return _Edit(tokens[index].start, place)
    sides = split(condition, frozenset(["!="]))
    if len(sides) == 2:
        call, expected = read_equality("java", *sides)
    elif condition[0].text == "!" and len(sides) == 1:
        call, expected = read_condition("java", condition[1:])
    else:
        raise NotTranslatableError("a condition")
    return _Edit(tokens[index].start, place, call, expected)


def _find_javascript(source: str, tokens: Tokens) -> Iterator[_Edit]:
    words = texts(tokens)
    for index in range(len(words)):
        if words[index : index + 3] == ["assert", "=", "require"]:
            if words[index + 4] not in ("'assert'", "'node:assert'", '"assert"', '"node:assert"'):
                raise NotTranslatableError("another assert")
            end = find_end(tokens, index + 3)
            yield _Edit(tokens[index - 1].start, _end_statement(tokens, end))

    def read(inner: Tokens) -> tuple[Tokens, Expected]:
        call, expected = read_condition("javascript", split_arguments(inner)[0])
        _refuse_identity(expected)
        return call, replace(expected, conversion="!!({})") if expected.is_truth else expected

    forms: dict[tuple[str, ...], Reader] = {("console", ".", "assert"): read, ("assert",): read}
    for name in _EQUALITIES:
        forms["assert", ".", name] = partial(_read_javascript_equality, name=name)
    yield from _find_assertions("javascript", tokens, forms)


def _read_javascript_equality(inner: Tokens, *, name: str) -> tuple[Tokens, Expected]:
    is_strict = name.lower().endswith("strictequal")
    call, expected = read_equality("javascript", *split_pair(inner), is_loose=not is_strict)
    if not name.startswith("deep"):
        _refuse_identity(expected)
    return call, replace(expected, tells_zeros=is_strict)  # they compare by Object.is


def _refuse_identity(expected: Expected) -> None:
    is_object = isinstance(expected.value, (list, dict)) and expected.value != UNDEFINED
    if is_object and expected.conversion != AS_JSON:
        raise NotTranslatableError("an object, which equals only itself")


def _find_rust(source: str, tokens: Tokens) -> Iterator[_Edit]:
    bindings = _read_rust_bindings(tokens)
    words = texts(tokens)
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


def _read_rust_bindings(tokens: Tokens) -> dict[str, tuple[_Edit, Tokens]]:
    """Return the statements ``let name: type = value;`` and their values, by names that are bound
    once."""
    words = texts(tokens)
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
            statement = _Edit(tokens[index].start, tokens[end].end)
            bindings[name[0]] = statement, tokens[place + 1 : end]
    return bindings


def _find_go(source: str, tokens: Tokens) -> Iterator[_Edit]:
    table = _GO_TABLE.search(source)
    if table is not None:
        yield from _read_go_table(source, tokens, table)
        return
    words = texts(tokens)
    for index in range(len(words)):
        if words[index : index + 5] == ["assert", ":=", "assert", ".", "New"]:
            yield _Edit(tokens[index].start, tokens[find_end(tokens, index + 5)].end)
    yield from _find_assertions("go", tokens, {("assert", ".", "Equal"): _read_go_equality})


def _read_go_equality(inner: Tokens) -> tuple[Tokens, Expected]:
    left, right = split_pair(inner)
    if texts(left) == ["true"] and "<" in texts(right):
        call, expected = read_condition("go", right)
        return call, replace(expected, type_text=ANY_TYPE)
    for literal, call in ((left, right), (right, left)):
        try:
            type_text, value = read_go(literal)
        except NotTranslatableError:
            continue
        return require_call(call), Expected(value, type_text=type_text)
    raise NotTranslatableError("a comparison with no value")


def _read_go_table(source: str, tokens: Tokens, table: re.Match[str]) -> Iterator[_Edit]:
    opening = next(i for i, token in enumerate(tokens) if token.start >= table.end())
    end = find_end(tokens, opening)
    loop = _GO_LOOP.match(source, tokens[end].end)
    if loop is None:
        raise NotTranslatableError("another table")
    place = table.start()
    for row in split_arguments(tokens[opening + 1 : end]):
        actual, expected = split_arguments(row[1:-1])
        if texts(actual[:2]) != ["actual", ":"] or texts(expected[:2]) != ["expected", ":"]:
            raise NotTranslatableError("another table")
        value = read_value("go", expected[2:])
        rule = Expected(value, type_text=ANY_TYPE)
        yield _Edit(place, row[-1].end, require_call(actual[2:]), rule, _REPORTS["go"] + "\n")
        place = row[-1].end
    yield _Edit(place, loop.end())


_FINDERS = {
    "cpp": _find_cpp,
    "java": _find_java,
    "javascript": _find_javascript,
    "rust": _find_rust,
    "go": _find_go,
}
