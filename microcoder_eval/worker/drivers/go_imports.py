"""The imports of Go programs: those that are used, as LeetCode and goimports add them.

Go refuses both unused and missing imports, and models answer with functions that lack them.
"""

from __future__ import annotations

import re

from .signature import strip_comments

# Each package that is imported for a program, and a name of it: a package whose name is a variable
# in the program counts as used all the same. Packages of later versions of Go are here, too.
PACKAGES = {
    "bufio": "NewReader", "bytes": "Equal", "cmp": "Compare[int]", "container/heap": "Init",
    "container/list": "New", "container/ring": "New", "crypto/md5": "New",
    "encoding/hex": "DecodeString", "encoding/json": "Marshal", "errors": "New", "fmt": "Print",
    "hash/fnv": "New32", "io": "EOF", "maps": "Clone[map[int]int]", "math": "Pi",
    "math/big": "NewInt", "math/bits": "Len", "math/cmplx": "Abs", "math/rand": "Int",
    "os": "Exit", "reflect": "TypeOf", "regexp": "MustCompile", "slices": "Sort[[]int]",
    "sort": "Ints", "strconv": "Itoa", "strings": "Join", "sync": "NewCond",
    "testing": "Short", "time": "Now", "unicode": "IsDigit", "unicode/utf8": "RuneLen",
}  # fmt: skip
# The text is a candidate's, and each pattern reads it once: an attempt that fails ends before the
# next one can begin.
_PACKAGE = re.compile(
    r"\A((?:\s|//[^\n]*+|/\*(?:(?!\*/).)*+\*/)*+)"
    r"package\s++(\w++)[^\S\n]*+;?+[^\S\n]*+(?://[^\n]*+)?+\n?+",
    re.DOTALL,
)
# A bracket among the imports stands in a comment only.
_IMPORT = re.compile(
    r'^import\s*+(?:\((?:[^()/]|//[^\n]*+|/(?!/))*+\)|(?:[\w.]++\s++)?+"[^"\n]*+")[^\n]*+$',
    re.MULTILINE,
)
_IMPORTED = re.compile(r'(?:(?!import\b)(?<![\w.])([\w.]++)[ \t]++)?+"([^"\n]++)"')
_USED = re.compile(r"(?<![\w.])(\w++)\s*+\.\s*+[A-Z]")
_DECLARED = re.compile(r"^(?:var|const|type|func)[^\S\n]++(\w++)", re.MULTILINE)


def read_package(code: str) -> str:
    """Return the name of the package that a file belongs to; "main" if it names none."""
    match = _PACKAGE.match(code)
    return match[2] if match else "main"


def drop_package(code: str) -> str:
    """Return a file without what names its package."""
    return _PACKAGE.sub(r"\1", code)


def add_imports(code: str, dropped: frozenset[str] = frozenset()) -> str:
    """Return the program with the imports that it uses, in one block. dropped: paths of packages
    that other files of the program stand in for."""
    imports = {
        path: name for block in _IMPORT.findall(code) for name, path in _IMPORTED.findall(block)
    }
    body = _IMPORT.sub("", drop_package(code))
    text = strip_comments(body)
    used_names = {"_", ".", *_USED.findall(text)}
    known_names = {name or path.rpartition("/")[2] for path, name in imports.items()}
    missing_names = used_names - known_names.union(_DECLARED.findall(text))
    added = {
        path: name
        for path in PACKAGES.keys() - imports.keys() - dropped
        for name in [path.rpartition("/")[2]]
        if name in missing_names
    }
    used_packages = [
        f'{name} "{path}"' if name else f'"{path}"'
        for path, name in sorted({**imports, **dict.fromkeys(added, "")}.items())
        if path not in dropped and (name or path.rpartition("/")[2]) in used_names
    ]
    block = f"import ({'; '.join(used_packages)})" if used_packages else ""
    uses = "".join(f"; var _ = {name}.{PACKAGES[path]}" for path, name in sorted(added.items()))
    return f"package {read_package(code)}; {block}{uses}\n{body}"
