"""Standard output and error as they may be: closed, gone away, full, or unable to show a letter."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .parser import UsageError

if TYPE_CHECKING:
    from rich.console import Console


def prepare() -> None:
    """Make all three streams usable. Call before the first file is opened."""
    for descriptor in (0, 1, 2):
        # One that was closed would be given to the next file opened, a journal for example.
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="backslashreplace")


@contextmanager
def answering() -> Iterator[None]:
    """Around what is said on standard output: its reader may leave before the end.

    Then the exit code is still that of the work done. Raises UsageError when it cannot be written
    for another reason, as on a full disk.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        abandon_stdout()
    except OSError as error:
        abandon_stdout()
        raise UsageError(f"standard output cannot be written: {error.strerror}") from error


def abandon_stdout() -> None:
    """Point standard output elsewhere, so that what is still buffered fails no more."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)


def console() -> Console:
    """Where tables are printed; a reader that leaves is a BrokenPipeError, not an exit."""
    from rich.console import Console

    class Quiet(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Quiet(highlight=False, soft_wrap=True, markup=False, emoji=False)
