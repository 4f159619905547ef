"""The command line ``microcoder-eval``. Heavy modules are imported when a verb needs them."""

from __future__ import annotations

import os
import sys

from microcoder_eval.errors import JudgeError, MicrocoderError, UsageError

from . import streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

EXIT_USAGE, EXIT_JUDGE, EXIT_INTERRUPTED = 2, 3, 130


def main(argv: list[str] | None = None) -> int:
    """Run the command line; return the exit code, whose meanings ``--help`` lists."""

    def run_command() -> int:
        words = sys.argv[1:] if argv is None else argv
        if _looks_like_judging(words):
            from microcoder_eval.pool.worker_process import spare_worker

            spare_worker.start()  # before all other imports, as it imports for as long
        from .parser import parse_arguments

        args = parse_arguments(words)
        return _run(args.command, args)

    return run_guarded("microcoder-eval", run_command)


def _looks_like_judging(words: list[str]) -> bool:
    """Whether these arguments ask for a judge on this machine, as far as a glance tells."""
    return (
        any(word == "--tests" or word.startswith("--tests=") for word in words)
        and (words[0].startswith("-") or os.path.exists(words[0]))
        and "ray" not in words
        and "--engine=ray" not in words
    )


def run_guarded(name: str, run_command: Callable[[], int]) -> int:
    """Run a command, report its errors under the command's ``name``, and return the exit code."""
    if sys.platform != "linux":
        print(f"{name} needs Linux: its sandbox is made of Linux features", file=sys.stderr)
        return EXIT_JUDGE
    streams.prepare()
    configure_logging(name)
    try:
        return run_command()
    except UsageError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return EXIT_USAGE
    except MicrocoderError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return EXIT_JUDGE if isinstance(error, JudgeError) else EXIT_USAGE
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        streams.abandon_stdout()  # nobody reads our messages any more: exit without one
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


def _run(command: str, args: Namespace) -> int:
    if command == "guide":
        from .parser import GUIDE

        print(GUIDE, end="")
        return 0
    if command == "compare":
        from .verbs.compare import run
    elif command == "audit":
        from .verbs.audit import run
    elif command == "calibrate":
        from .verbs.calibrate import run
    elif command == "convert":
        from .verbs.convert import run
    elif command == "diff":
        from .verbs.diff import run
    elif command == "doctor":
        from .verbs.doctor import run
    elif command == "serve":
        from .verbs.serve import run
    elif command == "report":
        from .verbs.html_report import run
    elif command == "version":
        from .verbs.version import run
    else:
        from .judge import run
    return run(args)


def run_console_script() -> None:
    """Entry point of the console script."""
    sys.exit(main())
