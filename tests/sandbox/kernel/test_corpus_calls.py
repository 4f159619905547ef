"""aarch64's filter allows every call that programs of the corpus make on x86-64, as its C library
would make it there.

The calls were recorded once, under strace, by record_calls.py of commit 427335bd; the filters are
interpreted. What is shown: no program of the corpus would be refused a call that it is allowed
here. What is not: calls that only libraries for aarch64 make.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from microcoder_sandbox.kernel import bpf, policy
from microcoder_sandbox.kernel.syscall_numbers import AUDIT_ARCH, TABLES

from . import classic_bpf

OWN_PID = 4242
CALLS: dict[str, dict[str, list[list[int]]]] = json.loads(
    Path(__file__).with_name("corpus_calls.json").read_text()
)
# The arguments that were recorded of a call: those that the policy looks at, whatever the role.
CHECKED = {
    row[0]: sorted({check[0] for check in row[1]})
    for rows in (policy.CHECKED, *policy.PROGRAM_CHECKED.values())
    for row in rows
}
# Older calls that the generic table of numbers, and so aarch64, does not have, and what glibc calls
# there (sysdeps/unix/sysv/linux); none is one that the policy checks by its arguments.
GENERIC = {
    "open": "openat", "creat": "openat", "stat": "newfstatat", "lstat": "newfstatat",
    "access": "faccessat", "readlink": "readlinkat", "pipe": "pipe2", "dup2": "dup3",
    "poll": "ppoll", "select": "pselect6", "epoll_wait": "epoll_pwait",
    "epoll_create": "epoll_create1", "eventfd": "eventfd2", "getdents": "getdents64",
    "mkdir": "mkdirat", "rmdir": "unlinkat", "unlink": "unlinkat", "rename": "renameat",
    "time": "clock_gettime", "alarm": "setitimer", "pause": "ppoll", "getpgrp": "getpgid",
    "chmod": "fchmodat", "fork": "clone", "vfork": "clone",
}  # fmt: skip
NOT_THERE = {"arch_prctl"}  # thread-local storage is a register of its own
SIGCHLD = 17
VFORK = 0x4100 | SIGCHLD  # CLONE_VM | CLONE_VFORK


def answer(machine: str, role: str, name: str, facts: list[int]) -> int:
    """What both filters together answer; the stricter one counts."""
    arguments = [0] * 6
    for place, value in zip(CHECKED.get(name, []), facts, strict=False):
        arguments[place] = OWN_PID if value == policy.PID & 0xFFFFFFFF else value
    raw, holes = bpf.build_program_filter(machine, role, files=role == policy.COMPILER)
    own = bytearray(raw)
    for hole in holes:
        own[hole : hole + 4] = OWN_PID.to_bytes(4, "little")
    filters = (bytes(own), bpf.build_server_filter(machine, role, files=role == policy.COMPILER))
    number = TABLES[machine][name]
    answers = [
        classic_bpf.answer(classic_bpf.load(code), AUDIT_ARCH[machine], number, arguments)
        for code in filters
    ]
    return next((each for each in answers if each != bpf.ALLOW), bpf.ALLOW)


@pytest.mark.parametrize("role", sorted(CALLS))
def test_aarch64_allows_what_programs_of_the_corpus_do(role: str) -> None:
    allowed = 0
    for name, variants in CALLS[role].items():
        if name in NOT_THERE or name not in TABLES["x86_64"]:
            continue  # a name that the tables lack is refused on both
        there = name if name in TABLES["aarch64"] else GENERIC[name]
        for facts in variants:
            if answer("x86_64", role, name, facts) != bpf.ALLOW:
                continue
            asked = {"fork": [SIGCHLD], "vfork": [VFORK]}.get(name, facts)
            assert answer("aarch64", role, there, asked) == bpf.ALLOW, (name, facts)
            allowed += 1
    assert allowed >= 15


def test_the_record_holds_the_roles_that_the_corpus_has() -> None:
    assert {policy.PYTHON, policy.NUMPY, policy.NATIVE, policy.COMPILER} <= CALLS.keys()
    assert all("execve" not in CALLS[role] for role in (policy.PYTHON, policy.NUMPY))
