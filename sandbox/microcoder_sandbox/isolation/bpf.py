"""From policy tables to a seccomp filter: a binary search over system call numbers.

The kernel runs a filter once for each number when it is loaded (to build its allow bitmap) and
then for every call it could not decide: a search tree keeps both short.
Source: seccomp(2), linux/bpf_common.h, linux/audit.h.
"""

from __future__ import annotations

import struct

from .numbers import AUDIT_ARCH, LAST_KNOWN, TABLES
from .policy import (
    CHECKED,
    ENOSYS,
    EPERM,
    FILES,
    NO_SLY_TRUNCATE,
    PID,
    PLAIN,
    PROGRAM_CHECKED,
    READ_ONLY,
    ROLES,
    SERVER,
    SERVER_FILES,
    SOFT,
    Check,
    Rows,
)

LD_ABS, JEQ, JGE, JA, AND, RET = 0x20, 0x15, 0x35, 0x05, 0x54, 0x06
ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000
NR_OFFSET, ARCH_OFFSET, ARGS_OFFSET = 0, 4, 16
X32_BIT = 0x40000000

Instruction = tuple[int, int, int, int]
Block = tuple[Instruction, ...]
Checks = tuple[tuple[str, tuple[Check, ...], int, str], ...]


def ret(value: int) -> Block:
    """Answer."""
    return ((RET, 0, 0, value),)


def refuse(errno: int) -> Block:
    """Answer with an errno."""
    return ret(ERRNO | errno)


def checked(checks: tuple[Check, ...], errno: int) -> Block:
    """All checks hold: allow; else the errno. Compares the low 32 bits of each argument."""
    code: list[Instruction] = []
    for argument, mask, values in checks:
        code.append((LD_ABS, 0, 0, ARGS_OFFSET + 8 * argument))
        if mask != 0xFFFFFFFF:
            code.append((AND, 0, 0, mask))
        for index, value in enumerate(values):
            # A match jumps over the remaining comparisons and the refusal.
            marker = 0xFFFFFFFF if value == PID else value
            code.append((JEQ, len(values) - index, 0, marker))
        code.append((RET, 0, 0, ERRNO | errno))
    code.append((RET, 0, 0, ALLOW))
    return tuple(code)


def server_rules(
    table: dict[str, int], role: str = PLAIN, extra: Checks = (), *, files: bool = False
) -> dict[int, Block]:
    """Number -> block of the server's filter; what is missing is refused."""
    rows = (*allowed(role, files=files), *server_only(files=files))
    rules = dict.fromkeys(_numbers(table, rows), ret(ALLOW))
    once = [row for row in PROGRAM_CHECKED[role] if table.get(row[0], -1) not in rules]
    for name, checks, errno, _reason in (*once, *CHECKED, *extra):
        if name in table:
            rules[table[name]] = checked(checks, errno)
    for names, errno, _reason in SOFT:
        for name in names.split():
            rules[table[name]] = refuse(errno)
    return rules


def program_rules(
    table: dict[str, int], role: str = PLAIN, *, files: bool = False
) -> dict[int, Block]:
    """Number -> block of the child's filter; what is missing is left to the server's."""
    own = set(_numbers(table, allowed(role, files=files)))
    rules = {
        number: refuse(EPERM)
        for number in _numbers(table, server_only(files=files))
        if number not in own
    }
    for name, checks, errno, _reason in PROGRAM_CHECKED[role]:
        if name in table:
            rules[table[name]] = checked(checks, errno)
    return rules


def allowed(role: str, *, files: bool = False) -> Rows:
    """The rows of the policy that let a program of that role make calls."""
    return (*ROLES[role], *FILES) if files else ROLES[role]


def server_only(*, files: bool = False) -> Rows:
    """The rows of the policy for the fork server itself."""
    return (*SERVER, *SERVER_FILES) if files else SERVER


def _numbers(table: dict[str, int], rows: Rows) -> list[int]:
    return [table[name] for names, _reason in rows for name in names.split() if name in table]


def assemble(rules: dict[int, Block], default: Block, machine: str) -> list[Instruction]:
    """Architecture check, then the search tree."""
    beyond = refuse(ENOSYS) if default != ret(ALLOW) else default
    segments: list[tuple[int, Block]] = []
    for number in range(LAST_KNOWN + 1):
        block = rules.get(number, default)
        if not segments or segments[-1][1] != block:
            segments.append((number, block))
    segments.append((LAST_KNOWN + 1, beyond))
    head: list[Instruction] = [
        (LD_ABS, 0, 0, ARCH_OFFSET),
        (JEQ, 1, 0, AUDIT_ARCH[machine]),
        (RET, 0, 0, KILL),
        (LD_ABS, 0, 0, NR_OFFSET),
        (JGE, 0, 1, X32_BIT),
        (RET, 0, 0, KILL),
    ]
    return head + _tree(segments)


def _tree(segments: list[tuple[int, Block]]) -> list[Instruction]:
    if len(segments) == 1:
        return list(segments[0][1])
    middle = len(segments) // 2
    left, right = _tree(segments[:middle]), _tree(segments[middle:])
    pivot = segments[middle][0]
    if len(left) <= 255:
        return [(JGE, len(left), 0, pivot), *left, *right]
    return [(JGE, 0, 1, pivot), (JA, 0, 0, len(left)), *left, *right]


def pack(code: list[Instruction]) -> bytes:
    """The filter as the kernel reads it (struct sock_filter)."""
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in code)


def file_rules(landlock_abi: int) -> Checks:
    """The extra checks on open(2) that a missing or old Landlock makes necessary."""
    if landlock_abi == 0:
        return READ_ONLY
    return NO_SLY_TRUNCATE if landlock_abi < 3 else ()


def server_filter(
    machine: str, role: str = PLAIN, extra: Checks = (), *, files: bool = False
) -> bytes:
    """The filter of a fork server of that role, for ``machine`` (platform.machine())."""
    rules = server_rules(TABLES[machine], role, extra, files=files)
    return pack(assemble(rules, refuse(EPERM), machine))


def program_filter(
    machine: str, role: str = PLAIN, *, files: bool = False
) -> tuple[bytes, tuple[int, ...]]:
    """The filter of each child, and the byte offsets where its own pid must be written."""
    rules = program_rules(TABLES[machine], role, files=files)
    code = assemble(rules, ret(ALLOW), machine)
    holes = tuple(
        8 * index + 4
        for index, (kind, _jt, _jf, k) in enumerate(code)
        if kind == JEQ and k == 0xFFFFFFFF
    )
    return pack(code), holes
