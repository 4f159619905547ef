"""Tests of the trainer need torch and transformers: the extra ``train``."""

from __future__ import annotations

import os

# Before torch is imported: two cores are shared with other test processes.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
