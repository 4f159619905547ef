"""Record the verdict of every program of the corpus, and compare with an earlier record.

    python benchmarks/corpus_verdicts.py OUT [--isolation batch|test] [--every K] [--against FILE]

Only Python programs ever share a child, so `--language python` is the whole of what
`--isolation test` can change.
OUT holds a line a program: its name, verdict, status, flags and the verdict of each test; no text
of the corpus. Exit 1: a verdict differs from the one in FILE. Programs near a time limit are
listed, and never decide.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from checkout import REPOSITORY
from corpus import DATA, read_all_programs

from microcoder_eval import Judge
from tests.golden.lines import read_lines, shifts, verdict_line, write_lines


def record(every: int, isolation: str, workers: int | None, language: str | None) -> dict[str, str]:
    """Judge every Kth program; return a line for each, in the order of the corpus."""
    selection = [
        (problem, solution)
        for problem, solution in read_all_programs(every)
        if language in (None, solution.get("language", "python"))
    ]
    names = [solution["solution_id"] for _problem, solution in selection]
    lines: dict[str, str] = {}
    with Judge(workers=workers, isolation=isolation) as judge:
        pairs = ((solution, problem) for problem, solution in selection)
        for index, judgement in judge.stream(pairs):
            lines[names[index]] = verdict_line(names[index], judgement)
            if len(lines) % 100 == 0:
                print(f"\r{len(lines)} of {len(selection)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return {name: lines[name] for name in names}


def near_limit(line: str) -> bool:
    """Whether the verdict may depend on the machine."""
    return "near_limit" in json.loads(line)["flags"]


def compare(before: dict[str, str], after: dict[str, str]) -> bool:
    """Print the differences; return whether a program away from its limits has one."""
    common = [name for name in after if name in before]
    edge = {name for name in common if near_limit(before[name]) or near_limit(after[name])}
    for title, names in (
        ("shifted", [name for name in common if name not in edge]),
        ("near a limit", [name for name in common if name in edge]),
    ):
        changes = shifts({n: before[n] for n in names}, {n: after[n] for n in names})
        print(f"{len(changes)} of {len(names)} {title}", *changes, sep="\n  ")
    return any(before[name] != after[name] for name in common if name not in edge)


def main() -> int:
    """Judge, write and compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, metavar="OUT", help="a file outside the repository")
    parser.add_argument("--isolation", choices=["batch", "test"], default="batch")
    parser.add_argument("--every", type=int, default=1, metavar="K", help="only every Kth program")
    parser.add_argument("--language", metavar="NAME", help="only programs in this language")
    parser.add_argument("--workers", type=int, help="default: the cores that may be used")
    parser.add_argument("--against", type=Path, metavar="FILE", help="an earlier OUT")
    options = parser.parse_args()
    if not DATA.exists():
        print(f"no corpus at {DATA}: nothing to record", file=sys.stderr)
        return 2
    if options.out.resolve().is_relative_to(REPOSITORY):
        parser.error("OUT must lie outside the repository")
    before = read_lines(options.against) if options.against else {}
    start = time.monotonic()
    lines = record(options.every, options.isolation, options.workers, options.language)
    write_lines(options.out, lines.values())
    print(f"{len(lines)} programs in {time.monotonic() - start:.0f} s: {options.out}")
    return 1 if compare(before, lines) and before else 0


if __name__ == "__main__":
    sys.exit(main())
