"""How a toolchain makes what its later runs use: precompiled headers, archives of classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from microcoder_sandbox.frozen_records import record

PREPARED = "prepared"  # the folder that a recipe's command fills
SOURCES = "sources.d"  # a file in it: what the compiler read, as gcc -MD writes it


@record
class Recipe:
    """How one thing is made. name: for people. toolchain: a name of TOOLCHAINS. files: {name:
    text}. command: the compiler's arguments; it writes into the folder PREPARED.
    """

    name: str
    toolchain: str
    command: tuple[str, ...]
    files: Mapping[str, str] = field(default_factory=dict)
