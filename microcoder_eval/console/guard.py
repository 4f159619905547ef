"""Runs a command; its errors become messages and exit codes."""

from __future__ import annotations

import os
import sys

from microcoder_eval.errors import JudgeError, MicrocoderError, UsageError

from . import streams
from .streams import print_note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

EXIT_USAGE, EXIT_JUDGE, EXIT_INTERRUPTED = 2, 3, 130


def run_guarded(name: str, run_command: Callable[[], int]) -> int:
    """Run a command, report its errors under the command's ``name``, and return the exit code."""
    if sys.platform != "linux":
        print_note(f"{name} needs Linux: its sandbox is made of Linux features")
        return EXIT_JUDGE
    streams.prepare()
    configure_logging(name)
    try:
        return run_command()
    except UsageError as error:
        print_note(f"{name}: {error}")
        return EXIT_USAGE
    except MicrocoderError as error:
        print_note(f"{name}: {error}")
        return EXIT_JUDGE if isinstance(error, JudgeError) else EXIT_USAGE
    except KeyboardInterrupt:
        print_note(f"{name}: interrupted")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        streams.abandon_stdout()  # nobody reads our messages
        return EXIT_USAGE
    except Exception:
        # A bug of ours. Python's exit code 1 would mean "below --fail-under".
        import traceback

        traceback.print_exc()
        return EXIT_JUDGE


def configure_logging(name: str) -> None:
    """Log the library's warnings on standard error; MICROCODER_LOG=debug logs everything."""
    import logging

    level = logging.getLevelName(os.environ.get("MICROCODER_LOG", "").upper())
    logging.basicConfig(format=f"{name}: %(message)s")
    logging.getLogger("microcoder").setLevel(level if isinstance(level, int) else logging.WARNING)
