"""The few system calls Python has no function for, by ctypes.

Errors are raised as OSError with the kernel's errno. Imported in the fork server, so nothing
heavy is imported here.
"""

from __future__ import annotations

import ctypes
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType

MACHINE = os.uname().machine
# Those the fork server itself makes; the tables of all of them stay with the driver.
NR = {
    "seccomp": 317 if MACHINE == "x86_64" else 277,
    "landlock_create_ruleset": 444,
    "landlock_add_rule": 445,
    "landlock_restrict_self": 446,
}

_libc = ctypes.CDLL(None, use_errno=True)
_syscall = _libc.syscall
_syscall.restype = ctypes.c_long
_prctl = _libc.prctl
_prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4

CLONE_NEWNS = 0x00020000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000


_compile = ctypes.pythonapi.Py_CompileStringExFlags
_compile.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
_compile.restype = ctypes.py_object
_FILE_INPUT = 257


def compile_program(source: bytes, name: str) -> CodeType:
    """What ``compile(source, name, "exec", dont_inherit=True)`` gives, without its first step.

    The built-in function first asks whether its argument is a syntax tree, and for that makes
    some hundred types: 0.9 ms in every child that compiles. The C function does not ask.
    """
    if b"\x00" in source:
        raise SyntaxError("source code string cannot contain null bytes")
    code: CodeType = _compile(source, os.fsencode(name), _FILE_INPUT, None, -1)
    return code


def fail(what: str) -> OSError:
    """The OSError for the call that has just failed, naming it."""
    number = ctypes.get_errno()
    return OSError(number, f"{what}: {os.strerror(number)}")


def syscall(what: str, number: int, *arguments: int | ctypes.Array[ctypes.c_char] | None) -> int:
    """A raw system call; raises OSError naming ``what``."""
    converted = [
        ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments
    ]
    result = int(_syscall(ctypes.c_long(number), *converted))
    if result < 0:
        raise fail(what)
    return result


def prctl(option: int, value: int = 0, third: int = 0, fourth: int = 0, fifth: int = 0) -> None:
    """prctl(2); raises OSError."""
    if _prctl(option, value, third, fourth, fifth) < 0:
        raise fail(f"prctl({option})")


def die_with(parent_alive: bool) -> None:
    """Ask for SIGKILL when the parent dies (prctl(2), PR_SET_PDEATHSIG).

    To be called after the last change of credentials, which clears it, and only where the
    parent is single-threaded: the signal comes when the *thread* that forked us ends.
    """
    prctl(PR_SET_PDEATHSIG, 9)
    if not parent_alive:
        os._exit(0)


def trim_heap() -> None:
    """Give free memory back to the kernel (malloc_trim(3), where libc has it)."""
    trim = getattr(_libc, "malloc_trim", None)
    if trim is not None:
        trim(0)


def unshare(flags: int) -> None:
    """unshare(2); raises OSError."""
    if _libc.unshare(ctypes.c_int(flags)) < 0:
        raise fail("unshare")


def mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    """mount(2); raises OSError naming the target."""
    result = _libc.mount(
        source.encode(),
        target.encode(),
        kind.encode() if kind else None,
        ctypes.c_ulong(flags),
        data.encode() if data else None,
    )
    if result < 0:
        raise fail(f"mount {target}")


def pivot_to(folder: str) -> None:
    """Make ``folder`` the root and let go of the old one (pivot_root(2), "." over ".")."""
    os.chdir(folder)
    if _libc.syscall(ctypes.c_long(155 if MACHINE == "x86_64" else 41), b".", b".") < 0:
        raise fail("pivot_root")
    unmount(".")
    os.chdir("/")


def unmount(target: str) -> None:
    """Take a mount away as soon as nobody uses it (umount2(2), MNT_DETACH); raises OSError."""
    if _libc.umount2(target.encode(), 2) < 0:
        raise fail(f"umount {target}")


class _CapabilityHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


def drop_capabilities() -> None:
    """Give up every capability, from the bounding set too, for ever (capabilities(7))."""
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    for capability in range(64):
        if _prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0:
            break  # EINVAL: past the last one this kernel has; EPERM: not ours to drop
    header = _CapabilityHeader(0x20080522, 0)
    nothing = (ctypes.c_uint32 * 6)()
    if _libc.capset(ctypes.byref(header), ctypes.byref(nothing)) < 0:
        raise fail("capset")
