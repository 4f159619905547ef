"""The names of ways to compute the loss, without torch: settings are read where it is missing."""

from __future__ import annotations

from typing import Literal

Aggregation = Literal[
    "token-mean", "seq-mean-token-mean", "seq-mean-token-sum", "seq-mean-token-sum-norm"
]
Correction = Literal["off", "token_truncate", "sequence_mask"]
