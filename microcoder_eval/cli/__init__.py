"""The command line ``microcoder-eval``: words in, exit code out. Heavy imports happen late."""

from __future__ import annotations

import os
import sys

from microcoder_eval.errors import MicrocoderError

from .parser import UsageError, parse

EXIT_USAGE, EXIT_JUDGE, EXIT_INTERRUPTED = 2, 3, 130


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit code (design: "Exit")."""
    if sys.platform != "linux":
        print("microcoder-eval needs Linux: its sandbox is made of Linux features", file=sys.stderr)
        return EXIT_JUDGE
    try:
        args = parse(sys.argv[1:] if argv is None else argv)
        return _run(args.command, args)
    except UsageError as error:
        print(f"microcoder-eval: {error}", file=sys.stderr)
        return EXIT_USAGE
    except MicrocoderError as error:
        from microcoder_eval.errors import JudgeError

        print(f"microcoder-eval: {error}", file=sys.stderr)
        return EXIT_JUDGE if isinstance(error, JudgeError) else EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone; point stdout elsewhere so that exiting is quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return EXIT_USAGE


def _run(command: str, args: object) -> int:
    if command == "compare":
        from .compare import run
    elif command == "doctor":
        from .doctor import run
    else:
        from .judge import run
    return run(args)


def script() -> None:
    """Entry point of the console script."""
    sys.exit(main())
