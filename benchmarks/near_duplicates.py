"""What process and filter cost where problems share most of their text.

Makes problems of which four fifths of the words are the same for all, one in a hundred of them a
near duplicate of another, and runs both stages on them. Prints the seconds and the peak of memory
(of the main process and of all worker processes together) for each count of problems.

    python benchmarks/near_duplicates.py [1000 2000 10000] [--workers 2]
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parent)]

from common import RESULTS, describe_machine, make_stamped_name, save  # noqa: E402

from microcoder_data.execution import RunConfig, run_stage  # noqa: E402
from microcoder_data.filter.stage import FilterStage  # noqa: E402
from microcoder_data.process.stage import ProcessStage  # noqa: E402
from microcoder_data.recipe import Filter, Process  # noqa: E402

SHARED = """\
You are taking part in the yearly contest of the harbour town, and this is one of its tasks.
Read it with care, because all judges of the contest are strict and will not answer any question
about its meaning. Your program reads the numbers of one notebook and has to print a single line
that holds the answer. The first line of the input holds the number n of entries in the
notebook, and the second line holds the n entries themselves, divided by single blanks. It is
promised that every entry is a whole number that fits into four bytes, that no entry is missing,
and that the notebook has at least one entry. A program that prints anything else, such as a
greeting or a question, is not accepted. Programs may use the standard library of their language
but must not open any file or connection. What the clerk wants to know of this notebook is the
following."""
STARTS = [
    "ba",
    "co",
    "di",
    "fu",
    "ge",
    "ho",
    "ki",
    "lu",
    "ma",
    "ne",
    "po",
    "ra",
    "se",
    "to",
    "vu",
    "wi",
]
ENDS = ["den", "lor", "mis", "nar", "pel", "rut", "sham", "tig", "wom", "zan"]
SYLLABLES = [start + end for start in STARTS for end in ENDS]
COPY_EVERY = 100
WORKERS = 2


def make_word(chance: random.Random) -> str:
    """A word that few problems share."""
    return chance.choice(SYLLABLES) + chance.choice(SYLLABLES)


def make_problem(number: int) -> dict[str, Any]:
    """A problem with some 40 words of its own. Every hundredth is nearly the last."""
    is_copy = number % COPY_EVERY == COPY_EVERY - 1
    chance = random.Random(number - is_copy)
    own = [make_word(chance) for _ in range(len(SHARED.split()) // 4)]
    if is_copy:
        own[-1] = "otherwise"
    tests = [{"input": f"2\n{number} {value}\n", "output": f"{number * value + value}\n"}
             for value in range(3, 8)]  # fmt: skip
    return {
        "problem_id": f"shared-{number}",
        "kind": "stdin",
        "statement": f"{SHARED} Print the sum of all entries that {' '.join(own)}.",
        "tests": tests,
        "licence": "CC0-1.0",
    }


def measure_peak_mb(workers: int) -> float:
    """The most memory that the main process and all of its workers can have held together."""
    own, largest_child = (
        resource.getrusage(who).ru_maxrss
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return round((own + workers * largest_child) / 1024, 1)


def measure(count: int, workers: int) -> dict[str, Any]:
    """Run both stages on so many problems."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "raw.jsonl")
        with source.open("w") as file:
            for number in range(count):
                file.write(json.dumps(make_problem(number)) + "\n")
        result: dict[str, Any] = {"problems": count, "workers": workers}
        for stage in (ProcessStage(Process()), FilterStage(Filter())):
            out = Path(folder, f"{stage.name}.jsonl")
            start = time.monotonic()
            manifest = run_stage(stage, RunConfig([str(source)], str(out), workers=workers))
            result[f"{stage.name}_s"] = round(time.monotonic() - start, 1)
            result[f"{stage.name}_dropped"] = manifest["reasons"]
            source = out
    result["peak_mb"] = measure_peak_mb(workers)
    return result


def main() -> None:
    """Measure each count and save the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("counts", nargs="*", type=int, default=[1000, 2000, 10_000])
    parser.add_argument("--workers", type=int, default=WORKERS)
    arguments = parser.parse_args()
    rows = []
    for count in arguments.counts:
        rows.append(measure(count, arguments.workers))
        print(json.dumps(rows[-1]), flush=True)
    path = RESULTS / f"{make_stamped_name('near_duplicates')}.json"
    save(path, {"machine": describe_machine(), "runs": rows})
    print(path)


if __name__ == "__main__":
    main()
