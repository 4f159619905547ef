"""Programs as children get them: in memory files, with the server and the traits that they need."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from microcoder_sandbox.frozen_records import record
from microcoder_sandbox.toolchains.toolchain import Runtime
from microcoder_sandbox.wire import protocol

from . import profiles
from .memory_files import MEMFD_FLAGS, close_on_error, make_sealed_memfd

_TRAIT_SIGNS = (
    # An interpreter that ends flushes what a program left open, and calls its __del__ methods.
    (protocol.NEEDS_FINALIZERS, (b"open(", b"TextIOWrapper", b"BufferedWriter", b"__del__")),
    (protocol.NAMES_NODES, (b"ListNode", b"TreeNode")),
    (protocol.NEEDS_SOURCE_LINES, (b"inspect", b"traceback", b"linecache")),
)
# What a suspended generator may still run when an interpreter ends and closes it.
_GENERATOR_HANDLERS = (b"finally", b"except", b"__exit__")
_IMPORT = re.compile(rb"^[ \t]*(?:from[ \t]+([\w.]+)|import[ \t]+([^\n#;]+))", re.MULTILINE)


@record
class Program:
    """A program's text and, after a run in a child for one test, its compiled form, in memory files
    that only children read. Its owner closes it.

    script_profile, call_profile: the leanest servers that have what it imports.
    traits: bits of protocol.py that its text calls for.
    source: its text.
    may_batch: whether it is worth trying to run several of its tests in one child.
    hash_seed: the seed of its process, which decides the order of a set of texts.
    of_problem: it is the problem's own, not a solution.
    """

    code_fd: int
    cache_fd: int
    script_profile: str
    call_profile: str
    traits: int
    source: bytes
    may_batch: bool
    hash_seed: int = 0
    of_problem: bool = False

    def close(self) -> None:
        """Close the memory files."""
        os.close(self.code_fd)
        os.close(self.cache_fd)


def prepare_program(
    source: bytes,
    imports: set[bytes] | None,
    packages: Mapping[str, str],
    *,
    hash_seed: int = 0,
    of_problem: bool = False,
) -> Program:
    """Put a program's text into a memory file. imports: see ``Sandbox.prepare_program``. packages:
    the packages that programs may import."""
    if imports is None:
        imports = find_imports(source)
    script_profile, call_profile = profiles.choose_profiles(
        imports, source, numpy="numpy" in packages
    )
    traits = sum(bit for bit, signs in _TRAIT_SIGNS if any(sign in source for sign in signs))
    if b"yield" in source and any(sign in source for sign in _GENERATOR_HANDLERS):
        traits |= protocol.NEEDS_FINALIZERS
    with close_on_error() as owned_fds:
        owned_fds.append(code_fd := make_sealed_memfd(source, "code"))
        cache_fd = os.memfd_create("compiled", MEMFD_FLAGS)
    uses_numpy = script_profile in (profiles.NUMPY, profiles.NUMPY_STANDARD)
    may_batch = not traits & protocol.NEEDS_SOURCE_LINES and not uses_numpy
    return Program(
        code_fd,
        cache_fd,
        script_profile,
        call_profile,
        traits,
        source,
        may_batch,
        hash_seed,
        of_problem,
    )


def find_imports(source: bytes) -> set[bytes]:
    """Return the top-level modules that the text's import lines name: a guess, without parsing."""
    names: set[bytes] = set()
    for from_name, import_names in _IMPORT.findall(source):
        parts = [from_name] if from_name else import_names.split(b",")
        names.update(part.split(b" as ")[0].split(b".")[0].strip() for part in parts)
    return names


@dataclass(slots=True)
class Binary:
    """A compiled program, in a memory file. Its owner closes it.

    runtime: what runs it, None if it runs by itself. extra_arguments: those after the runtime's
    own.
    """

    descriptor: int
    runtime: Runtime | None = None
    extra_arguments: tuple[str, ...] = field(default=())

    def close(self) -> None:
        """Close the memory file."""
        os.close(self.descriptor)
