"""Files in memory: how programs, inputs and jobs reach a child without a disk."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from typing import Any

from . import codec

MEMORY_FILE = os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING
_SEALED = 0x1 | 0x2 | 0x4 | 0x8


def memory_file(data: bytes, name: str = "input") -> int:
    """A sealed file in memory: nobody can change it, and nobody needs a disk for it."""
    descriptor = os.memfd_create(name, MEMORY_FILE)
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALED)
    return descriptor


def reopened(descriptor: int) -> int:
    """The same memory file with an offset of its own, for reading only.

    A duplicate would share the offset with every other run of the same test. Its times are set
    back: when the last run read it is word from that run, and could be made to say anything.
    """
    os.utime(descriptor, ns=(0, 0))
    return os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY | os.O_CLOEXEC)


def job_text(job: Mapping[str, Any]) -> bytes:
    """A job for a call (call.py says what it holds) as a child reads it; arguments through the
    typed codec."""
    plain = {**job, "args": codec.to_json(job["args"]), "kwargs": codec.to_json(job["kwargs"])}
    return json.dumps(plain).encode()


def call_job(job: Mapping[str, Any]) -> int:
    """A memory file with a job for ``run_call``."""
    return memory_file(job_text(job), "arguments")
