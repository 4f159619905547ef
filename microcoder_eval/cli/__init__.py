"""The command line ``microcoder-eval``. Heavy modules are imported when a verb needs them."""

from __future__ import annotations

import os
import sys

from microcoder_eval.console.guard import run_command_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace


def main(argv: list[str] | None = None) -> int:
    """Run the command line; return the exit code, whose meanings ``--help`` lists."""
    return run_command_line("microcoder-eval", _parse, argv)


def _parse(words: list[str]) -> Namespace | None:
    if _looks_like_judging(words):
        from microcoder_eval.pool.worker_process import spare_worker

        spare_worker.start()  # before all other imports, so that both import at the same time
    from .parser import parse

    return parse(words)


def _looks_like_judging(words: list[str]) -> bool:
    """Guess quickly whether these arguments ask for a judge on this machine."""
    return (
        any(word == "--tests" or word.startswith("--tests=") for word in words)
        and (words[0].startswith("-") or os.path.exists(words[0]))
        and "ray" not in words
        and "--engine=ray" not in words
    )


def run_console_script() -> None:
    """Entry point of the console script."""
    sys.exit(main())
