"""Handles standard streams that are closed, broken, full, or cannot encode a character."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager

from microcoder_eval.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from rich.console import Console
    from rich.segment import Segment


def prepare() -> None:
    """Make all three standard streams usable. Call it before any file is opened."""
    for descriptor in (0, 1, 2):
        # If a descriptor is closed, the next opened file (a journal, say) would get its number.
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))
        if reconfigure := getattr(getattr(sys, name), "reconfigure", None):
            reconfigure(errors="backslashreplace")


@contextmanager
def tolerate_closed_stdout() -> Iterator[None]:
    """Ignore a broken pipe on standard output within the block, so that the exit code stays.

    Raises UsageError if standard output cannot be written for another reason, a full disk say.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        redirect_stdout_to_null()
    except OSError as error:
        redirect_stdout_to_null()
        raise UsageError(f"standard output cannot be written: {error.strerror}") from error


def print_facts(facts: object, as_json: bool, print_text: Callable[[], object]) -> None:
    """Print the facts as one line of JSON, or have them printed for people, on standard output.
    Raises as ``tolerate_closed_stdout``."""
    import json  # late: --help needs none

    with tolerate_closed_stdout():
        if as_json:
            print(json.dumps(facts))
        else:
            print_text()


def redirect_stdout_to_null() -> None:
    """Redirect standard output to /dev/null, so that flushing its buffer does not fail again."""
    _abandon(1)


def make_printable(text: str) -> str:
    """Return a text whose characters a terminal would obey, or that reorder others, are escapes.
    Lines stay lines."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else repr(c)[1:-1] for c in text)


def print_note(text: str) -> None:
    """Print a line on standard error, printable; ignore a failure."""
    try:
        print(make_printable(text), file=sys.stderr, flush=True)
    except OSError:
        _abandon(2)


def print_warning(text: str) -> None:
    """Print a warning of ``microcoder-eval`` on standard error."""
    print_note(f"microcoder-eval: {text}")


def _abandon(descriptor: int) -> None:
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, descriptor)
    os.close(null)


def make_console() -> Console:
    """Make a console for tables on standard output. It raises BrokenPipeError, where rich exits,
    and prints data printable, where rich lets escape sequences through."""
    from rich.console import Console

    class SafeConsole(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

        def render(self, *args: Any) -> Iterator[Segment]:
            for segment in super().render(*args):
                is_text = not segment.control
                yield segment._replace(text=make_printable(segment.text)) if is_text else segment

    return SafeConsole(highlight=False, soft_wrap=True, markup=False, emoji=False)
