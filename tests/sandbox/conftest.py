"""A sandbox per level and test process, warm, shared by the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from microcoder_sandbox.errors import SandboxUnavailableError
from microcoder_sandbox.host.outcome import Outcome, ResourceLimits
from microcoder_sandbox.host.plan import make_plan
from microcoder_sandbox.host.requests import ServerKey, make_script_request
from microcoder_sandbox.host.sandbox import Sandbox
from tests.levels import levels

LIMITS = ResourceLimits(
    cpu_seconds=1.0, wall_seconds=20.0, memory_bytes=256 << 20, output_bytes=1 << 20
)
Runner = Callable[..., Outcome]


@pytest.fixture(scope="session")
def _sandboxes() -> Iterator[dict[int, Sandbox]]:
    sandboxes: dict[int, Sandbox] = {}
    yield sandboxes
    for sandbox in sandboxes.values():
        sandbox.close()


@pytest.fixture(params=levels(4, 3))
def sandbox(request: pytest.FixtureRequest, _sandboxes: dict[int, Sandbox]) -> Sandbox:
    """A running sandbox at level 4 and at level 3; skipped where this machine has no such level."""
    level: int = request.param
    if level not in _sandboxes:
        plan = make_plan(("numpy", "sortedcontainers"), min_level=level, max_level=level)
        _sandboxes[level] = Sandbox(plan)
    try:
        _sandboxes[level].servers.get_or_start(ServerKey("lean"))
    except SandboxUnavailableError as error:
        pytest.skip(f"level {level} is not to be had on this machine: {error}")
    return _sandboxes[level]


@pytest.fixture
def run(sandbox: Sandbox) -> Runner:
    """Run a program in the sandbox: run(source, stdin=b"", limits=LIMITS)."""

    def runner(source: str | bytes, stdin: bytes = b"", limits: ResourceLimits = LIMITS) -> Outcome:
        text = source.encode() if isinstance(source, str) else source
        program = sandbox.prepare_program(text)
        try:
            return sandbox.run(make_script_request(program, stdin, limits))
        finally:
            program.close()

    return runner
