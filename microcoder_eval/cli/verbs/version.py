"""``--version``: prints what a bug report needs."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

from microcoder_eval import about
from microcoder_eval.version import __version__


def run(args: Any) -> int:
    """Print the version and facts about the machine; return 0 even if facts are missing."""
    from microcoder_eval.cli.streams import tolerate_closed_stdout

    facts = about.collect_facts()
    with tolerate_closed_stdout():
        if args.json:
            print(json.dumps(facts))
        else:
            print("\n".join([f"microcoder-eval {facts['version']}", *about.format_facts(facts)]))
    return 0


class PrintVersion(argparse.Action):
    """``--version`` in short: the versions of the command, of Python and of ``packages``."""

    def __init__(self, option_strings: Sequence[str], dest: str, packages: Sequence[str]) -> None:
        super().__init__(option_strings, dest, nargs=0, help="versions, for bug reports")
        self._packages = packages

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        """Raise SystemExit(0)."""
        name = parser.prog.partition(" ")[0]
        sys.stdout.write(f"{name} {__version__}\n{about.summarize_versions(self._packages)}\n")
        parser.exit()
