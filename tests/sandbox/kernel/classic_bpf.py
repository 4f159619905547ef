"""An interpreter for the part of classic BPF that seccomp filters may use.

Checks what the kernel checks when a filter is loaded, then runs it.
Source: linux/filter.h, kernel/seccomp.c (seccomp_check_filter).
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

MAX_INSTRUCTIONS = 4096
DATA_BYTES = 64  # struct seccomp_data: number, architecture, instruction pointer, six arguments
LOAD, JUMP_IF_EQUAL, JUMP_IF_NOT_LESS, JUMP, AND, RETURN = 0x20, 0x15, 0x35, 0x05, 0x54, 0x06
_CONDITIONAL = (JUMP_IF_EQUAL, JUMP_IF_NOT_LESS)
Code = list[tuple[int, int, int, int]]


def load(raw: bytes) -> Code:
    """The instructions of a filter. Raises ValueError where the kernel would refuse it."""
    code = list(struct.iter_unpack("<HBBI", raw))
    if not 0 < len(code) <= MAX_INSTRUCTIONS:
        raise ValueError(f"{len(code)} instructions")
    for place, (kind, if_true, if_false, value) in enumerate(code):
        if kind == LOAD:
            fine = value % 4 == 0 and value < DATA_BYTES
        elif kind in _CONDITIONAL:
            fine = place + 1 + max(if_true, if_false) < len(code)
        elif kind == JUMP:
            fine = place + 1 + value < len(code)
        else:
            fine = kind in (AND, RETURN)
        if not fine:
            raise ValueError(f"instruction {place}: {kind:#x} {if_true} {if_false} {value:#x}")
    if code[-1][0] != RETURN:
        raise ValueError("the end can be run off")
    return code


def answer(code: Code, architecture: int, number: int, arguments: Sequence[int]) -> int:
    """What the filter returns for a system call (its 32 bits: action and data)."""
    whole = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number, architecture, 0, *(a % 2**64 for a in whole))
    accumulator = place = 0
    while True:  # jumps only go forward: this ends
        kind, if_true, if_false, value = code[place]
        place += 1
        if kind == RETURN:
            return value
        if kind == LOAD:
            (accumulator,) = struct.unpack_from("<I", data, value)
        elif kind == AND:
            accumulator &= value
        elif kind == JUMP:
            place += value
        elif kind == JUMP_IF_EQUAL:
            place += if_true if accumulator == value else if_false
        else:
            place += if_true if accumulator >= value else if_false
