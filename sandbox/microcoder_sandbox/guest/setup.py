"""The child gives up all rights before its program runs.

``plan_confinement`` alone runs before the fork, in the server.

What runs after the fork touches as little memory as it can: each page that it touches is copied,
and that is most of what a test costs.
"""

from __future__ import annotations

import gc
import mmap
import os
from collections.abc import Callable, Iterable
from resource import RLIMIT_AS, RLIMIT_CPU, RLIMIT_NOFILE, getrlimit, setrlimit

from microcoder_sandbox.kernel import syscalls
from microcoder_sandbox.kernel.seccomp import Filter
from microcoder_sandbox.wire import protocol
from microcoder_sandbox.wire.light_record import LightRecord
from microcoder_sandbox.wire.protocol import Descriptors, Request

# Its number (Notes.step), a function, its arguments.
Step = tuple[int, Callable[..., object], tuple[object, ...]]

SETUP_FAILED = 97  # the exit status of a child that never ran its program
# Address space above the limit: for a large thread stack, or for the libraries of a compiler.
ADDRESS_SPACE_MARGIN = 1 << 30
BUILD_ADDRESS_SPACE_MARGIN = 512 << 20
LAST_DESCRIPTOR = 1024  # above RLIMIT_NOFILE of the server
MIN_OPEN_FILES, MAX_OPEN_FILES = 64, 512  # what a server needs, and the most it uses
OPEN_FILES = min(MAX_OPEN_FILES, getrlimit(RLIMIT_NOFILE)[0] % (1 << 64))  # -1: no limit
# Where a child has the pipes of a batch, and its job: below RLIMIT_NOFILE, and far from the first
# numbers, which programs try.
GO, DONE, JOB = range(OPEN_FILES - 32, OPEN_FILES - 29)


class ChildContext(LightRecord):
    """What the server prepared before the fork and each child needs.

    address_space: bytes of address space that the interpreter takes.
    domain, system_calls: what enters Landlock and loads the filter, None where that layer is left
        out.
    setup_notes: a shared page that records what happens before the program's first line. It is
        unmapped before that line runs; otherwise a program could pass off a wrong answer as a
        failure of the sandbox.
    run_notes: the shared page for what comes after. A program gains nothing by writing there.
    reseed: seeds the random generators that do not notice a fork.
    rlimits: whether to set limits.
    """

    address_space: int
    domain: syscalls.PreparedCall | None
    system_calls: Filter | None
    setup_notes: mmap.mmap
    run_notes: mmap.mmap
    reseed: Callable[[], object] | None
    rlimits: bool


def plan_confinement(
    request: Request,
    context: ChildContext,
    parent: int,
    arrange_descriptors: Callable[[Descriptors], None] | None = None,
) -> list[Step]:
    """Return the calls by which a child permanently gives up what its program does not need.

    The server makes this list before the fork; a child that made it would copy memory pages.
    arrange_descriptors: closes all others, by default those that the request does not name.
    """
    descriptors = request.descriptors
    steps: list[Step] = [
        # The request's descriptors are above 2, since 0 to 2 are always open.
        (protocol.PLACING_STREAMS, os.dup2, (descriptors.stdin, 0)),
        (protocol.PLACING_STREAMS, os.dup2, (descriptors.stdout, 1)),
        (protocol.PLACING_STREAMS, os.dup2, (descriptors.stderr, 2)),
    ]
    if parent != 1:  # when process 1 ends, the kernel ends its whole pid namespace
        steps.append((protocol.TYING_LIFE, _die_with, (parent,)))
    if context.rlimits:
        margin = (
            BUILD_ADDRESS_SPACE_MARGIN if request.mode == protocol.BUILD else ADDRESS_SPACE_MARGIN
        )
        # Only a backstop: the host's limit decides, by what the host measures.
        address_space = context.address_space + request.memory_bytes + margin
        for resource, limits in (
            (RLIMIT_AS, (address_space, address_space)),
            (RLIMIT_CPU, (request.cpu_seconds, request.cpu_seconds + 1)),
        ):
            steps.append((protocol.SETTING_LIMITS, setrlimit, (resource, limits)))
    if context.domain is not None:
        # Before the descriptor of the ruleset is closed.
        steps.append((protocol.ENTERING_LANDLOCK, context.domain.make, ()))
    if arrange_descriptors is not None:
        steps.append((protocol.CLOSING_FILES, arrange_descriptors, (descriptors,)))
    else:
        steps += _plan_closing(descriptors)
    if context.system_calls is not None:
        # Last: it forbids undoing the others.
        steps.append((protocol.LOADING_FILTER, context.system_calls.load, ()))
    return steps


def _plan_closing(descriptors: Descriptors) -> list[Step]:
    """Return the calls that close all but the standard streams and what the request names."""
    open_descriptors = [descriptor for descriptor in descriptors[3:] if descriptor >= 0]
    steps: list[Step] = []
    moves = (descriptors.go, GO), (descriptors.done, DONE), (descriptors.job, JOB)
    for descriptor, number in moves:
        if descriptor >= 0:
            steps.append((protocol.CLOSING_FILES, os.dup2, (descriptor, number)))
            open_descriptors.remove(descriptor)
            open_descriptors.append(number)
    lowest = 3
    for descriptor in (*sorted(open_descriptors), LAST_DESCRIPTOR):
        if descriptor > lowest:
            steps.append((protocol.CLOSING_FILES, os.closerange, (lowest, descriptor)))
        lowest = descriptor + 1
    return steps


def _die_with(parent: int) -> None:
    syscalls.die_with_parent(parent_alive=os.getppid() == parent)


def confine(steps: Iterable[Step], setup_notes: mmap.mmap) -> None:
    """Take the steps of ``plan_confinement``, in the child.

    A failure ends the process with SETUP_FAILED, and the step and errno in ``setup_notes``: such a
    child never runs the program.
    """
    try:
        for step in steps:
            _number, function, arguments = step
            function(*arguments)
    except (OSError, ValueError) as error:  # ValueError: a limit above the hard one
        setup_notes[protocol.STEP] = step[0]
        setup_notes[protocol.ERRNO] = min(getattr(error, "errno", None) or 255, 255)
        os._exit(SETUP_FAILED)


def finish_setup(context: ChildContext) -> None:
    """Take the last steps before the program's first line, in a confined child."""
    if context.reseed is not None:
        context.reseed()
    context.setup_notes[protocol.PHASE] = protocol.RUNNING
    context.setup_notes.close()  # unmapped for ever: nothing else refers to that memory
    gc.enable()
