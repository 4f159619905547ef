"""Files in memory: how programs, inputs and jobs reach a child without a disk."""

from __future__ import annotations

import fcntl
import os
from typing import Any

from microcoder_sandbox.wire import plain_json

MEMFD_FLAGS = os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING
_ALL_SEALS = 0x1 | 0x2 | 0x4 | 0x8


def sealed_memfd(data: bytes, name: str = "input") -> int:
    """Return a sealed file in memory with this content: nobody can change it."""
    descriptor = os.memfd_create(name, MEMFD_FLAGS)
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _ALL_SEALS)
    return descriptor


def reopen_memfd(descriptor: int) -> int:
    """Return the same memory file, opened for reading with an offset of its own.

    A duplicate would share its offset with every other run of the same test. The file's times are
    reset: a run could pass a message to the next one by when it reads the file.
    """
    os.utime(descriptor, ns=(0, 0))
    return os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY | os.O_CLOEXEC)


def encode_job(job: dict[str, Any]) -> bytes:
    """Return the bytes of a call's job (call.py says what it holds); args and kwargs are as
    ``codec.to_json`` writes them."""
    return plain_json.dumps(job)
