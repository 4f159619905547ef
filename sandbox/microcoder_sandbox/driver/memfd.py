"""Files in memory: how programs, inputs and jobs reach a child without a disk."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from typing import Any

from microcoder_sandbox import codec

MEMFD_FLAGS = os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING
_ALL_SEALS = 0x1 | 0x2 | 0x4 | 0x8


def sealed_memfd(data: bytes, name: str = "input") -> int:
    """A sealed file in memory with this content: nobody can change it."""
    descriptor = os.memfd_create(name, MEMFD_FLAGS)
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _ALL_SEALS)
    return descriptor


def reopen_memfd(descriptor: int) -> int:
    """The same memory file, opened for reading with an offset of its own.

    A duplicate would share its offset with every other run of the same test. The file's times are
    reset: a run could pass a message to the next one by when it reads the file.
    """
    os.utime(descriptor, ns=(0, 0))
    return os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY | os.O_CLOEXEC)


def encode_job(job: Mapping[str, Any]) -> bytes:
    """The bytes of a call's job (call.py says what it holds); arguments go through the codec."""
    json_job = {**job, "args": codec.to_json(job["args"]), "kwargs": codec.to_json(job["kwargs"])}
    return json.dumps(json_job).encode()


def create_job_memfd(job: Mapping[str, Any]) -> int:
    """A memory file with a job for ``make_call_request``."""
    return sealed_memfd(encode_job(job), "arguments")
