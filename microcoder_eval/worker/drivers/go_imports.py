"""The imports of Go programs: those that are used, as LeetCode and goimports add them.

Go refuses both unused and missing imports, and models answer with functions that lack them.
"""

from __future__ import annotations

import re

from .signature import strip_comments

_KNOWN = ("bufio", "bytes", "container/heap", "container/list", "crypto/md5", "encoding/hex",
          "encoding/json", "errors", "fmt", "io", "math", "math/big", "math/bits", "math/rand",
          "os", "reflect", "regexp", "sort", "strconv", "strings", "sync", "testing", "time",
          "unicode", "unicode/utf8")  # fmt: skip
# The text is a candidate's, and each pattern reads it once: an attempt that fails ends before the
# next one can begin.
_PACKAGE = re.compile(r"^[^\S\n]*+package\s++(\w++)[^\n]*+\n?+", re.MULTILINE)
# A bracket among the imports stands in a comment only.
_IMPORT = re.compile(
    r'^import\s*+(?:\((?:[^()/]|//[^\n]*+|/(?!/))*+\)|(?:[\w.]++\s++)?+"[^"\n]*+")[^\n]*+$',
    re.MULTILINE,
)
_IMPORTED = re.compile(r'(?:(?!import\b)(?<![\w.])([\w.]++)[ \t]++)?+"([^"\n]++)"')
_USED = re.compile(r"(?<![\w.])(\w++)\s*+\.\s*+[A-Z]")


def read_package(code: str) -> str:
    """Return the name of the package that a file belongs to; "main" if it names none."""
    match = _PACKAGE.search(strip_comments(code))
    return match[1] if match else "main"


def drop_package(code: str) -> str:
    """Return a file without the line that names its package."""
    return _PACKAGE.sub("", code, count=1)


def add_imports(code: str, dropped: frozenset[str] = frozenset()) -> str:
    """Return the program with the imports that it uses, in one block. dropped: paths of packages
    that other files of the program stand in for."""
    imports = {
        path: name for block in _IMPORT.findall(code) for name, path in _IMPORTED.findall(block)
    }
    body = _IMPORT.sub("", drop_package(code))
    used_names = {"_", ".", *_USED.findall(strip_comments(body))}
    for path in _KNOWN:
        imports.setdefault(path, "")
    used_packages = [
        f"{name} {path_text}" if name else path_text
        for path, name in sorted(imports.items())
        for path_text in [f'"{path}"']
        if path not in dropped and (name or path.rpartition("/")[2]) in used_names
    ]
    block = f"import ({'; '.join(used_packages)})" if used_packages else ""
    return f"package {read_package(code)}; {block}\n{body}"
