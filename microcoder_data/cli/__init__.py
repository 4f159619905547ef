"""The command line ``microcoder-data``. Heavy imports happen inside functions."""

from __future__ import annotations

import sys


def main(argv: list[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    from microcoder_eval.console.guard import run_command_line

    from .parser import PROG, parse

    return run_command_line(PROG, parse, argv)


def run_console_script() -> None:
    """Entry point of the console script."""
    sys.exit(main())
