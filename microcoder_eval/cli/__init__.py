"""The command line ``microcoder-eval``: words in, exit code out. Heavy imports happen late."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable

from microcoder_eval.errors import MicrocoderError

from . import streams
from .parser import UsageError, parse

EXIT_USAGE, EXIT_JUDGE, EXIT_INTERRUPTED = 2, 3, 130


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit code (design: "Exit")."""

    def act() -> int:
        args = parse(sys.argv[1:] if argv is None else argv)
        return _run(args.command, args)

    return guarded("microcoder-eval", act)


def guarded(name: str, act: Callable[[], int]) -> int:
    """The exit code of ``act``; what it raises is told as the command ``name`` tells it."""
    if sys.platform != "linux":
        print(f"{name} needs Linux: its sandbox is made of Linux features", file=sys.stderr)
        return EXIT_JUDGE
    streams.prepare()
    show_log(name)
    try:
        return act()
    except UsageError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return EXIT_USAGE
    except MicrocoderError as error:
        from microcoder_eval.errors import JudgeError

        print(f"{name}: {error}", file=sys.stderr)
        return EXIT_JUDGE if isinstance(error, JudgeError) else EXIT_USAGE
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        streams.abandon_stdout()  # whoever read our messages has gone: exit quietly
        return EXIT_USAGE
    except Exception:
        # A fault of our own: not 1, which says that the threshold of --fail-under was missed.
        traceback.print_exc()
        return EXIT_JUDGE


def show_log(name: str) -> None:
    """Warnings of the library on standard error; MICROCODER_LOG=debug shows all it says."""
    import logging

    level = logging.getLevelName(os.environ.get("MICROCODER_LOG", "").upper())
    logging.basicConfig(format=f"{name}: %(message)s")
    logging.getLogger("microcoder").setLevel(level if isinstance(level, int) else logging.WARNING)


def _run(command: str, args: object) -> int:
    if command == "compare":
        from .compare import run
    elif command == "audit":
        from .audit import run
    elif command == "convert":
        from .convert import run
    elif command == "doctor":
        from .doctor import run
    elif command == "serve":
        from .serve import run
    elif command == "report":
        from .html_report import run
    elif command == "version":
        from .version import run
    else:
        from .judge import run
    return run(args)


def script() -> None:
    """Entry point of the console script."""
    sys.exit(main())
