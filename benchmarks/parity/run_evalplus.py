"""Judge samples with EvalPlus's own harness; runs in an environment that has evalplus.

    python run_evalplus.py problems.jsonl samples.jsonl > verdicts.jsonl

problems: rows of EvalPlus's own file. samples: task_id, sample_id, solution. Printed: sample_id and
status ("pass", "fail", "timeout"). What is called is what ``evalplus.evaluate`` calls.
"""

from __future__ import annotations

import json
import sys

from evalplus.eval import untrusted_check
from evalplus.gen.util import trusted_exec


def main() -> None:
    """Print a line for each sample."""
    with open(sys.argv[1], encoding="utf-8") as file:
        problems = {row["task_id"]: row for row in map(json.loads, file)}
    references = {}
    for name, row in problems.items():
        inputs = [*row["base_input"], *row["plus_input"]]
        source = row["prompt"] + row["canonical_solution"]
        references[name] = trusted_exec(source, inputs, row["entry_point"], record_time=True)
    with open(sys.argv[2], encoding="utf-8") as file:
        for sample in map(json.loads, file):
            row = problems[sample["task_id"]]
            expected, times = references[sample["task_id"]]
            status, _details = untrusted_check(
                "humaneval",
                sample["solution"],
                [*row["base_input"], *row["plus_input"]],
                row["entry_point"],
                expected=expected,
                atol=row["atol"],
                ref_time=times,
                fast_check=True,
            )
            print(json.dumps({"sample_id": sample["sample_id"], "status": status}), flush=True)


if __name__ == "__main__":
    main()
