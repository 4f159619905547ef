"""Names of the modes of the loss. This module does not import torch, so that settings can be read
without it."""

from __future__ import annotations

from typing import Literal

Aggregation = Literal[
    "token-mean", "seq-mean-token-mean", "seq-mean-token-sum", "seq-mean-token-sum-norm"
]
Correction = Literal["off", "token_truncate", "sequence_mask"]
