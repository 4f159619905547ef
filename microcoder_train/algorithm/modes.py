"""Names of the modes of the loss. A module without torch: settings are read without it."""

from __future__ import annotations

from typing import Literal

Aggregation = Literal[
    "token-mean", "seq-mean-token-mean", "seq-mean-token-sum", "seq-mean-token-sum-norm"
]
Correction = Literal["off", "token_truncate", "sequence_mask"]
