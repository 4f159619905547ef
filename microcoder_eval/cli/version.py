"""``--version``: what to put into a bug report."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

from microcoder_eval import about
from microcoder_eval.version import __version__


def run(args: Any) -> int:
    """``microcoder-eval --version``: the version, then the machine; 0 whatever is missing."""
    from .streams import answering

    told = about.facts()
    with answering():
        if args.json:
            print(json.dumps(told))
        else:
            print("\n".join([f"microcoder-eval {told['version']}", *about.lines(told)]))
    return 0


class PrintVersion(argparse.Action):
    """``--version`` of a command that needs few words: its own, Python's, those of packages."""

    def __init__(self, option_strings: Sequence[str], dest: str, packages: Sequence[str]) -> None:
        super().__init__(option_strings, dest, nargs=0, help="versions, for bug reports")
        self._packages = packages

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        """Raises SystemExit(0)."""
        name = parser.prog.partition(" ")[0]
        sys.stdout.write(f"{name} {__version__}\n{about.short(self._packages)}\n")
        parser.exit()
