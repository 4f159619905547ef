"""Values that test code writes down, as Python values.

Lists, tuples and arrays are lists. What is not understood raises NotTranslatableError: a value is
read whole or not at all.
"""

from __future__ import annotations

import ast
import re
import struct
from collections.abc import Callable
from typing import Any

from microcoder_eval.python_tests.fold import NotConstantError, fold
from microcoder_eval.syntax import parse_tree

from .tokens import (
    NotTranslatableError,
    Tokens,
    find_end,
    list_texts,
    split,
    split_arguments,
    split_call,
    unwrap,
)

# In place of JavaScript's undefined, which is not null (drivers/before.js writes it so).
UNDEFINED = {None: "undefined"}
_NUMBER = re.compile(
    r"(0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"([fFdDlLuU]{0,3}|[iu](?:8|16|32|64|128|size)|f32|f64)"
)
_ESCAPES = re.compile(r"\\(?:[ntr0'\"\\]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4})")
_CASTS = frozenset({"int", "long", "short", "double", "float", "String", "boolean", "char",
                    "string", "Integer", "Long", "Double", "Boolean", "Object", "std"})  # fmt: skip
# From these sizes on a conversion may change an integer.
_INTEGER_BOUNDS = {"int": 1 << 31, "Integer": 1 << 31, "short": 1 << 15, "char": 1 << 7}
_NAMES: dict[str, dict[str, Any]] = {
    "cpp": {"true": True, "false": False, "std::nullopt": None, "nullopt": None},
    "java": {"true": True, "false": False, "null": None},
    "javascript": {"true": True, "false": False, "null": None, "undefined": UNDEFINED},
    "rust": {"true": True, "false": False, "None": None},
    "go": {"true": True, "false": False, "nil": None},
}
# The classes of Java's numbers, by the suffix of a literal or the conversion before it.
_JAVA_CLASSES = {"l": "Long", "f": "Float", "d": "Double", "long": "Long", "float": "Float",
                 "double": "Double", "char": "Character"}  # fmt: skip
# Spaces beside a mark, and the arguments of a generic type.
_SPACE = re.compile(r" ?([^\w$ ]) ?")
_GENERICS = re.compile(r"(?:::)?<[^<>]*>")
_RUST_CONVERSIONS = [[".", name, "(", ")"] for name in ("to_string", "to_owned", "into")]
Maker = Callable[[str, Tokens], Any]


def read_value(language: str, tokens: Tokens) -> Any:
    """Return the value of an expression. Raises NotTranslatableError."""
    tokens = list(tokens)
    if not tokens:
        raise NotTranslatableError("no value")
    words = list_texts(tokens)
    joined = "".join(words)
    if joined in _NAMES[language]:
        return _NAMES[language][joined]
    if tokens[0].kind == "text" and len(tokens) == 1:
        return _read_text(language, words[0])
    if words[0] in "+-" or tokens[0].kind == "number":
        return _read_number(language, tokens)
    if words[0] == "(":
        return _read_brackets(language, tokens)
    return read_go(tokens)[1] if language == "go" else _read_made(language, tokens)


def list_java_classes(tokens: Tokens) -> str:
    """Return the classes of what a literal holds, as arguments of a call in Java."""
    names = {"Boolean"}
    for index, token in enumerate(tokens):
        number = _NUMBER.fullmatch(token.text.replace("_", ""))
        if token.kind == "text":
            names.add("String" if token.text[0] == '"' else "Character")
        elif number is not None and list_texts(tokens[index - 1 : index]) != [")"]:
            default = "Integer" if re.fullmatch(r"\d+|0[xX].*", number[1]) else "Double"
            names.add(_JAVA_CLASSES.get(number[2].lower(), default))
        elif token.text in _JAVA_CLASSES:
            names.add(_JAVA_CLASSES[token.text])
    return ", ".join(f"{name}.class" for name in sorted(names))


def _read_items(language: str, tokens: Tokens) -> list[Any]:
    """Return the values between commas."""
    return [read_value(language, part) for part in split_arguments(tokens)]


def _read_brackets(language: str, tokens: Tokens) -> Any:
    end = find_end(tokens, 0)
    inner = tokens[1:end]
    if end == len(tokens) - 1:
        parts = split(inner, frozenset(","))
        if language == "rust" and len(parts) > 1:
            return _read_items(language, inner)
        return read_value(language, inner)
    words = [token.text for token in inner if token.text != "::"]
    if language not in ("cpp", "java") or not words or not _CASTS.issuperset(words):
        raise NotTranslatableError("an expression")
    value = read_value(language, tokens[end + 1 :])
    is_integer = words[-1] in (*_INTEGER_BOUNDS, "long", "Long")
    if is_integer and type(value) is int and abs(value) >= _INTEGER_BOUNDS.get(words[-1], 1 << 63):
        raise NotTranslatableError("a conversion that may change the value")
    if is_integer and type(value) is not int and words[-1] != "char":
        raise NotTranslatableError("a conversion that changes the value")
    if words[-1] in ("double", "Double", "float") and isinstance(value, (int, float)):
        return _round_single(float(value)) if words[-1] == "float" else float(value)
    return value


def _read_text(language: str, text: str) -> str:
    body = text[1:-1]
    if text[0] == "`":
        if language == "rust" or (language == "javascript" and ("${" in body or "\\" in body)):
            raise NotTranslatableError("a template")
        return body
    if text[0] == "'" and language == "go":
        raise NotTranslatableError("a character, which is a number in Go")
    if "\\" in _ESCAPES.sub("", body) or "\n" in body:
        raise NotTranslatableError("an escape sequence")
    value = ast.literal_eval(parse_tree(text if text[0] == '"' else f'"{_quote(body)}"', "eval"))
    if language == "cpp" and "\0" in value:
        raise NotTranslatableError("a text that C++ ends at its first null character")
    if language in ("cpp", "go") and re.search(r"\\x[89a-fA-F]", body):
        raise NotTranslatableError("a byte that is no character")
    if not isinstance(value, str) or (
        text[0] == "'" and language != "javascript" and len(value) != 1
    ):
        raise NotTranslatableError("a character")
    return value


def _quote(body: str) -> str:
    return re.sub(r'(?<!\\)((?:\\\\)*)"', r'\1\\"', body)


def _read_number(language: str, tokens: Tokens) -> int | float:
    """Return a number, or a sum or product of numbers of one type."""
    parts = []
    for token in tokens:
        if token.kind == "number":
            parts.append(_read_plain_number(language, token.text.replace("_", "")))
        elif token.text not in ("+", "-", "*"):
            raise NotTranslatableError("an expression")
    if not parts or len({type(part) for part in parts}) > 1:
        raise NotTranslatableError("numbers of several types")
    if len(parts) > 1 and type(parts[0]) is float and language in ("go", "rust"):
        raise NotTranslatableError("reals that are calculated with other digits than doubles have")
    numbers = iter(parts)
    source = " ".join(
        repr(next(numbers)) if token.kind == "number" else token.text for token in tokens
    )
    try:
        value = fold(parse_tree(source, "eval").body, lambda _name: False)
    except (SyntaxError, NotConstantError):
        raise NotTranslatableError("an expression") from None
    if type(value) is int and abs(value) >= 1 << 63:
        raise NotTranslatableError("a number that overflows")
    assert isinstance(value, (int, float))
    if language == "javascript" and type(value) is int:  # all its numbers are doubles
        return -0.0 if value == 0 and tokens[0].text == "-" else int(float(value))
    return value


def _read_plain_number(language: str, text: str) -> int | float:
    match = _NUMBER.fullmatch(text)
    if match is None or (text[0] == "0" and text[1:2].isdigit()):
        raise NotTranslatableError(f"the number {text}")
    digits, suffix = match[1], match[2].lower()
    if digits[:2].lower() == "0x":
        return int(digits, 16)
    is_single = suffix == "f" and language in ("cpp", "java")
    if not is_single and digits.isdigit() and suffix not in ("f", "d", "f32", "f64"):
        return int(digits)
    if language == "cpp" and suffix == "l":
        raise NotTranslatableError("a number of more digits than a double has")
    return _round_single(float(digits)) if is_single else float(digits)


def _round_single(value: float) -> float:
    """Return the value as a number of 32 bits has it."""
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        raise NotTranslatableError("a number that is too large") from None


def _open_brackets(tokens: Tokens, marks: str = "([{") -> Tokens:
    """Return what is in the brackets that hold all of the tokens."""
    if not tokens or tokens[0].text not in marks or find_end(tokens, 0) != len(tokens) - 1:
        raise NotTranslatableError("an expression")
    return tokens[1:-1]


def pair_up(items: list[Any]) -> dict[Any, Any]:
    """Return a dictionary of pairs."""
    if not all(type(item) is list and len(item) == 2 for item in items):
        raise NotTranslatableError("a map")
    try:
        pairs = dict(items)
    except TypeError:
        raise NotTranslatableError("a map") from None
    if len(pairs) < len(items):
        raise NotTranslatableError("a map with equal keys")
    return pairs


def _read_object(_language: str, inner: Tokens) -> dict[Any, Any]:
    pairs: list[Any] = []
    for part in split_arguments(inner):
        if len(part) < 3 or part[1].text != ":" or part[0].kind == "mark":
            raise NotTranslatableError("an object")
        key = part[0].text
        if part[0].kind == "text":
            key = _read_text("javascript", key)
        pairs.append([key, read_value("javascript", part[2:])])
    return pair_up(pairs)


def _read_listed(language: str, inner: Tokens) -> list[Any]:
    """Return the items of the list that is the only argument; none without an argument."""
    return _read_items(language, _open_brackets(inner, "{[")) if inner else []


def _read_tuple(language: str, inner: Tokens) -> list[Any]:
    is_listed = bool(inner) and inner[0].text == "{" and find_end(inner, 0) == len(inner) - 1
    return _read_listed(language, inner) if is_listed else _read_items(language, inner)


def _read_flat_pairs(language: str, inner: Tokens) -> dict[Any, Any]:
    items = _read_items(language, inner)
    return pair_up([list(pair) for pair in zip(items[::2], items[1::2], strict=True)])


def _copy(kind: type) -> Maker:
    """Return what reads the copy of a value of that kind; without an argument it is empty."""

    def read(language: str, inner: Tokens) -> Any:
        value = read_value(language, unwrap(inner)) if inner else kind()
        if type(value) is not kind:
            raise NotTranslatableError("a container of a size")
        return value

    return read


def _pairs_of(read: Maker) -> Maker:
    return lambda language, inner: pair_up(read(language, inner))


# How a language writes down a value that ends in brackets: what stands before them, without the
# arguments of generic types, with the opening bracket; and what reads the tokens inside of them.
_MAKERS: dict[str, tuple[tuple[str, Maker], ...]] = {
    "cpp": (
        (r"\{|(std::)?(vector\{|make_(tuple|pair)[({])", _read_items),
        (r"(std::)?vector\(", _read_listed),
        (r"(std::)?(tuple|pair)[({]", _read_tuple),
        (r"(std::)?map\{", _pairs_of(_read_items)),
        (r"(std::)?map\(", _pairs_of(_read_listed)),
        (r"(std::)?string[({]", read_value),
    ),
    "java": (
        (r"(Arrays\.asList|List\.of|(Unit|Pair|(Trip|Quart|Quint|Sext|Sept|Oct)l?et)\.with)\(",
         _read_items),
        (r"new (Array|Linked)List\(", _copy(list)),
        (r"new (Hash|Tree|LinkedHash)Map\(", _copy(dict)),
        (r"Map\.of\(", _read_flat_pairs),
        (r"Optional\.of\(", read_value),
        (r"Optional\.empty\(", lambda *_: None),
    ),
    "javascript": ((r"\[", _read_items), (r"\{", _read_object)),
    "rust": (
        (r"\[|vec![\[(]", _read_items),
        (r"Vec::new\(", _copy(list)),
        (r"String::new\(", _copy(str)),
        (r"Some\(|String::from\(", read_value),
        (r"HashMap::from\(", _pairs_of(_read_listed)),
    ),
}  # fmt: skip


def _read_made(language: str, tokens: Tokens) -> Any:
    """Return the value of an expression that ends in brackets."""
    words = list_texts(tokens)
    if language == "rust" and words[0] == "&":
        return read_value("rust", tokens[1:])
    if language == "rust" and tokens[0].kind == "text" and words[1:] in _RUST_CONVERSIONS:
        return _read_text("rust", words[0])
    head, inner = split_call(tokens)
    name = _SPACE.sub(r"\1", " ".join([*list_texts(head), words[len(head)]]))
    while name != (name := _GENERICS.sub("", name)):
        pass
    for pattern, read in _MAKERS[language]:
        if re.fullmatch(pattern, name):
            value = read(language, inner)
            return _convert_items(value, list_texts(head)) if language == "cpp" else value
    raise NotTranslatableError("an expression")


def _convert_items(value: Any, type_words: list[str]) -> Any:
    """Return the items of a C++ vector of one type as that type has them."""
    if isinstance(value, list):
        return [_convert_items(item, type_words) for item in value]
    kinds = {*type_words} - {"std", "::", "vector", "<", ">"}
    if kinds == {"float"} and isinstance(value, (int, float)):
        return _round_single(float(value))
    if kinds == {"bool"} and type(value) is int:
        return bool(value)
    return chr(value) if kinds == {"char"} and type(value) is int and 0 <= value < 128 else value


_GO_TYPES = {bool: "bool", int: "int", float: "float64", str: "string", type(None): "<nil>"}
_GO_CONSTANTS = (["true"], ["false"], ["nil"])
_GO_ELEMENTS = frozenset({"int", "int64", "float64", "string", "bool", "interface {}"})


def read_go(tokens: Tokens) -> tuple[str, Any]:
    """Return the type and the value of an expression in Go."""
    type_text, end = _read_go_type(tokens, 0)
    if not type_text:
        if not tokens or (tokens[0].kind == "name" and list_texts(tokens) not in _GO_CONSTANTS):
            raise NotTranslatableError("an expression")
        if tokens[0].text in ("[", "{", "&", "*", "!"):
            raise NotTranslatableError("an expression")
        value = read_value("go", tokens)
        return _GO_TYPES[type(value)], value
    if type_text in ("int", "int64", "float64", "string", "bool"):
        value = read_value("go", _open_brackets(tokens[end:], "("))
        if type_text == "float64" and type(value) is int:
            value = float(value)
        if _GO_TYPES[type(value)] != type_text.replace("int64", "int"):
            raise NotTranslatableError("a conversion")
        return type_text, value
    return type_text, _read_go_items(type_text, _open_brackets(tokens[end:], "{"))


def _read_go_type(tokens: Tokens, index: int) -> tuple[str, int]:
    """Return the type that begins there, as reflection writes it ("" if there is none), and the
    index after it."""
    words = list_texts(tokens[index : index + 3])
    if words[:2] == ["[", "]"]:
        element, end = _read_go_type(tokens, index + 2)
        return (f"[]{element}" if element else ""), end
    if words == ["interface", "{", "}"]:
        return "interface {}", index + 3
    if words[:2] == ["map", "["]:
        key, end = _read_go_type(tokens, index + 2)
        if key != "string" or list_texts(tokens[end : end + 1]) != ["]"]:
            raise NotTranslatableError("a map whose keys are no texts")
        element, end = _read_go_type(tokens, end + 1)
        return f"map[{key}]{element}", end
    if words and words[0] in _GO_ELEMENTS:
        return words[0], index + 1
    return "", index


def _read_go_items(type_text: str, tokens: Tokens) -> Any:
    parts = split_arguments(tokens)
    if type_text.startswith("map[string]"):
        pairs: list[Any] = []
        for part in parts:
            if len(part) < 3 or part[0].kind != "text" or part[1].text != ":":
                raise NotTranslatableError("a map")
            key, value = part[0].text, _read_go_item(type_text[11:], part[2:])
            pairs.append([_read_text("go", key), value])
        return pair_up(pairs)
    return [_read_go_item(type_text[2:], part) for part in parts]


def _read_go_item(type_text: str, tokens: Tokens) -> Any:
    if tokens and tokens[0].text == "{":  # the type is left out
        return _read_go_items(type_text, _open_brackets(tokens, "{"))
    own_type, value = read_go(tokens)
    if type_text == "float64" and own_type == "int":
        return float(value)
    if type_text not in (own_type, "interface {}", own_type + "64"):
        raise NotTranslatableError("an element of another type")
    return value
