"""Load a seccomp filter into this process, for ever (seccomp(2))."""

from __future__ import annotations

import ctypes

from . import kernel

_SET_MODE_FILTER = 1


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))


class Filter:
    """A filter ready to load: everything is allocated before the fork."""

    def __init__(self, code: bytes, pid_offsets: tuple[int, ...] = ()) -> None:
        self._buffer = ctypes.create_string_buffer(code, len(code))
        self._program = _Program(len(code) // 8, ctypes.addressof(self._buffer))
        self._pid_offsets = pid_offsets
        self._call = (
            ctypes.c_long(kernel.NR["seccomp"]),
            ctypes.c_long(_SET_MODE_FILTER),
            ctypes.c_long(0),
            ctypes.byref(self._program),
        )

    def load(self, pid: int = 0) -> None:
        """Take effect from here on. Raises OSError."""
        for offset in self._pid_offsets:
            ctypes.memmove(ctypes.addressof(self._buffer) + offset, pid.to_bytes(4, "little"), 4)
        if kernel.raw_syscall(*self._call) < 0:
            raise kernel.make_error("seccomp")
