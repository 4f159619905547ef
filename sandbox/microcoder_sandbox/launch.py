"""A run, before it is asked for."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from .outcome import ResourceLimits

Key = tuple[str, int]  # a flavour, and how many bytes its programs may write to a folder


@dataclass(slots=True)
class Launch:
    """A run, before it is asked for: on which server, with which descriptors and limits.

    made: descriptors that are closed with it."""

    key: Key
    mode: int
    descriptors: list[int | None]
    limits: ResourceLimits
    traits: int = 0
    made: list[int] = field(default_factory=list)

    def close(self) -> None:
        """Let go of what was made for it."""
        while self.made:
            os.close(self.made.pop())
