"""In server and guest: load a seccomp filter into this process, for ever (seccomp(2))."""

from __future__ import annotations

import ctypes
import os
import struct

from . import syscalls

_SET_MODE_FILTER = 1
_PID = struct.Struct("<I")


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))


class Filter:
    """A filter ready to load: everything is allocated before the fork.

    pid_offsets: where in it the number of the process that loads it is written.
    """

    def __init__(
        self, code: bytes, pid_offsets: tuple[int, ...] = (), call_name: str = "seccomp"
    ) -> None:
        """Prepare the system call of that name (in the warm-up a harmless one)."""
        self._buffer = ctypes.create_string_buffer(code, len(code))
        self._program = _Program(len(code) // 8, ctypes.addressof(self._buffer))
        self._pid_offsets = pid_offsets
        self._call = syscalls.PreparedCall(
            call_name,
            ctypes.c_long(_SET_MODE_FILTER),
            ctypes.c_long(0),
            ctypes.byref(self._program),
        )

    def load(self) -> None:
        """Take effect from here on. Raises OSError."""
        for offset in self._pid_offsets:
            _PID.pack_into(self._buffer, offset, os.getpid())
        self._call.make()
