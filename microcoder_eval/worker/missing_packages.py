"""Which package a program failed to import, as compilers and runtimes say it."""

from __future__ import annotations

import re

# A header of C and C++; packages of Java and Go; crates of Rust; modules of Node.
_MISSING = re.compile(
    r"fatal error: ([\w./+-]+): No such file|package ([\w.]+) does not exist"
    r"|package ([\w./-]+) is not in |cannot find package \"([\w./-]+)\""
    r"|(?:unresolved import|undeclared crate or module|unlinked crate|find crate for) `(\w+)"
    r"|Cannot find (?:module|package) '([@\w./-]+)'"
)


def find_missing_name(message: str) -> str | None:
    """Return the name of what a message says is missing, if it says so."""
    match = _MISSING.search(message)
    return None if match is None else next(filter(None, match.groups()))


def find_missing_package(source: str, message: str) -> str | None:
    """Return the package that a program itself imports and that its message says is missing."""
    name = find_missing_name(message)
    is_own_file = name is not None and name.startswith((".", "/"))
    return name if name is not None and not is_own_file and name in source else None
