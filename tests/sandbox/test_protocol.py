"""Messages between host and fork server: what is encoded is decoded, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_sandbox.wire import protocol
from microcoder_sandbox.wire.protocol import ABSENT, Descriptors, Exit, Notes, Request, ServerConfig

REPORT = Exit(9, 1_000, 2_000, 30_000, Notes(protocol.RUNNING, protocol.FLAG_EXIT, 3, 13))
HEAVY_MODULES = {"re", "typing", "dataclasses", "inspect", "enum", "json"}
# What only programs need that are called: servers of scripts do without.
CALLING_MODULES = {"microcoder_sandbox.guest.calling", "microcoder_sandbox.wire.codec"}


@given(
    st.sets(st.sampled_from(Descriptors._fields)),
    st.integers(0, 31),
    st.integers(0, 2**32 - 1),
    st.integers(0, 2**64 - 1),
)
def test_descriptors_arrive_under_the_names_they_were_sent_under(
    names: set[str], traits: int, cpu_seconds: int, memory_bytes: int
) -> None:
    descriptors = Descriptors(**{name: 100 + number for number, name in enumerate(sorted(names))})
    request = Request(protocol.CALL, traits, cpu_seconds, memory_bytes, descriptors)
    received = [
        descriptor + 1000 for descriptor in descriptors.list_present()
    ]  # the kernel renumbers
    decoded = Request.decode(request.encode(), received)
    assert decoded == request._replace(
        descriptors=Descriptors(*[fd + 1000 if fd != ABSENT else ABSENT for fd in descriptors])
    )


def test_a_configuration_arrives_as_it_was_sent() -> None:
    config = ServerConfig(
        path=["/lib"],
        packages={"numpy": "/numpy"},
        preload=["math"],
        calls_functions=True,
        readable=["/r"],
        executable=["/x"],
        mounts=[("show", "/r")],
        uid=None,
        without=["uid"],
        folder="",
        folder_bytes=0,
        server_filter=b"server",
        program_filter=(b"program", (4, 12)),
        host_pid=1,
    )
    assert ServerConfig.decode(config.encode()) == config


def test_baseline_and_layers_arrive() -> None:
    layers = {"seccomp": protocol.HELD, "uid": "[Errno 1] not permitted: a\tb"}
    assert protocol.decode_ready(protocol.encode_ready(5, layers)) == (5, layers)


def test_an_exit_report_has_one_size() -> None:
    message = REPORT.encode()
    assert Exit.decode(message) == REPORT
    for malformed in (message[:-1], message + b"\0", protocol.EXIT, b""):
        with pytest.raises(ValueError, match="no report"):
            Exit.decode(malformed)


def test_the_fork_server_itself_imports_nothing_heavy() -> None:
    source = "import sys, microcoder_sandbox.server.main; print(*sys.modules)"
    root = Path(protocol.__file__).parents[2]  # -S leaves out where packages are installed
    process = subprocess.run(
        [sys.executable, "-S", "-c", source],
        cwd=root, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert not (HEAVY_MODULES | CALLING_MODULES).intersection(process.stdout.split())
