"""In the host: from policy tables to a seccomp filter, a binary search over system call numbers.

The kernel runs a filter once for each number when it is loaded, to build its allow bitmap, and
then for each call that the bitmap does not allow. A search tree keeps both short.
Source: seccomp(2), linux/bpf_common.h, linux/audit.h.
"""

from __future__ import annotations

import struct

from . import policy
from .policy import Check, Checks, Rows
from .syscall_numbers import AUDIT_ARCH, LAST_KNOWN, TABLES

LD_ABS, JEQ, JGE, JA, AND, RET = 0x20, 0x15, 0x35, 0x05, 0x54, 0x06
ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000
NR_OFFSET, ARCH_OFFSET, ARGS_OFFSET = 0, 4, 16
X32_BIT = 0x40000000

# Stands for policy.PID in a child's filter until the pid is known. build_program_filter looks for
# this value, so no check in policy.PROGRAM_CHECKED may compare with it.
_PID_MARKER = 0xFFFFFFFF

Instruction = tuple[int, int, int, int]
Block = tuple[Instruction, ...]


def make_return(value: int) -> Block:
    """End with this action."""
    return ((RET, 0, 0, value),)


def make_refusal(errno: int) -> Block:
    """Refuse the call with an errno."""
    return make_return(ERRNO | errno)


def make_check(checks: tuple[Check, ...], errno: int) -> Block:
    """Allow the call if all checks hold; else refuse it. Compares the low 32 bits of arguments."""
    code: list[Instruction] = []
    for argument, mask, values in checks:
        code.append((LD_ABS, 0, 0, ARGS_OFFSET + 8 * argument))
        if mask != 0xFFFFFFFF:
            code.append((AND, 0, 0, mask))
        for index, value in enumerate(values):
            # A match jumps over the remaining comparisons and the refusal.
            operand = _PID_MARKER if value == policy.PID else value
            code.append((JEQ, len(values) - index, 0, operand))
        code.append((RET, 0, 0, ERRNO | errno))
    code.append((RET, 0, 0, ALLOW))
    return tuple(code)


def build_server_rules(
    table: dict[str, int], role: str, extra: Checks, *, files: bool
) -> dict[int, Block]:
    """Map each system call number to its instructions. The filter refuses all others."""
    rows = (*list_allowed_rows(role, files=files), *list_server_rows(files=files))
    rules = dict.fromkeys(_find_numbers(table, rows), make_return(ALLOW))
    role_checks = [row for row in policy.PROGRAM_CHECKED[role] if table.get(row[0]) not in rules]
    for name, checks, errno, _reason in (*role_checks, *policy.CHECKED, *extra):
        if name in table:
            rules[table[name]] = make_check(checks, errno)
    for names, errno, _reason in policy.FALLBACKS:
        for name in names.split():
            rules[table[name]] = make_refusal(errno)
    return rules


def build_program_rules(table: dict[str, int], role: str, *, files: bool) -> dict[int, Block]:
    """Map each system call number to its instructions. The filter leaves the others to the
    server's."""
    program_numbers = set(_find_numbers(table, list_allowed_rows(role, files=files)))
    rules = {
        number: make_refusal(policy.EPERM)
        for number in _find_numbers(table, list_server_rows(files=files))
        if number not in program_numbers
    }
    for name, checks, errno, _reason in policy.PROGRAM_CHECKED[role]:
        assert all(_PID_MARKER not in values for _argument, _mask, values in checks), name
        if name in table:
            rules[table[name]] = make_check(checks, errno)
    return rules


def list_allowed_rows(role: str, *, files: bool) -> Rows:
    """Return the policy's rows for a program of that role."""
    return (*policy.ROLES[role], *policy.FILES) if files else policy.ROLES[role]


def list_server_rows(*, files: bool) -> Rows:
    """Return the policy's rows for the fork server itself."""
    return (*policy.SERVER, *policy.SERVER_FILES) if files else policy.SERVER


def _find_numbers(table: dict[str, int], rows: Rows) -> list[int]:
    return [table[name] for names, _reason in rows for name in names.split() if name in table]


def assemble_filter(rules: dict[int, Block], default: Block, machine: str) -> list[Instruction]:
    """Return the check of the architecture, then the search tree."""
    unknown_number = make_refusal(policy.ENOSYS) if default != make_return(ALLOW) else default
    segments: list[tuple[int, Block]] = []
    for number in range(LAST_KNOWN + 1):
        block = rules.get(number, default)
        if not segments or segments[-1][1] != block:
            segments.append((number, block))
    segments.append((LAST_KNOWN + 1, unknown_number))
    prologue: list[Instruction] = [
        (LD_ABS, 0, 0, ARCH_OFFSET),
        (JEQ, 1, 0, AUDIT_ARCH[machine]),
        (RET, 0, 0, KILL),
        (LD_ABS, 0, 0, NR_OFFSET),
        (JGE, 0, 1, X32_BIT),
        (RET, 0, 0, KILL),
    ]
    return prologue + _build_search_tree(segments)


def _build_search_tree(segments: list[tuple[int, Block]]) -> list[Instruction]:
    if len(segments) == 1:
        return list(segments[0][1])
    middle = len(segments) // 2
    left, right = _build_search_tree(segments[:middle]), _build_search_tree(segments[middle:])
    pivot = segments[middle][0]
    if len(left) <= 255:
        return [(JGE, len(left), 0, pivot), *left, *right]
    return [(JGE, 0, 1, pivot), (JA, 0, 0, len(left)), *left, *right]


def pack_filter(code: list[Instruction]) -> bytes:
    """Return the filter as the kernel reads it (struct sock_filter)."""
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in code)


def build_file_rules(landlock_abi: int) -> Checks:
    """Return the extra checks on open(2) that a missing or old Landlock makes necessary."""
    if landlock_abi == 0:
        return policy.READ_ONLY
    return policy.NO_READ_ONLY_TRUNCATE if landlock_abi < 3 else ()


def build_server_filter(machine: str, role: str, extra: Checks = (), *, files: bool) -> bytes:
    """Return the filter of a fork server of that role, for ``machine`` (platform.machine())."""
    rules = build_server_rules(TABLES[machine], role, extra, files=files)
    return pack_filter(assemble_filter(rules, make_refusal(policy.EPERM), machine))


def build_program_filter(machine: str, role: str, *, files: bool) -> tuple[bytes, tuple[int, ...]]:
    """Return the filter of each child, and the byte offsets where its own pid must be written."""
    rules = build_program_rules(TABLES[machine], role, files=files)
    code = assemble_filter(rules, make_return(ALLOW), machine)
    pid_offsets = tuple(
        8 * index + 4
        for index, (opcode, _jt, _jf, k) in enumerate(code)
        if opcode == JEQ and k == _PID_MARKER
    )
    return pack_filter(code), pid_offsets
