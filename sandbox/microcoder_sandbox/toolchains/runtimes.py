"""The record of what starts a compiled program (Java, JavaScript, PyPy); flags are the caller's."""

from __future__ import annotations

from microcoder_sandbox.frozen_records import record


@record
class Runtime:
    """How a toolchain's runtime runs a program.

    arguments: "{program}" stands for the program's path, "{memory}" for the limit in MiB.
    idle_arguments: make it start and end without a program.
    address_bytes: address space that it reserves and does not use.
    out_of_memory_report: how the report begins that it prints before it ends itself by SIGABRT, and
        a pattern of what stands in it when its heap is full; empty if it does so for a full heap
        only.
    """

    toolchain: str
    arguments: tuple[str, ...]
    idle_arguments: tuple[str, ...]
    address_bytes: int
    out_of_memory_report: tuple[bytes, bytes] = (b"", b"")
