"""Programs held ready to be run: the text of a Python program, or a file that a compiler made."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field

from . import flavours, wire
from .batch import names as shareable
from .files import MEMORY_FILE, memory_file

_TRAITS = (
    # What a program leaves open is flushed, and its __del__ run, when an interpreter ends.
    (wire.LEAVES_SOMETHING, (b"open(", b"TextIOWrapper", b"BufferedWriter", b"__del__")),
    (wire.NAMES_NODES, (b"ListNode", b"TreeNode")),
    (wire.WANTS_LINES, (b"inspect", b"traceback", b"linecache")),
)
_IMPORT = re.compile(rb"^[ \t]*(?:from[ \t]+([\w.]+)|import[ \t]+([^\n#;]+))", re.MULTILINE)


@dataclass(slots=True)
class Program:
    """A program's text and, after its first run, its compiled form; both in memory files that
    only the children read. ``close`` when done with it.

    script_flavour, call_flavour: the leanest servers that have what it imports.
    traits: what its text shows that a child needs to know (wire.py).
    may_take_turns: several tests may be tried in one child (``turns``), as far as its text shows.
    """

    code_fd: int
    cache_fd: int
    script_flavour: str
    call_flavour: str
    traits: int
    may_take_turns: bool

    def close(self) -> None:
        """Let go of the memory files."""
        os.close(self.code_fd)
        os.close(self.cache_fd)


def program(source: bytes, packages: Mapping[str, str]) -> Program:
    """Hold a program's text. packages: those that programs may import."""
    names = imported_names(source)
    script, call = flavours.for_imports(names, source, numpy="numpy" in packages)
    traits = sum(bit for bit, signs in _TRAITS if any(sign in source for sign in signs))
    compiled = os.memfd_create("compiled", MEMORY_FILE)
    turns = names <= shareable.IMPORTS and not traits & wire.WANTS_LINES
    return Program(memory_file(source, "code"), compiled, script, call, traits, turns)


def imported_names(source: bytes) -> set[bytes]:
    """Top-level modules that the text's import lines name; a hint, found without parsing."""
    names: set[bytes] = set()
    for from_name, import_names in _IMPORT.findall(source):
        parts = [from_name] if from_name else import_names.split(b",")
        names.update(part.split(b" as ")[0].split(b".")[0].strip() for part in parts)
    return names


@dataclass(frozen=True, slots=True)
class Host:
    """How a toolchain's host runs a program.

    arguments: "{program}" stands for the program's path, "{memory}" for the limit in MiB.
    idle: arguments that make it start and end without a program. address_bytes: what it reserves
    and does not use. out_of_memory: the signal by which it ends itself when its heap is full.
    """

    toolchain: str
    arguments: tuple[str, ...]
    idle: tuple[str, ...]
    address_bytes: int
    out_of_memory: int = signal.SIGABRT


@dataclass(slots=True)
class Binary:
    """A compiled program, in a memory file. ``close`` when done with it.

    host: what runs it, where it does not run by itself. more: arguments after the host's."""

    descriptor: int
    host: Host | None = None
    more: tuple[str, ...] = field(default=())

    def close(self) -> None:
        """Let go of the memory file."""
        os.close(self.descriptor)
