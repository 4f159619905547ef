"""The command line ``microcoder-data``: words in, exit code out. Heavy imports happen late."""

from __future__ import annotations

import sys


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    from microcoder_eval.cli import guarded

    from .parser import NAME, parse

    def act() -> int:
        args = parse(sys.argv[1:] if argv is None else argv)
        if args.command == "stats":
            from .stats import run
        else:
            from .stages import run
        return run(args)

    return guarded(NAME, act)


def script() -> None:
    """Entry point of the console script."""
    sys.exit(main())
