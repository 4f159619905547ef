"""Which package a program failed to import, as compilers and runtimes say it."""

from __future__ import annotations

import re

# A header of C and C++; packages of Java and Go; crates of Rust; modules of Node.
_MISSING = re.compile(
    r"fatal error: ([\w./+-]+): No such file|package ([\w.]+) does not exist"
    r"|package ([\w./-]+) is not in |cannot find package \"([\w./-]+)\""
    r"|(?:unresolved import|crate or module|module or crate|unlinked crate|find crate for) `(\w+)"
    r"|Cannot find (?:module|package) '([@\w./-]+)'"
)
# The statement of a test that met it may stand before it, but no other error, which quotes it.
_MISSING_MODULE = re.compile(
    r"(?:(?![\w.]+: ).*: )?ModuleNotFoundError: No module named '([\w.]+)'$", re.DOTALL
)


def find_missing_name(message: str) -> str | None:
    """Return the name of what a message says is missing, if it says so."""
    match = _MISSING.search(message)
    return None if match is None else next(filter(None, match.groups()))


def find_missing_module(detail: str | None) -> str | None:
    """Return the module that a Python program could not import, by the detail of its RE."""
    match = _MISSING_MODULE.match(detail or "")
    return None if match is None else match[1]
