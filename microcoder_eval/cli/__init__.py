"""The command line ``microcoder-eval``. Heavy modules are imported when a verb needs them."""

from __future__ import annotations

import os
import sys
from importlib import import_module

from microcoder_eval.console.guard import run_guarded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace


def main(argv: list[str] | None = None) -> int:
    """Run the command line; return the exit code, whose meanings ``--help`` lists."""

    def run_command() -> int:
        words = sys.argv[1:] if argv is None else argv
        if _looks_like_judging(words):
            from microcoder_eval.pool.worker_process import spare_worker

            spare_worker.start()  # before all other imports, so that both import at the same time
        from .parser import parse_arguments

        args = parse_arguments(words)
        return _run(args.command, args)

    return run_guarded("microcoder-eval", run_command)


def _looks_like_judging(words: list[str]) -> bool:
    """Guess quickly whether these arguments ask for a judge on this machine."""
    return (
        any(word == "--tests" or word.startswith("--tests=") for word in words)
        and (words[0].startswith("-") or os.path.exists(words[0]))
        and "ray" not in words
        and "--engine=ray" not in words
    )


def _run(command: str, args: Namespace) -> int:
    if command == "guide":
        from .parser import GUIDE

        print(GUIDE, end="")
        return 0
    name = ".judge" if command == "judge" else f".verbs.{command}"
    exit_code: int = import_module(name, __name__).run(args)
    return exit_code


def run_console_script() -> None:
    """Entry point of the console script."""
    sys.exit(main())
