"""Memory files: how programs, inputs and jobs reach a child without a disk."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

MEMFD_FLAGS = os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING
_ALL_SEALS = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE


def make_sealed_memfd(data: bytes, name: str = "input") -> int:
    """Return a sealed file in memory with this content: nobody can change it."""
    with close_on_error() as owned_fds:
        owned_fds.append(descriptor := os.memfd_create(name, MEMFD_FLAGS))
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        seal_memfd(descriptor)
    return descriptor


@contextmanager
def close_on_error() -> Iterator[list[int]]:
    """Lend a list for descriptors, which are closed if the block raises; otherwise the caller has
    them."""
    owned_fds: list[int] = []
    try:
        yield owned_fds
    except BaseException:
        for descriptor in owned_fds:
            os.close(descriptor)
        raise


def seal_memfd(descriptor: int) -> None:
    """Seal a memory file: nobody can change it."""
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _ALL_SEALS)


def reopen_memfd(descriptor: int) -> int:
    """Return the same memory file, opened for reading with an offset of its own.

    A duplicate would share its offset with every other run of the same test. The file's timestamps
    are reset; otherwise a run could pass a message to the next one through its time of access.
    """
    os.utime(descriptor, ns=(0, 0))
    return os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY | os.O_CLOEXEC)
