"""Levels of the sandbox as parameters of fixtures."""

from __future__ import annotations

from typing import Any

import pytest


def levels(highest: int, *others: int) -> list[Any]:
    """The highest for the default tier, the others marked `sandbox`."""
    return [highest, *(pytest.param(level, marks=pytest.mark.sandbox) for level in others)]
