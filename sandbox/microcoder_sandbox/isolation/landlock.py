"""Landlock: which files a program may see, and a domain of its own (landlock(7)).

Two rulesets: FILES, once, in the fork server (reading the named folders, nothing else), and a
fresh, tiny domain in each child, so that no child can trace or signal the server or another.
At most 16 domains can be stacked; a child stacks exactly two.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable

from . import kernel

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, MAKE_SYM = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 12
REMOVE_DIR, REMOVE_FILE, MAKE_DIR, MAKE_REG = 1 << 4, 1 << 5, 1 << 7, 1 << 8
REFER, TRUNCATE = 1 << 13, 1 << 14  # ABI 2, ABI 3
_OWN_FOLDER = (
    WRITE_FILE | READ_FILE | READ_DIR | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG
    | REFER | TRUNCATE
)  # fmt: skip
_FS_BY_ABI = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
_NET_ALL = 3  # bind and connect, ABI 4
_SCOPE_ALL = 3  # abstract unix sockets and signals, ABI 6
_RULE_PATH_BENEATH = 1


def abi() -> int:
    """The version this kernel offers; 0 where there is none."""
    try:
        return kernel.syscall(
            "landlock_create_ruleset", kernel.NR["landlock_create_ruleset"], None, 0, 1
        )
    except (OSError, KeyError):
        return 0


def _create(version: int, files: int, network: int, scoped: int) -> int:
    size = 8 if version < 4 else (16 if version < 6 else 24)
    attribute = ctypes.create_string_buffer(struct.pack("<QQQ", files, network, scoped))
    return kernel.syscall(
        "landlock_create_ruleset", kernel.NR["landlock_create_ruleset"], attribute, size, 0
    )


def _allow(ruleset: int, path: str, access: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # named but not there: nothing to grant
    try:
        rule = ctypes.create_string_buffer(struct.pack("<Qi", access, descriptor))
        kernel.syscall(
            f"landlock_add_rule {path}",
            kernel.NR["landlock_add_rule"],
            ruleset,
            _RULE_PATH_BENEATH,
            rule,
            0,
        )
    finally:
        os.close(descriptor)


def _handled_files(version: int) -> int:
    return _FS_BY_ABI[max(v for v in _FS_BY_ABI if v <= version)]


def files_ruleset(
    readable: Iterable[str],
    listable: Iterable[str],
    writable: Iterable[str],
    executable: Iterable[str] = (),
    folder: str | None = None,
) -> int:
    """A ruleset descriptor: read below ``readable``, list ``listable``, read and write
    ``writable`` files (the null device), start what lies below ``executable``, and do as one
    likes in ``folder``. Raises OSError."""
    version = abi()
    handled = _handled_files(version)
    ruleset = _create(version, handled, _NET_ALL if version >= 4 else 0, 0)
    for path in readable:
        _allow(ruleset, path, READ_FILE | READ_DIR if os.path.isdir(path) else READ_FILE)
    for path in listable:
        _allow(ruleset, path, READ_DIR)
    for path in writable:
        _allow(ruleset, path, READ_FILE | WRITE_FILE)
    for path in executable:
        _allow(ruleset, path, READ_FILE | EXECUTE)
    if folder is not None:
        _allow(ruleset, folder, _OWN_FOLDER & handled)
    return ruleset


class Domain:
    """A ruleset that only makes a new domain, ready to be entered after a fork.

    Signals, tracing and abstract sockets stay inside it.
    """

    def __init__(self) -> None:
        version = abi()
        if version >= 6:
            ruleset = _create(version, 0, 0, _SCOPE_ALL)
        else:
            ruleset = _create(version, MAKE_SYM, 0, 0)  # one right is due; it is refused anyway
        number = kernel.NR["landlock_restrict_self"]
        # Converted once: what ctypes need not make in the child costs it no page.
        self._call = (ctypes.c_long(number), ctypes.c_long(ruleset), ctypes.c_long(0))

    def enter(self) -> None:
        """Enter a fresh domain, for ever. Needs no_new_privs. Raises OSError."""
        if kernel._syscall(*self._call) < 0:
            raise kernel.fail("landlock_restrict_self")


def enter(ruleset: int) -> None:
    """Enter the ruleset's domain, for ever. Needs no_new_privs. Raises OSError."""
    kernel.syscall("landlock_restrict_self", kernel.NR["landlock_restrict_self"], ruleset, 0)
