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
    r"(?:^|(?<=;))[ \t]*+import\s*+"
    r'(?:\((?:[^()/]|//[^\n]*+|/(?!/))*+\)|(?:[\w.]++\s++)?+"[^"\n]*+")[ \t]*+;?+',
    re.MULTILINE,
)
_IMPORTED = re.compile(r'(?:(?!import\b)(?<![\w.])([\w.]++)[ \t]++)?+"([^"\n]++)"')
_USED = re.compile(r"(?<![\w.])(\w++)\s*+\.\s*+[A-Z]")
_NAMES = r"(\w++(?:[^\S\n]*+,\s*+\w++)*+)"
_DECLARED = re.compile(rf"^(?:var|const|type|func)[^\S\n]++{_NAMES}", re.MULTILINE)
# Declarations in brackets: the first line, and those below it that are indented.
_GROUP = re.compile(r"^(?:var|const|type)\s*+\(([^\n]*+(?:\n(?![)\w])[^\n]*+)*+)", re.MULTILINE)
_MEMBER = re.compile(rf"(?:\A|[;\n])[^\S\n]*+{_NAMES}(?!\s*[.(])")
_DRIVER_IMPORT = re.compile(r'^\t"([\w/]+)"$', re.MULTILINE)


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
    used_names = {"_", ".", *_USED.findall(strip_comments(body))}
    known_names = {name or path.rpartition("/")[2] for path, name in imports.items()}
    missing_names = list_undeclared(body) - known_names
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


def list_undeclared(body: str) -> set[str]:
    """Return the names before ``.Name`` that a file without its imports does not declare outside of
    functions: packages, and variables of functions."""
    text = strip_comments(body)
    members = [names for group in _GROUP.findall(text) for names in _MEMBER.findall(group)]
    lists = [*_DECLARED.findall(text), *members]
    return set(_USED.findall(text)) - {name.strip() for names in lists for name in names.split(",")}


def hide_imports(driver: str) -> str:
    """Return a driver that imports under names of its own: what the program declares under the name
    of a package must differ from the imports of all files."""
    for path in _DRIVER_IMPORT.findall(driver):
        name = path.rpartition("/")[2]
        driver = driver.replace(f'\t"{path}"\n', f'\tmicrocoder_{name} "{path}"\n')
        driver = re.sub(rf"\b{name}\.", f"microcoder_{name}.", driver)
    return driver
