"""In the server: Landlock (landlock(7)), which files a program sees, and a domain for each child.

The host asks for its version; each child makes a call that is prepared here.

The fork server enters one ruleset that grants the named files and folders. Each child also enters a
small domain of its own, so that it cannot trace the server or another child, nor (from ABI 6)
signal them or connect to their abstract sockets.
The kernel stacks at most 16 domains; a child has these two.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable

from . import syscalls

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, MAKE_SYM = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 12
REMOVE_DIR, REMOVE_FILE, MAKE_DIR, MAKE_REG = 1 << 4, 1 << 5, 1 << 7, 1 << 8
REFER, TRUNCATE = 1 << 13, 1 << 14  # ABI 2, ABI 3
_FOLDER_RIGHTS = (
    WRITE_FILE | READ_FILE | READ_DIR | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG
    | REFER | TRUNCATE
)  # fmt: skip
_FS_BY_ABI = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
_NET_ALL = 3  # bind and connect, ABI 4
_SCOPE_ALL = 3  # abstract unix sockets and signals, ABI 6
_RULE_PATH_BENEATH = 1


def get_abi_version() -> int:
    """Return the version of Landlock in this kernel, 0 if it has none."""
    try:
        return syscalls.syscall("landlock_create_ruleset", None, 0, 1)
    except OSError:
        return 0


def _create_ruleset(version: int, file_rights: int, network_rights: int, scopes: int) -> int:
    size = 8 if version < 4 else (16 if version < 6 else 24)
    attribute = struct.pack("<QQQ", file_rights, network_rights, scopes)
    return syscalls.syscall("landlock_create_ruleset", attribute, size, 0)


def _add_path_rule(ruleset: int, path: str, access: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # a path that does not exist
    try:
        rule = struct.pack("<Qi", access, descriptor)
        syscalls.syscall("landlock_add_rule", ruleset, _RULE_PATH_BENEATH, rule, 0, target=path)
    finally:
        os.close(descriptor)


def create_file_ruleset(
    readable: Iterable[str],
    listable: Iterable[str],
    executable: Iterable[str],
    folder: str | None,
) -> int:
    """Return the descriptor of a ruleset: read what is in ``readable``, list ``listable`` (imports
    list a folder before they open a file), start what is in ``executable``, write in ``folder``,
    and read and write the null device.

    Raises OSError.
    """
    version = get_abi_version()
    handled_rights = _FS_BY_ABI[max(v for v in _FS_BY_ABI if v <= version)]
    ruleset = _create_ruleset(version, handled_rights, _NET_ALL if version >= 4 else 0, 0)
    for path in readable:
        _add_path_rule(ruleset, path, READ_FILE | READ_DIR if os.path.isdir(path) else READ_FILE)
    for path in listable:
        _add_path_rule(ruleset, path, READ_DIR)
    _add_path_rule(ruleset, "/dev/null", READ_FILE | WRITE_FILE)
    for path in executable:
        _add_path_rule(ruleset, path, READ_FILE | EXECUTE)
    if folder is not None:
        _add_path_rule(ruleset, folder, _FOLDER_RIGHTS & handled_rights)
    return ruleset


def prepare_domain() -> syscalls.PreparedCall:
    """Return the call that enters a new domain for ever. The domain forbids no file.

    Tracing cannot leave the domain; from ABI 6, signals and abstract sockets cannot either. The
    call needs no_new_privs. Raises OSError.
    """
    version = get_abi_version()
    if version >= 6:
        ruleset = _create_ruleset(version, 0, 0, _SCOPE_ALL)
    else:
        # A ruleset must handle at least one right; MAKE_SYM costs nothing, as seccomp refuses
        # symlinks.
        ruleset = _create_ruleset(version, MAKE_SYM, 0, 0)
    return syscalls.PreparedCall("landlock_restrict_self", ctypes.c_long(ruleset), ctypes.c_long(0))


def enter(ruleset: int) -> None:
    """Enter the ruleset for ever. Needs no_new_privs. Raises OSError."""
    syscalls.syscall("landlock_restrict_self", ruleset, 0)
