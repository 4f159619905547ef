"""In host, server, guest and test runner: the messages between a host and its fork server.

host -> server   first a ServerConfig, then one Request per child, with the child's descriptors
                   attached (SCM_RIGHTS)
server -> host   READY (baseline, layers) or START_ERROR (text: why); then for each child:
                   STARTED, in a batch only; STILL_RUNNING with a pidfd, if it runs longer than
                   GRACE_MS; Exit when it has been reaped, or FORK_FAILED (text: why)

The child itself sends STARTED, before its program begins, so that the kernel attaches the child's
process number (unix(7), SCM_CREDENTIALS). The host decides by fixed-size numbers
only; texts are for people, and for the state of layers.
All four import this module: it must stay light (light_record.py says why).
"""

from __future__ import annotations

import marshal
import struct
from collections.abc import Iterable, Mapping

from . import light_json
from .light_record import LightRecord

GRACE_MS = 25  # a child that ends sooner is never watched

# The first byte of a message to the host.
READY, START_ERROR = b"R", b"F"
STARTED, STILL_RUNNING, EXIT, FORK_FAILED = b"B", b"L", b"E", b"N"

# What a child does (Request.mode).
SCRIPT, CALL, SERVE, TESTS, EXECUTE, BUILD = range(6)
MODES_WITH_RESULT = (CALL, TESTS, BUILD)  # the child writes a result; the host reads it

# Traits of a program's text: the host detects them once, so that no child has to.
NEEDS_FINALIZERS, NAMES_NODES, NEEDS_SOURCE_LINES = 1, 2, 4
# Traits of a run.
BATCHED = 8  # several tests may run in the child
INTERACTIVE = 16  # standard input is a pipe
HAS_FEEDBACK = 32  # the result is what the program leaves in FEEDBACK_FILES
REPORTS_FOLDER = 64  # the result is all that it leaves in its folder, except INPUT_FILES
REPORTS_FILES = HAS_FEEDBACK | REPORTS_FOLDER  # the server reports them, not the child
LACKS_PROGRAM_NAMES = 128  # a program that is called finds no names but Python's built-in ones
# What the validators of problem packages write; the most bytes that are read of each.
FEEDBACK_FILES = ("score.txt", "score_multiplier.txt", "judgemessage.txt")
FEEDBACK_BYTES = 1024
# What validators are given in their folder; the most bytes of all other files together.
INPUT_FILES, FOLDER_BYTES = ("input.txt", "answer.txt"), 8 << 20
TOO_LARGE = b"\0"  # the report of a folder that holds more

# Where a compiled program finds the files that it is given.
FIRST_FILE = 3
FILE_PATHS = tuple([f"/proc/self/fd/{FIRST_FILE + number}" for number in range(3)])

# The first byte of what a function returned, as JSON, or of why it cannot be sent, as JSON.
VALUE, UNSENDABLE = b"V", b"X"

# The bytes that start a test in a child of a batch; the child ends after the last one.
NEXT_TEST, LAST_TEST = b"n", b"l"

# The state of a layer (kernel/); any other text says why the kernel refused it.
HELD, NOT_REQUESTED = "held", "not asked for"

ABSENT = -1  # no such descriptor


class ServerConfig(LightRecord):
    """What a fork server needs to start. Paths are absolute.

    path, packages, preload: sys.path of programs; where the further packages are that they may
        import; modules imported before the first fork.
    calls_functions: whether it calls functions of programs, which then find the names of
        ``program_names``.
    readable, executable: what Landlock lets them read, and start.
    mounts: the steps that build a new root (namespaces.replace_root).
    uid: the user to become, or None.
    without: layers to leave out.
    folder, folder_bytes: where programs may write at level 3, and how much (0 if nowhere).
    program_filter: the filter of each child and the offsets of its own pid in it.
    """

    path: list[str]
    packages: dict[str, str]
    preload: list[str]
    calls_functions: bool
    readable: list[str]
    executable: list[str]
    mounts: list[tuple[str, str]]
    uid: int | None
    without: list[str]
    folder: str
    folder_bytes: int
    server_filter: bytes
    program_filter: tuple[bytes, tuple[int, ...]]
    host_pid: int

    def encode(self) -> bytes:
        """Return the message to the server."""
        return marshal.dumps(tuple(self))

    @classmethod
    def decode(cls, message: bytes) -> ServerConfig:
        """Return the record in a message that ``encode`` made."""
        return cls(*marshal.loads(message))


def encode_files(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a report of files; their names hold no null byte."""
    return b"".join(
        f"{name}\0{len(data)}\0".encode(errors="surrogateescape") + data for name, data in files
    )


def decode_files(report: bytes) -> dict[str, bytes]:
    """Return {name: contents} of a report. Raises ValueError if it is TOO_LARGE or cut off."""
    files, rest = {}, report
    while rest:
        name, size, rest = rest.split(b"\0", 2)
        if len(rest) < int(size):
            raise ValueError("the report of files is cut off")
        files[name.decode(errors="surrogateescape")] = rest[: int(size)]
        rest = rest[int(size) :]
    return files


def encode_ready(baseline: int, layers: Mapping[str, str]) -> bytes:
    """Return the message READY. baseline: the resident peak, in KiB, of a child whose program is
    empty. layers: the state of each."""
    return READY + light_json.dumps([baseline, layers])


def decode_ready(message: bytes) -> tuple[int, dict[str, str]]:
    """Return the baseline and the states of the layers in a READY message."""
    baseline, layers = light_json.loads(message[1:].decode())
    return baseline, layers


class Descriptors(LightRecord):
    """A child's descriptors by their use; the order of the fields is their order in a message.

    code, cache: memory files with the program's text, and its compiled form.
    job: a memory file with what the child is to do.
    result: where the child writes its result, or the server the feedback.
    requests, replies: the two pipes between a candidate and its test code.
    go, done: the two pipes of a batch: a byte starts a test, a byte says that it is done.
    file0 to file2: files for a compiled program.
    """

    stdin: int = ABSENT
    stdout: int = ABSENT
    stderr: int = ABSENT
    code: int = ABSENT
    cache: int = ABSENT
    job: int = ABSENT
    result: int = ABSENT
    requests: int = ABSENT
    replies: int = ABSENT
    go: int = ABSENT
    done: int = ABSENT
    file0: int = ABSENT
    file1: int = ABSENT
    file2: int = ABSENT

    def with_streams(self, stdin: int, stdout: int, stderr: int, result: int) -> Descriptors:
        """Return the same with other streams and result. ``_replace`` would take four times as
        long."""
        return Descriptors(
            stdin, stdout, stderr, self.code, self.cache, self.job, result, *self[7:]
        )

    def list_present(self) -> list[int]:
        """Return the descriptors that are present, in the order of a message."""
        return [descriptor for descriptor in self if descriptor >= 0]


class Request(LightRecord):
    """A child to fork. cpu_seconds: the value of RLIMIT_CPU. memory_bytes: that of RLIMIT_AS, above
    what the interpreter itself takes."""

    mode: int
    traits: int
    cpu_seconds: int
    memory_bytes: int
    descriptors: Descriptors

    @property
    def report_fd(self) -> int:
        """Where the server reports the program's files; ABSENT if it reports none."""
        return self.descriptors.result if self.traits & REPORTS_FILES else ABSENT

    def encode(self) -> bytes:
        """Return the message; its descriptors are sent beside it (``Descriptors.list_present``)."""
        uses = [use for use, descriptor in enumerate(self.descriptors) if descriptor >= 0]
        header = _REQUEST.pack(self.mode, self.traits, self.cpu_seconds, self.memory_bytes)
        return header + bytes(uses)

    @classmethod
    def decode(cls, message: bytes, received: Iterable[int]) -> Request:
        """Return the request in a message, with the descriptors that came with it."""
        descriptors = _ALL_ABSENT[:]
        for use, descriptor in zip(message[_REQUEST.size :], received, strict=True):
            descriptors[use] = descriptor
        mode, traits, cpu_seconds, memory_bytes = _REQUEST.unpack_from(message)
        return cls(mode, traits, cpu_seconds, memory_bytes, Descriptors._make(descriptors))


# The header of a request. A byte for each descriptor follows: its position in Descriptors.
_REQUEST = struct.Struct("<BBIQ")
_ALL_ABSENT = list(Descriptors())


# A child's notes are bytes at the start of a page that it shares with the server. They are never
# evidence for a pass: a program could write them.
PHASE, FLAGS, STEP, ERRNO = range(4)
SETUP, COMPILING, COMPILE_FAILED, RUNNING, FINISHED, NO_ENTRY = range(6)  # outcome.Phase
LATE_PHASES = (FINISHED, NO_ENTRY)
# STEP: what failed of a child's setup (guest.setup.plan_confinement), or what followed it.
PLACING_STREAMS, TYING_LIFE, SETTING_LIMITS, ENTERING_LANDLOCK = range(4)
CLOSING_FILES, LOADING_FILTER, STARTING_PROGRAM = 4, 5, 6
FLAG_MEMORY, FLAG_THREADS, FLAG_EXIT = 1, 2, 4
FLAG_ASKED = 8  # of trusted test code: it has sent the candidate a request
FLAG_OTHER_NAME = 16  # the function called is not the one that was asked for


class Notes(LightRecord):
    """What a child reports of itself. step, errno: where its setup failed, and why."""

    phase: int
    flags: int
    step: int = 0
    errno: int = 0


class Exit(LightRecord):
    """A child's end as wait4 reports it. status: a wait status. Times in microseconds, memory in
    KiB."""

    status: int
    user: int
    system: int
    peak: int
    notes: Notes

    @property
    def cpu_s(self) -> float:
        """Seconds of CPU, user and system."""
        return (self.user + self.system) / 1e6

    def encode(self) -> bytes:
        """Return the message to the host."""
        return _EXIT.pack(EXIT, *self[:4], *self.notes)

    @classmethod
    def decode(cls, message: bytes) -> Exit:
        """Return the report in a message. Raises ValueError where it has another size."""
        if len(message) != _EXIT.size:
            raise ValueError("no report of an exit")
        fields = _EXIT.unpack(message)
        return cls._make((*fields[1:5], Notes._make(fields[5:])))


_EXIT = struct.Struct("<ciQQQ4B")
