"""A sandbox per level and test process, warm, shared by the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from microcoder_sandbox.host.outcome import Outcome, ResourceLimits
from microcoder_sandbox.host.sandbox import Sandbox
from tests.levels import levels, open_sandbox, run_program

LIMITS = ResourceLimits(
    cpu_seconds=1.0, wall_seconds=20.0, memory_bytes=256 << 20, output_bytes=1 << 20
)
Runner = Callable[..., Outcome]


@pytest.fixture(params=levels(4, 3), scope="session")
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """A running sandbox at level 4 and at level 3."""
    with open_sandbox(request.param) as sandbox:
        yield sandbox


@pytest.fixture
def run(sandbox: Sandbox) -> Runner:
    """Run a program in the sandbox: run(source, stdin=b"", limits=LIMITS)."""

    def runner(source: str | bytes, stdin: bytes = b"", limits: ResourceLimits = LIMITS) -> Outcome:
        return run_program(sandbox, source, stdin, limits)

    return runner
