"""Kinds of fork server: what each has imported, which system calls and files it is given."""

from __future__ import annotations

from dataclasses import dataclass

from . import policy

LEAN, CALLS, STANDARD, NUMPY, TESTS = "lean", "calls", "standard", "numpy", "tests"
CHECKER, NATIVE, COMPILER = "checker", "native", "compiler"
# The same as NATIVE on a server of its own, which never runs solutions.
NATIVE_CHECKER = "native checker"
HOST = (
    "host"  # of programs that run in another: COMPILER and HOST are followed by a toolchain's name
)

_LEAN_MODULES = "sys os io math itertools functools collections heapq bisect operator array time"
_STANDARD_MODULES = (
    f"{_LEAN_MODULES} typing re string random copy json datetime decimal fractions statistics "
    "dataclasses threading queue enum contextlib struct linecache traceback"
)
_SERVING = "microcoder_sandbox.rpc_candidate"
_TURNS = "microcoder_sandbox.batch.turns"
_TOOLS = "json microcoder_sandbox.tools"


@dataclass(frozen=True, slots=True)
class Flavour:
    """preload: modules imported before the first fork. role: of policy.py."""

    preload: str
    role: str = policy.PLAIN


FLAVOURS = {
    LEAN: Flavour(f"math itertools functools collections heapq bisect operator time {_TURNS}"),
    CALLS: Flavour(f"{_LEAN_MODULES} typing re string copy {_SERVING} {_TURNS}"),
    STANDARD: Flavour(f"{_STANDARD_MODULES} {_SERVING} {_TURNS}"),
    NUMPY: Flavour(f"{_STANDARD_MODULES} {_SERVING} numpy numpy.random", policy.NUMPY),
    TESTS: Flavour(f"{_STANDARD_MODULES} microcoder_sandbox.rpc_tests"),
    CHECKER: Flavour(f"{_STANDARD_MODULES} {_SERVING}"),
    NATIVE: Flavour(_TOOLS, policy.NATIVE),
    NATIVE_CHECKER: Flavour(_TOOLS, policy.NATIVE),
    HOST: Flavour(_TOOLS, policy.HOST),
    COMPILER: Flavour(f"{_TOOLS} zipfile", policy.COMPILER),
}

_KNOWN_LEAN = frozenset(f"{_LEAN_MODULES} __future__ builtins _thread errno".encode().split())
_KNOWN_CALLS = _KNOWN_LEAN | {b"typing", b"re", b"string", b"copy"}


def named(name: str) -> tuple[Flavour, str]:
    """The flavour of a server's name, and the toolchain it is for ("": none)."""
    if name in FLAVOURS:
        return FLAVOURS[name], ""
    kind, _, toolchain = name.partition(" ")
    return FLAVOURS[kind], toolchain


def for_imports(names: set[bytes], source: bytes, *, numpy: bool) -> tuple[str, str]:
    """The leanest flavours that have what a program imports: (as a script, for calls)."""
    if numpy and b"numpy" in names:
        return NUMPY, NUMPY
    script = LEAN if names <= _KNOWN_LEAN else STANDARD
    lean_calls = names <= _KNOWN_CALLS and b"random" not in source
    return script, CALLS if lean_calls else STANDARD
