"""Judge the golden pairs, compare with verdicts.jsonl, and write the file if asked.

python -m tests.golden.record            # show what shifted; exit 1 where something did
python -m tests.golden.record --write    # the same, and write the file
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from microcoder_eval import Judge
from microcoder_eval.languages import find_language
from microcoder_sandbox.toolchains.toolchain import find_toolchain
from tests.golden.lines import read_lines, shifts, verdict_line, write_lines
from tests.golden.pairs import Pair, all_pairs

FILE = Path(__file__).with_name("verdicts.jsonl")


def missing_languages(pairs: Iterable[Pair]) -> dict[str, int]:
    """Languages without a toolchain on this machine, with the number of pairs that need it."""
    missing: dict[str, int] = {}
    for name in [name for pair in pairs for name in pair.languages]:
        language = find_language(name)
        assert language is not None, name
        if find_toolchain(language.toolchain) is None:
            missing[name] = missing.get(name, 0) + 1
    return missing


def judge_pairs(pairs: Iterable[Pair]) -> dict[str, str]:
    """The verdict of every pair, a JSON line by name; all in one pool, as they come."""
    chosen = list(pairs)
    lines: dict[str, str] = {}
    with Judge(workers=2, stop="never") as judge:
        work = ((pair.solution, pair.problem) for pair in chosen)
        for index, judgement in judge.stream(work):
            lines[chosen[index].name] = verdict_line(chosen[index].name, judgement)
    return {pair.name: lines[pair.name] for pair in chosen}


def read_record() -> dict[str, str]:
    """The lines of verdicts.jsonl by name."""
    return read_lines(FILE) if FILE.exists() else {}


def main() -> int:
    """Judge, show, write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="write verdicts.jsonl")
    write = parser.parse_args().write
    pairs = list(all_pairs())
    missing = missing_languages(pairs)
    judged_pairs = [pair for pair in pairs if not pair.languages & missing.keys()]
    before, lines = read_record(), judge_pairs(judged_pairs)
    names = [pair.name for pair in pairs]
    kept = {name: line for name, line in before.items() if name not in lines and name in names}
    after = {name: {**kept, **lines}[name] for name in names if name in {**kept, **lines}}
    shifted = shifts(before, after)
    print("\n".join(shifted))
    for name, count in missing.items():
        print(f"{count} pairs not judged: no toolchain for {name}")
    print(f"{len(lines)} pairs judged, {len(shifted)} lines differ from {FILE.name}")
    if write:
        write_lines(FILE, after.values())
    return 1 if shifted and not write else 0


if __name__ == "__main__":
    sys.exit(main())
