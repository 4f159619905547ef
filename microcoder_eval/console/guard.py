"""Runs a command line: its words, its verb's module, its errors as messages and exit codes."""

from __future__ import annotations

import os
import sys
from importlib import import_module

from microcoder_eval.errors import JudgeError, MicrocoderError, UsageError

from . import streams
from .streams import print_note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

EXIT_USAGE, EXIT_JUDGE, EXIT_INTERRUPTED = 2, 3, 130


def run_command_line(
    name: str, parse: Callable[[list[str]], Namespace | None], argv: list[str] | None
) -> int:
    """Run a command line, report its errors under the command's ``name``, and return the exit code.

    parse: returns the arguments, whose ``module`` names the module of the verb, or None if it has
    printed all that was asked for. The function ``run`` of that module gets the arguments and
    returns the exit code. It is imported late: modules are heavy.
    argv: the words, by default those that the process was started with.
    """
    if sys.platform != "linux":
        print_note(f"{name} needs Linux: its sandbox is made of Linux features")
        return EXIT_JUDGE
    streams.prepare()
    configure_logging(name)
    from microcoder_eval.log import print_warnings  # late: it imports logging

    try:
        args = parse(sys.argv[1:] if argv is None else argv)
        with print_warnings(lambda text: print_note(f"{name}: {text}")):
            return 0 if args is None else int(import_module(args.module).run(args))
    except (UsageError, MicrocoderError) as error:
        print_note(f"{name}: {error}")
        return EXIT_JUDGE if isinstance(error, JudgeError) else EXIT_USAGE
    except KeyboardInterrupt:
        print_note(f"{name}: interrupted")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        streams.redirect_stdout_to_null()  # nobody reads our messages
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

    class NoteHandler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            print_note(self.format(record))

    handler = NoteHandler()
    handler.setFormatter(logging.Formatter(f"{name}: %(message)s"))
    logger = logging.getLogger("microcoder")  # not the root: libraries print their own messages
    logger.handlers = [handler]
    logger.setLevel(level if isinstance(level, int) else logging.WARNING)
