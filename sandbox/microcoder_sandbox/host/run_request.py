"""The record of a run to be made."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import NamedTuple

from microcoder_sandbox.wire.protocol import Descriptors

from .outcome import ResourceLimits
from .programs import Runtime


class ServerKey(NamedTuple):
    """Which fork server: its profile, and how many bytes its programs may write to a folder."""

    profile: str
    folder_bytes: int = 0


@dataclass(slots=True)
class RunRequest:
    """A run to be made (``requests`` makes them). To be run once, or closed.

    mode, traits: of protocol.py. descriptors: what the child gets; no standard input means an empty
    one. runtime: what runs the program; its own share comes on top of ``limits``.
    owned_fds: descriptors to close after the run.
    """

    key: ServerKey
    mode: int
    descriptors: Descriptors
    limits: ResourceLimits
    traits: int = 0
    runtime: Runtime | None = None
    owned_fds: list[int] = field(default_factory=list)

    def close(self) -> None:
        """Close the descriptors that it owns."""
        while self.owned_fds:
            os.close(self.owned_fds.pop())
