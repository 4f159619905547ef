"""In host, server and guest: system calls that Python has no function for, by ctypes.

Errors are raised as OSError with the kernel's errno. The fork server imports this module, so it
imports nothing heavy.
"""

from __future__ import annotations

import ctypes
import os

MACHINE = os.uname().machine
# The calls that the fork server makes, on x86-64 and on aarch64. All that programs may make are in
# syscall_numbers.py, which only the host loads.
NUMBERS = {
    "execveat": (322, 281),
    "getpid": (39, 172),
    "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "pivot_root": (155, 41),
    "seccomp": (317, 277),
    "umount2": (166, 39),
    "unshare": (272, 97),
}
NR = {name: numbers[MACHINE != "x86_64"] for name, numbers in NUMBERS.items()}

_libc = ctypes.CDLL(None, use_errno=True)
raw_syscall = _libc.syscall
raw_syscall.restype = ctypes.c_long
_prctl = _libc.prctl
_prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4

_MNT_DETACH = 2

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


def make_error(call_name: str) -> OSError:
    """Return the OSError of the call that has just failed, with the call's name."""
    number = ctypes.get_errno()
    return OSError(number, f"{call_name}: {os.strerror(number)}")


def syscall(name: str, *arguments: int | bytes | str | None, target: str = "") -> int:
    """Make the system call of that name in NR. bytes, a path or other text: what the kernel reads
    at the argument's address. Raises OSError with the name and the target."""
    data = [os.fsencode(one) if isinstance(one, str) else one for one in arguments]
    c_arguments = [ctypes.c_long(one) if isinstance(one, int) else one for one in data]
    result = int(raw_syscall(ctypes.c_long(NR[name]), *c_arguments))
    if result < 0:
        raise make_error(f"{name} {target}".rstrip())
    return result


class PreparedCall:
    """A system call whose arguments are there before a fork: to allocate them in a child would copy
    memory pages."""

    def __init__(self, name: str, *arguments: object) -> None:
        """Prepare the call of that name in NR, with arguments of ctypes."""
        self._name = name
        self._arguments = (ctypes.c_long(NR[name]), *arguments)

    def make(self) -> None:
        """Make the call. Raises OSError."""
        if raw_syscall(*self._arguments) < 0:
            raise make_error(self._name)


def prctl(option: int, value: int) -> None:
    """prctl(2); raises OSError."""
    if _prctl(option, value, 0, 0, 0) < 0:
        raise make_error(f"prctl({option})")


def die_with_parent(parent_alive: bool) -> None:
    """Make the kernel send SIGKILL when the parent dies (prctl(2), PR_SET_PDEATHSIG).

    A change of credentials clears this. The parent must be single-threaded: the signal comes when
    the *thread* that forked us ends. parent_alive: False ends this process at once.
    """
    prctl(PR_SET_PDEATHSIG, 9)
    if not parent_alive:
        os._exit(0)


def pivot_root(folder: str) -> None:
    """Make ``folder`` the root and unmount the old one (pivot_root(2), "." over ".")."""
    os.chdir(folder)
    syscall("pivot_root", ".", ".")
    unmount(".")
    os.chdir("/")


def unmount(target: str) -> None:
    """Detach a mount; it ends when nobody uses it (umount2(2)). Raises OSError."""
    syscall("umount2", target, _MNT_DETACH, target=target)


class _CapabilityHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


def drop_capabilities() -> None:
    """Give up every capability, from the bounding set too, for ever (capabilities(7))."""
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    for capability in range(64):
        if _prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0:
            break  # EINVAL: this kernel has no more; EPERM: we may not drop any
    header = _CapabilityHeader(0x20080522, 0)
    no_capabilities = (ctypes.c_uint32 * 6)()
    if _libc.capset(ctypes.byref(header), ctypes.byref(no_capabilities)) < 0:
        raise make_error("capset")
