"""Levels of the sandbox as parameters of fixtures, and a sandbox held at one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from microcoder_sandbox import Sandbox, SandboxUnavailableError, ServerKey, make_plan


def levels(highest: int, *others: int) -> list[Any]:
    """The highest for the default tier, the others marked `sandbox`."""
    return [highest, *(pytest.param(level, marks=pytest.mark.sandbox) for level in others)]


@contextmanager
def open_sandbox(level: int) -> Iterator[Sandbox]:
    """A sandbox at that level, warm. Skips the test where this machine has no such level."""
    plan = make_plan(("numpy", "sortedcontainers"), min_level=level, max_level=level)
    with Sandbox(plan) as sandbox:
        try:
            sandbox.servers.get_or_start(ServerKey("lean"))
        except SandboxUnavailableError as error:
            pytest.skip(f"level {level} is not to be had on this machine: {error}")
        yield sandbox
