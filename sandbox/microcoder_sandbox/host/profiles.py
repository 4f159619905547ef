"""Profiles of fork servers: what each imports, and which system calls its programs may make."""

from __future__ import annotations

from microcoder_sandbox.frozen_records import record
from microcoder_sandbox.kernel import policy

LEAN, CALLS, STANDARD, TESTS = "lean", "calls", "standard", "tests"
NUMPY, NUMPY_STANDARD = "numpy", "numpy standard"
NATIVE, RUNTIME, COMPILER = "native", "runtime", "compiler"

_LEAN_MODULES = "sys os io math itertools functools collections heapq bisect operator array time"
_CALLS_MODULES = f"{_LEAN_MODULES} typing re string copy"
_STANDARD_MODULES = (
    f"{_LEAN_MODULES} typing re string random copy json datetime decimal fractions statistics "
    "dataclasses threading queue enum contextlib struct linecache traceback"
)
_RESPONDER = "microcoder_sandbox.guest.responder"
_BATCH_CHILD = "microcoder_sandbox.guest.batch"
_NATIVE_MODULES = "microcoder_sandbox.guest.native"


@record
class ServerProfile:
    """What a kind of fork server has.

    preload: modules imported before the first fork. role: a role of policy.py. calls_functions: see
    ``ServerConfig``.
    """

    preload: str
    role: str = policy.PYTHON
    calls_functions: bool = True


PROFILES = {
    LEAN: ServerProfile(
        f"math itertools functools collections heapq bisect operator time {_BATCH_CHILD}",
        calls_functions=False,
    ),
    CALLS: ServerProfile(f"{_CALLS_MODULES} {_RESPONDER} {_BATCH_CHILD}"),
    STANDARD: ServerProfile(f"{_STANDARD_MODULES} {_RESPONDER} {_BATCH_CHILD}"),
    # Without modules that each fork calls (random, threading), for half a millisecond a child.
    NUMPY: ServerProfile(f"{_CALLS_MODULES} {_RESPONDER} numpy", policy.NUMPY),
    NUMPY_STANDARD: ServerProfile(
        f"{_STANDARD_MODULES} {_RESPONDER} numpy numpy.random", policy.NUMPY
    ),
    TESTS: ServerProfile(f"{_STANDARD_MODULES} microcoder_sandbox.test_runner.runner"),
    NATIVE: ServerProfile(_NATIVE_MODULES, policy.NATIVE, calls_functions=False),
    RUNTIME: ServerProfile(_NATIVE_MODULES, policy.RUNTIME, calls_functions=False),
    COMPILER: ServerProfile(_NATIVE_MODULES, policy.COMPILER, calls_functions=False),
}

_LEAN_IMPORTS = frozenset(f"{_LEAN_MODULES} __future__ builtins _thread errno".encode().split())
_CALLS_IMPORTS = _LEAN_IMPORTS | {b"typing", b"re", b"string", b"copy"}


def choose_profiles(imports: set[bytes], source: bytes, *, numpy: bool) -> tuple[str, str]:
    """Return the leanest profiles that have what a program imports: (for a script, for calls)."""
    others = imports - {b"numpy"}
    uses_standard = b"random" in source or b"datetime" in source  # also without an import
    fits_calls = others <= _CALLS_IMPORTS and not uses_standard
    if numpy and others != imports:
        profile = NUMPY if fits_calls else NUMPY_STANDARD
        return profile, profile
    script_profile = LEAN if imports <= _LEAN_IMPORTS else STANDARD
    fits_calls = fits_calls and others == imports
    return script_profile, CALLS if fits_calls else STANDARD
