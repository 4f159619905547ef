"""The filters say what the policy's tables say: interpreted for every number, and run for real.

Both architectures' filters are interpreted on any machine; for real, each machine runs its own.
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterator
from functools import cache

import pytest

from microcoder_sandbox.errors import SandboxUnavailableError
from microcoder_sandbox.host.memory_files import make_sealed_memfd
from microcoder_sandbox.host.outcome import Killed, ResourceLimits
from microcoder_sandbox.host.programs import Binary
from microcoder_sandbox.host.requests import (
    make_binary_request,
    make_build_request,
)
from microcoder_sandbox.host.sandbox import Sandbox
from microcoder_sandbox.kernel import bpf, landlock, policy
from microcoder_sandbox.kernel.syscall_numbers import AUDIT_ARCH, LAST_KNOWN, TABLES
from microcoder_sandbox.toolchains.toolchain import find_toolchain
from tests.files import read_table
from tests.levels import levels, open_sandbox, run_program

from . import classic_bpf

ALLOW, KILL, ERRNO = bpf.ALLOW, bpf.KILL, bpf.ERRNO
ALL, X32 = 0xFFFFFFFF, 0x40000000
OWN_PID = 4242
FOREIGN = (0, 0x40000003, 0x40000028, 0x4000003E, 0xC000003E, 0xC00000B7, 0xFFFFFFFF)  # i386, arm …
NUMBERS = (*range(1101), 0x3FFFFFFF)
BEYOND = (X32, X32 | 1, X32 | 59, X32 | 520, 2 * X32, 0xFFFFFFFE, 0xFFFFFFFF)
Arguments = tuple[int, ...]
Variant = tuple[str, str, bool, int]  # machine, role, files, Landlock's version
VARIANTS: tuple[Variant, ...] = tuple(
    itertools.product(TABLES, policy.ROLES, (False, True), (0, 2, 7))
)


def checks_of(name: str, role: str, extra: bpf.Checks) -> list[bpf.Checks]:
    """The rows about a system call: (those of the child's filter, those of the server's)."""
    child = tuple(row for row in policy.PROGRAM_CHECKED[role] if row[0] == name)
    server = tuple(row for row in (*policy.CHECKED, *extra) if row[0] == name)
    return [child, server]


def is_met(check: policy.Check, arguments: Arguments, pid: int) -> bool:
    argument, mask, values = check
    return arguments[argument] & ALL & mask in [
        pid if value == policy.PID else value for value in values
    ]


def policy_says(variant: Variant, number: int, arguments: Arguments, pid: int = OWN_PID) -> int:
    """What a program of that role is answered, read from the tables as a person reads them."""
    machine, role, files, abi = variant
    if number >= X32:
        return KILL
    if number > LAST_KNOWN:
        return ERRNO | policy.ENOSYS
    name = names_of(machine).get(number, "")
    for names, errno, _reason in policy.FALLBACKS:
        if name in names.split():
            return ERRNO | errno
    # The child's first: where both refuse, the kernel takes the answer of the newer filter.
    rows = [row for rows in checks_of(name, role, bpf.build_file_rules(abi)) for row in rows]
    if not rows and name not in list_names(role, files):
        return ERRNO | policy.EPERM
    for _name, checks, errno, _reason in rows:
        if not all(is_met(check, arguments, pid) for check in checks):
            return ERRNO | errno
    return ALLOW


@cache
def list_names(role: str, files: bool) -> set[str]:
    rows = bpf.list_allowed_rows(role, files=files)
    return {name for names, _reason in rows for name in names.split()}


@cache
def names_of(machine: str) -> dict[int, str]:
    return {number: name for name, number in TABLES[machine].items()}


@cache
def load_filters(variant: Variant, pid: int = OWN_PID) -> tuple[classic_bpf.Code, classic_bpf.Code]:
    """(the child's filter with its pid filled in, the server's filter) of one variant."""
    machine, role, files, abi = variant
    raw, holes = bpf.build_program_filter(machine, role, files=files)
    patched = bytearray(raw)
    for offset in holes:
        assert patched[offset : offset + 4] == b"\xff" * 4
        patched[offset : offset + 4] = pid.to_bytes(4, "little")
    server = bpf.build_server_filter(machine, role, bpf.build_file_rules(abi), files=files)
    return classic_bpf.load(bytes(patched)), classic_bpf.load(server)


def filters_say(
    variant: Variant, number: int, arguments: Arguments, architecture: int | None = None
) -> int:
    """What the kernel answers with both loaded: the stricter; of equals, that of the newer."""
    machine = AUDIT_ARCH[variant[0]] if architecture is None else architecture
    child, server = (
        classic_bpf.answer(code, machine, number, arguments) for code in load_filters(variant)
    )
    strictness = {KILL: 0, ERRNO: 1, ALLOW: 2}
    return min((child, server), key=lambda action: strictness[action & 0xFFFF0000])


def list_tries(variant: Variant, number: int) -> Iterator[Arguments]:
    """Arguments that tell apart what the rows about this call allow and refuse."""
    yield (0,) * 6
    yield (ALL,) * 6
    yield (2**64 - 1,) * 6
    name = names_of(variant[0]).get(number, "")
    rows = sum(checks_of(name, variant[1], bpf.build_file_rules(variant[3])), ())
    good = [0] * 6
    for _name, checks, _errno, _reason in rows:
        for argument, _mask, values in checks:
            good[argument] = OWN_PID if values[0] == policy.PID else values[0]
    for _name, checks, _errno, _reason in rows:
        for argument, mask, values in checks:
            compared = [OWN_PID if value == policy.PID else value for value in values]
            near = [(value + step) & ALL for value in compared for step in (-1, 0, 1)]
            bits = [1 << bit for bit in range(32)]
            values = [*near, *bits, *(compared[0] ^ bit for bit in bits), mask, ALL ^ mask]
            # A filter that reads the upper half of an argument does so whatever the lower one is.
            values += [value | high for value in near for high in (1 << 32, ALL << 32)]
            for value in values:
                yield (*good[:argument], value, *good[argument + 1 :])


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_filter_answers_every_number_as_the_policy_says(variant: Variant) -> None:
    for number in NUMBERS:
        for arguments in list_tries(variant, number):
            answer = filters_say(variant, number, arguments)
            assert answer == policy_says(variant, number, arguments), (
                f"{names_of(variant[0]).get(number)} ({number}) with {arguments}: {answer:#x}"
            )


def test_numbers_of_another_abi_kill() -> None:
    for variant in VARIANTS:
        for number in BEYOND:
            assert filters_say(variant, number, (0,) * 6) == KILL, variant
        # The start of a filter, which decides this, knows nothing of files and of Landlock.
        all_or_border = range(0, LAST_KNOWN + 1, 1 if variant[2:] == (False, 0) else LAST_KNOWN)
        for number, architecture in itertools.product((*all_or_border, *BEYOND), FOREIGN):
            if architecture != AUDIT_ARCH[variant[0]]:
                answer = filters_say(variant, number, (0,) * 6, architecture)
                assert answer == KILL, (variant, number, architecture)


def test_only_what_needs_the_child_s_own_number_has_a_hole_for_it() -> None:
    for variant in VARIANTS:
        machine, role, files, _abi = variant
        _raw, holes = bpf.build_program_filter(machine, role, files=files)
        assert len(holes) == 2, "kill and tgkill"
        for name in ("kill", "tgkill"):
            number = TABLES[machine][name]
            answers = [
                filters_say(variant, number, (pid & (2**64 - 1), 9, 9, 0, 0, 0)) == ALLOW
                for pid in (OWN_PID, OWN_PID + 1, 1, 0, -1, -OWN_PID, 2**31)
            ]
            assert answers == [True, *[False] * 6], (variant, name)


def test_the_server_can_make_the_calls_it_needs() -> None:
    for variant in VARIANTS:
        machine, _role, files, _abi = variant
        _child, server = load_filters(variant)
        rows = (*policy.SERVER, *(policy.SERVER_FILES if files else ()))
        for name in " ".join(names for names, _reason in rows).split():
            number = TABLES[machine].get(name)
            if number is not None:
                answer = classic_bpf.answer(server, AUDIT_ARCH[machine], number, (0,) * 6)
                assert answer == ALLOW, (variant, name)


def test_every_name_in_the_policy_has_a_number() -> None:
    rows = [*policy.SERVER, *policy.SERVER_FILES, *policy.FILES]
    rows += [row for role in policy.ROLES.values() for row in role]
    named = {name for names, _reason in rows for name in names.split()}
    named |= {name for names, _errno, _reason in policy.FALLBACKS for name in names.split()}
    for checks in (policy.CHECKED, policy.READ_ONLY, *policy.PROGRAM_CHECKED.values()):
        named |= {row[0] for row in checks}
    assert named <= set(TABLES["x86_64"])
    assert max(max(table.values()) for table in TABLES.values()) <= LAST_KNOWN


# --- and for real -----------------------------------------------------------------------------

LIMITS = ResourceLimits(
    cpu_seconds=10.0, wall_seconds=60.0, memory_bytes=512 << 20, output_bytes=8 << 20
)
# Allowed, and with arguments of zero they end the program or wait without end.
MACHINE = os.uname().machine
NUMBER_OF = TABLES.get(MACHINE, {})
NOT_ALONE = {
    name: NUMBER_OF[name]
    for name in ["exit", "exit_group", "rt_sigreturn", "pause", "select", "pselect6", "ppoll"]
    if name in NUMBER_OF
}
# uretprobe and uprobe: newer kernels let them pass any filter (kernel/seccomp.c,
# seccomp_uprobe_exception) and send SIGILL to whoever calls them by himself. Only on x86-64.
PROBES = (335, 336)
PROGRAMS = read_table(__file__)
SWEEP, NATIVE_SWEEP = (PROGRAMS[name] for name in ("sweep", "native_sweep"))
pytestmark = pytest.mark.skipif(os.uname().sysname != "Linux", reason="seccomp is Linux's")
on_x86 = pytest.mark.skipif(MACHINE != "x86_64", reason="numbers of x86-64")


@pytest.fixture(params=levels(4, 3, 2), scope="module")
def level_sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """A sandbox held at a level."""
    with open_sandbox(request.param) as sandbox:
        yield sandbox


def variant_of(sandbox: Sandbox, role: str) -> Variant:
    return (MACHINE, role, False, landlock.get_abi_version() if sandbox.level >= 3 else 0)


def list_refused_calls(variant: Variant, pid: int = OWN_PID) -> list[tuple[tuple[int, ...], int]]:
    """(number and arguments, errno) of every call the policy refuses, by the same tries."""
    calls = {}
    for number in sorted({*range(601)} - {*PROBES}):
        for arguments in list_tries(variant, number):
            says = policy_says(variant, number, arguments, pid)
            if says & 0xFFFF0000 == ERRNO and OWN_PID not in [a & ALL for a in arguments]:
                calls[(number, *arguments)] = says & 0xFFFF
    return list(calls.items())


@pytest.mark.slow
@pytest.mark.parametrize("role", [policy.PYTHON, policy.NUMPY])
def test_every_refused_call_is_refused_in_the_cage(level_sandbox: Sandbox, role: str) -> None:
    imports = "json, os, sys, ctypes" + (", numpy" if role == policy.NUMPY else "")
    calls = list_refused_calls(variant_of(level_sandbox, role))
    stdin = json.dumps([call for call, _errno in calls]).encode()
    outcome = run_program(level_sandbox, SWEEP.format(imports=imports), stdin, LIMITS)
    assert outcome.exit_code == 0, outcome.stderr
    errnos = json.loads(outcome.stdout)
    wrong = {
        call: actual for (call, errno), actual in zip(calls, errnos, strict=True) if actual != errno
    }
    assert wrong == {}


@pytest.mark.slow
def test_every_refused_call_is_refused_to_a_compiled_program(level_sandbox: Sandbox) -> None:
    if find_toolchain() is None:
        pytest.skip("no g++ on this machine")
    calls = list_refused_calls(variant_of(level_sandbox, policy.NATIVE))
    command = ["-O1", "-static", "-o", "program", "sweep.cpp"]
    try:
        build = level_sandbox.run(
            make_build_request({"sweep.cpp": NATIVE_SWEEP}, command, "program", LIMITS)
        )
    except SandboxUnavailableError as error:
        pytest.skip(f"nothing is compiled at level {level_sandbox.level}: {error}")
    assert build.status == 0, build.stderr
    binary = Binary(make_sealed_memfd(build.result))
    stdin = "\n".join(" ".join(map(str, call)) for call, _errno in calls).encode()
    try:
        outcome = level_sandbox.run(make_binary_request(binary, stdin, LIMITS))
    finally:
        binary.close()
    assert outcome.exit_code == 0, outcome
    errnos = list(map(int, outcome.stdout.split()))
    wrong = {
        call: actual for (call, errno), actual in zip(calls, errnos, strict=True) if actual != errno
    }
    assert wrong == {}


def test_calls_that_are_allowed_do_no_harm_with_arguments_of_zero(level_sandbox: Sandbox) -> None:
    variant = variant_of(level_sandbox, policy.PYTHON)
    numbers = [
        number
        for number in range(LAST_KNOWN + 1)
        if policy_says(variant, number, (0,) * 6) == ALLOW and number not in NOT_ALONE.values()
    ]
    stdin = json.dumps([[number, *(0,) * 6] for number in numbers]).encode()
    source = SWEEP.format(imports="json, os, sys, ctypes")
    outcome = run_program(level_sandbox, source, stdin, LIMITS)
    assert outcome.exit_code == 0, outcome
    assert len(json.loads(outcome.stdout)) == len(numbers) > 100


@pytest.mark.sampled(4, "sandbox")
@pytest.mark.parametrize("name", NOT_ALONE)
def test_calls_that_end_or_wait_end_or_are_waited_for(level_sandbox: Sandbox, name: str) -> None:
    # As long: of an int on the stack, where the last one lies, the upper half is what was there.
    arguments = f"{NOT_ALONE[name]}, *[ctypes.c_long(0)] * 6"
    source = f"import ctypes; ctypes.CDLL(None).syscall({arguments})"
    outcome = run_program(level_sandbox, source, b"", ResourceLimits(2.0, 0.5, 64 << 20, 1 << 20))
    if name in ("exit", "exit_group"):
        assert (outcome.killed, outcome.exit_code) == (None, 0)
    elif name == "rt_sigreturn":
        assert (outcome.killed, outcome.exit_code) == (None, -11)
    else:
        assert outcome.killed is Killed.WALL


@on_x86
@pytest.mark.parametrize("number", PROBES)
def test_calls_that_pass_every_filter_are_refused_or_end_the_program(
    level_sandbox: Sandbox, number: int
) -> None:
    source = f"import ctypes; print(ctypes.CDLL(None).syscall({number}))"
    outcome = run_program(level_sandbox, source, b"", LIMITS)
    assert (outcome.exit_code, outcome.stdout) in [(-4, b""), (0, b"-1\n")]


@on_x86
@pytest.mark.parametrize("number", [X32 | 39, X32 | 520, X32 | 0x3FF])
def test_x32_calls_kill_in_the_cage(level_sandbox: Sandbox, number: int) -> None:
    source = f"import ctypes; ctypes.CDLL(None).syscall({number}); print('alive')"
    outcome = run_program(level_sandbox, source, b"", LIMITS)
    assert (outcome.exit_code, outcome.stdout) == (-31, b"")
