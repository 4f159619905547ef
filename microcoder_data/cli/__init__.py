"""The command line ``microcoder-data``. Heavy imports happen inside functions."""

from __future__ import annotations

import sys


def main(argv: list[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    from microcoder_eval.console.guard import run_guarded

    from .parser import GUIDE, PROG, parse

    arguments = sys.argv[1:] if argv is None else argv
    if not arguments:
        print(GUIDE, end="")
        return 0

    def run_command() -> int:
        args = parse(arguments)
        if args.command == "stats":
            from .stats import run
        elif args.command == "check":
            from .check import run
        elif args.command == "show":
            from .show import run_show as run
        elif args.command == "diff":
            from .show import run_diff as run
        else:
            from .stages import run
        return run(args)

    return run_guarded(PROG, run_command)


def run_console_script() -> None:
    """Entry point of the console script."""
    sys.exit(main())
