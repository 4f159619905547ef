"""The command line ``microcoder-train``: arguments in, exit code out. torch is imported late."""

from __future__ import annotations

import os
import sys

from microcoder_eval.console.guard import run_command_line

from .parser import PROG, parse


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    # Other libraries read these on import: their progress bars would break ours.
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    return run_command_line(PROG, parse, argv)


def run_console_script() -> None:
    """Entry point of the console script."""
    sys.exit(main())
