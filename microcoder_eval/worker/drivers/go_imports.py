"""The imports of Go programs: those that are used, as LeetCode and goimports add them.

Go refuses an unused import and a missing one alike, and answers of models are functions alone.
"""

from __future__ import annotations

import re

from .signature import strip_comments

_KNOWN = ("bufio", "bytes", "container/heap", "container/list", "crypto/md5", "encoding/hex",
          "encoding/json", "errors", "fmt", "io", "math", "math/big", "math/bits", "math/rand",
          "os", "reflect", "regexp", "sort", "strconv", "strings", "sync", "testing", "time",
          "unicode", "unicode/utf8")  # fmt: skip
_PACKAGE = re.compile(r"^\s*package\s+(\w+)[^\n]*\n?", re.MULTILINE)
_IMPORT = re.compile(r'^import\s*(?:\([^)]*\)|(?:[\w.]+\s+)?"[^"\n]*")[^\n]*$', re.MULTILINE)
_IMPORTED = re.compile(r'(?:(?!import\b)\b([\w.]+)[ \t]+)?"([^"\n]+)"')


def read_package(code: str, default: str = "main") -> str:
    """Return the name of the package that a file belongs to."""
    match = _PACKAGE.search(strip_comments(code))
    return match[1] if match else default


def add_imports(code: str, dropped: frozenset[str] = frozenset()) -> str:
    """Return the program with the imports that it uses, in one block. dropped: paths of packages
    that other files of the program stand in for."""
    imports = {
        path: name for block in _IMPORT.findall(code) for name, path in _IMPORTED.findall(block)
    }
    body = _IMPORT.sub("", _PACKAGE.sub("", code, count=1))
    plain_body = strip_comments(body)
    for path in _KNOWN:
        imports.setdefault(path, "")
    used_packages = [
        f"{name} {path_text}" if name else path_text
        for path, name in sorted(imports.items())
        for path_text in [f'"{path}"']
        if path not in dropped
        and (name in ("_", ".") or _uses(plain_body, name or path.rpartition("/")[2]))
    ]
    block = f"import ({'; '.join(used_packages)})" if used_packages else ""
    return f"package {read_package(code)}; {block}\n{body}"


def _uses(body: str, name: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(name)}\s*\.\s*[A-Z]", body) is not None
