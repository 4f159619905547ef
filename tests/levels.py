"""Levels of the sandbox as parameters of fixtures, and a sandbox held at one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest

from microcoder_sandbox import (
    Outcome,
    ResourceLimits,
    Sandbox,
    SandboxUnavailableError,
    ServerKey,
    make_plan,
    make_script_request,
)


def levels(highest: int, *others: int) -> list[Any]:
    """The highest for the default tier, the others marked `sandbox`."""
    return [highest, *(pytest.param(level, marks=pytest.mark.sandbox) for level in others)]


def at_levels(cases: Iterable[Any], border: Iterable[Any]) -> pytest.MarkDecorator:
    """Parameters ``level`` and ``case``: all cases at level 4, and those at the border at levels 3
    and 2, too, which are marked `sandbox`. For what no level should change."""
    rows = [(4, case) for case in cases]
    rows += [
        pytest.param(level, case, marks=pytest.mark.sandbox) for level in (3, 2) for case in border
    ]
    return pytest.mark.parametrize(("level", "case"), rows, indirect=["level"])


@contextmanager
def open_sandbox(level: int) -> Iterator[Sandbox]:
    """A sandbox at that level, warm. Skips the test where this machine has no such level."""
    plan = make_plan(("numpy", "sortedcontainers"), min_level=level, max_level=level)
    with Sandbox(plan) as sandbox:
        try:
            sandbox.get_or_start(ServerKey("lean"))
        except SandboxUnavailableError as error:
            pytest.skip(f"level {level} is not to be had on this machine: {error}")
        yield sandbox


def run_program(
    sandbox: Sandbox, source: str | bytes, stdin: bytes, limits: ResourceLimits
) -> Outcome:
    """A program's only run."""
    text = source.encode() if isinstance(source, str) else source
    with closing(sandbox.prepare_program(text)) as program:
        return sandbox.run(make_script_request(program, stdin, limits))
