"""How often the judge tries, the first attempt included. DESIGN.md says who repeats what."""

from __future__ import annotations

from typing import Final

# Not an enum: members with equal numbers would be aliases of each other.
RUN: Final = 3
WORKER_START: Final = 5
TASK: Final = 3
NODE_START: Final = 3
NODE_TASK: Final = 5
ANSWER: Final = 2
