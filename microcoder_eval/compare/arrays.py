"""Compares large outputs of real numbers by blocks with numpy, in a seventh of the time.

This is only a shortcut: it says that all words match, or that it does not know. It asks the
comparer's own ``find_mismatch`` about pairs that it cannot decide. Without numpy it knows nothing.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from microcoder_sandbox import record

from .blocks import WHITESPACE, FindMismatch, pair_blocks
from .numbers import LONG_EXPONENT, Tolerance

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BLOCK_BYTES = 1 << 18  # its arrays fit into the processor's cache
_MIN_BYTES = 1 << 20  # of an output, from which loading numpy pays
_MIN_BYTES_LOADED = 1 << 16
_CHARACTERS = b"0123456789.+-eE \t\n\r\v\f"
_WORD = re.compile(rb"\S+")
_MAY_UNDERFLOW = 300  # characters from which a number without exponent may underflow
_MAX_LENGTH_OF_INTEGERS = 19  # a point and 18 digits, which fit into 64 bits
_numpy_folders: list[str] = []


class _NotNumbersError(Exception):
    """A block holds other words than numbers."""


@record
class _Numbers:
    """The words of a block. starts: where each begins. cannot_underflow: none has an exponent or is
    so long that it may."""

    values: NDArray[np.float64]
    starts: NDArray[np.int64]
    cannot_underflow: bool

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, part: slice) -> _Numbers:
        return _Numbers(self.values[part], self.starts[part], self.cannot_underflow)


def provide_numpy(folder: str) -> None:
    """Say where numpy is, in a process that does not have it on its path."""
    _numpy_folders.append(os.path.dirname(folder))


def words_are_close(
    actual: bytes,
    expected: bytes,
    start: int,
    find_mismatch: FindMismatch[bytes],
    tolerance: Tolerance,
    min_size: float = 0.0,
) -> bool:
    """Whether both have as many words after ``start``, and all match. False means: not known.

    min_size: see ``Tolerance.find_unclear``. ``find_mismatch`` decides where doubles do not.
    """
    first = _WORD.search(expected, start)
    if first is None or b"." not in first[0]:
        return False  # as _read_block would find, but before numpy is loaded
    numpy = _find_numpy(min(len(actual), len(expected)) - start)
    if numpy is None:
        return False
    left: Any = _iterate_blocks(numpy, actual, start)
    right: Any = _iterate_blocks(numpy, expected, start, real=True)
    pairs: Any = pair_blocks(left, right)  # which cuts numbers as it cuts lists
    try:
        for left_numbers, right_numbers in pairs:
            if len(left_numbers) != len(right_numbers):
                return False
            for index in _find_unclear(numpy, left_numbers, right_numbers, tolerance, min_size):
                left_word = _read_word(actual, int(left_numbers.starts[index]))
                right_word = _read_word(expected, int(right_numbers.starts[index]))
                if find_mismatch([left_word], [right_word]) is not None:
                    return False
    except _NotNumbersError:
        return False
    return True


def _find_numpy(size: int) -> Any:
    """Return numpy where comparing so many bytes is worth it; None where it is not, or not here."""
    numpy = sys.modules.get("numpy")
    if numpy is not None or size < _MIN_BYTES:
        return numpy if size >= _MIN_BYTES_LOADED else None
    if not _numpy_folders:  # a caller's process gets no module that it has not loaded itself
        return None
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a worker has one thread
    sys.path += _numpy_folders
    try:
        import numpy as loaded
    except ImportError:
        return None
    finally:
        del sys.path[-len(_numpy_folders) :]
    return loaded


def _iterate_blocks(
    numpy: Any, data: bytes, start: int, *, real: bool = False
) -> Iterator[_Numbers]:
    """Yield the numbers of an output, block by block. real: whether each must have a point. Raises
    _NotNumbersError."""
    while start < len(data):
        match = WHITESPACE.search(data, start + _BLOCK_BYTES)
        stop = match.end() if match else len(data)
        block = data[start:stop]
        if numbers := _read_block(numpy, block, start, real):
            yield numbers
        start = stop


def _read_block(numpy: Any, block: bytes, offset: int, real: bool) -> _Numbers | None:
    has_exponents = b"e" in block or b"E" in block
    # With a blank on both sides, each word begins after a blank and ends before one.
    text = numpy.frombuffer(b" " + block + b" ", numpy.uint8)
    is_blank = text <= ord(b" ")
    edges = (is_blank[:-1] != is_blank[1:]).nonzero()[0]
    starts, ends = edges[::2], edges[1::2]
    if not len(starts):
        if block.strip():
            raise _NotNumbersError  # control characters alone
        return None
    points = (text[1:] == ord(b".")).nonzero()[0]
    all_real = len(points) == len(starts) and bool(
        # A digit beside each point: numpy reads a lone sign as the integer 0.
        ((starts <= points) & (points < ends)).all()
        and (numpy.maximum(text[points], text[points + 2]) >= ord(b"0")).all()
    )
    if real and not all_real:
        raise _NotNumbersError
    longest = int((ends - starts).max())
    if all_real and not has_exponents and longest <= _MAX_LENGTH_OF_INTEGERS:
        # Integers are read in a fifth of the time. The quotients have two rounding errors, for
        # which the bounds of _find_unclear have room; near min_size such words are far apart.
        integers = _parse(numpy, block.translate(None, b"."), numpy.int64, len(starts))
        values = integers / (10.0 ** numpy.arange(longest))[ends - points - 1]
    elif block.translate(None, _CHARACTERS) or LONG_EXPONENT.search(block):
        raise _NotNumbersError  # numpy reads "nan" and "0x1.8" as real numbers, not as integers
    else:
        values = _parse(numpy, block, numpy.float64, len(starts))
    return _Numbers(values, starts + offset, not has_exponents and longest < _MAY_UNDERFLOW)


def _parse(numpy: Any, block: bytes, kind: type, count: int) -> Any:
    """Parse ``count`` words, each of which must be one number. Raises _NotNumbersError.

    numpy reads "1.5-2" as two numbers, so the count is checked. Of integers, and of words in
    _CHARACTERS, numpy then accepts exactly the grammar of numbers.py.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            values = numpy.fromstring(block, kind, sep=" ")
        except (ValueError, DeprecationWarning):
            raise _NotNumbersError from None
    if len(values) != count:
        raise _NotNumbersError
    return values


def _find_unclear(
    numpy: Any, left: _Numbers, right: _Numbers, tolerance: Tolerance, min_size: float
) -> list[int]:
    """Return what ``Tolerance.find_unclear`` returns."""
    with numpy.errstate(all="ignore"):  # nothing is close to an infinite number
        gap, size = numpy.abs(left.values - right.values), numpy.abs(right.values)
        largest = float(max(numpy.abs(left.values).max(), size.max()))
        relative, absolute = tolerance.get_clear_bounds(largest)
        close = (gap < relative * size) | ((gap < absolute) & (size >= min_size))
        if left.cannot_underflow and right.cannot_underflow:
            close |= (gap == 0) & (size == 0)
    unclear: list[int] = (~close).nonzero()[0].tolist()
    return unclear


def _read_word(data: bytes, start: int) -> bytes:
    match = _WORD.match(data, start)
    assert match is not None
    return match[0]
