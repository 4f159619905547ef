"""Runs a command as a container's default profile would: no new namespaces, few capabilities.

    python tools/container.py [--no-landlock] COMMAND...

Needs root. The filter is that of Docker's default seccomp profile, and the capabilities are those
that Docker leaves. With --no-landlock it is that of an old profile or kernel without Landlock.
"""

from __future__ import annotations

import argparse
import ctypes
import errno
import os
import struct
import sys

_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 22, 2
_LOAD, _IF_EQUAL, _IF_BITS, _RETURN = 0x20, 0x15, 0x45, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_CALL_NUMBER, _FIRST_ARGUMENT = 0, 16  # offsets in struct seccomp_data
_NAMESPACE_FLAGS = 0x7E020000  # of clone(2): user, pid, network, IPC, mount, cgroup, UTS
_X86_64 = {"unshare": 272, "mount": 165, "umount2": 166, "pivot_root": 155, "setns": 308}
_AARCH64 = {"unshare": 97, "mount": 40, "umount2": 39, "pivot_root": 41, "setns": 268}
_NEW_MOUNT_CALLS = (428, 429, 430, 431, 432, 433, 442)  # open_tree ... fspick, mount_setattr
_LANDLOCK_CALLS = (444, 445, 446)
_CLONE3 = 435
CAPABILITIES = (
    "chown,dac_override,fowner,fsetid,kill,setgid,setuid,setpcap,net_bind_service,net_raw,"
    "sys_chroot,mknod,audit_write,setfcap"
)


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)


def filter_program(landlock: bool) -> bytes:
    """Make the seccomp filter as classic BPF."""
    is_arm = os.uname().machine == "aarch64"
    errors = dict.fromkeys((_AARCH64 if is_arm else _X86_64).values(), errno.EPERM)
    errors |= dict.fromkeys(_NEW_MOUNT_CALLS, errno.EPERM)
    errors[_CLONE3] = errno.ENOSYS  # its flags are in memory; libc falls back to clone
    if not landlock:
        errors |= dict.fromkeys(_LANDLOCK_CALLS, errno.ENOSYS)
    program = [_instruction(_LOAD, _CALL_NUMBER)]
    for call, error in errors.items():
        program.append(_instruction(_IF_EQUAL, call, 0, 1))
        program.append(_instruction(_RETURN, _ERRNO | error))
    program += [
        _instruction(_IF_EQUAL, 220 if is_arm else 56, 0, 3),  # clone
        _instruction(_LOAD, _FIRST_ARGUMENT),
        _instruction(_IF_BITS, _NAMESPACE_FLAGS, 0, 1),
        _instruction(_RETURN, _ERRNO | errno.EPERM),
        _instruction(_RETURN, _ALLOW),
    ]
    return b"".join(program)


def load_filter(program: bytes) -> None:
    """Load the filter for this process and its children. Raises OSError."""
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, header, 0, 0) < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"seccomp: {os.strerror(number)}")


def main() -> int:
    """Load the filter, then execute the command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--no-landlock", action="store_true", help="refuse Landlock, too")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if not options.command:
        parser.error("no command")
    try:
        load_filter(filter_program(landlock=not options.no_landlock))
        additions = ",".join(f"+{name}" for name in CAPABILITIES.split(","))
        limits = [f"--bounding-set=-all,{additions}", "--inh-caps=-all"]
        os.execvp("setpriv", ["setpriv", *limits, *options.command])
    except OSError as error:
        print(f"container.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
