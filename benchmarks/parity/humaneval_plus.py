"""HumanEval+ (mini) by EvalPlus's harness and by this judge: pass@1 of both, each disagreement.

    python benchmarks/parity/humaneval_plus.py --python ENV/bin/python [--mutants 4]

ENV has evalplus 0.3.1. Problems, inputs and reference solutions are those of the shared corpus; the
programs are the references and mutants of them, the same for both judges. Both get
EvalPlus's own kind of row: inputs, and the reference, which each runs itself.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from checkout import read_versions
from corpus import read_lines
from parity.comparison import compare, judge_ours

from microcoder_data.verify.mutants import make_mutants
from microcoder_eval import Judge
from microcoder_eval.formats.problems import problem_from

PREFIX = "humanevalplus-mini/"


def read_rows(name: str) -> list[dict[str, Any]]:
    """The rows of the corpus that are HumanEval+'s."""
    return [row for row in read_lines(name) if row["problem_id"].startswith(PREFIX)]


def make_material(mutants: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """EvalPlus's rows, and samples for both judges."""
    programs = {row["problem_id"]: row["code"] for row in read_rows("solutions.jsonl.gz")}
    problems, samples = [], []
    for row in read_rows("tests.jsonl.gz"):
        source = programs[row["problem_id"]]
        task = f"HumanEval/{row['problem_id'].removeprefix(PREFIX)}"
        inputs = [test["input"] for test in row["tests"]]
        problems.append(
            {
                "task_id": task,
                "prompt": "# The reference is a whole program.\n",
                "canonical_solution": source,
                "entry_point": row["entry_point"],
                "base_input": inputs,
                "plus_input": [],
                "atol": 0,
            }
        )
        texts = [source, *make_mutants(source, mutants, seed=0)]
        for number, text in enumerate(texts):
            samples.append({"task_id": task, "sample_id": f"{task}#{number}", "solution": text})
    return problems, samples


def judge_theirs(
    python: str, problems: list[dict[str, Any]], samples: list[dict[str, Any]]
) -> dict[str, str]:
    """EvalPlus's status of each sample."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / "problems.jsonl", Path(folder) / "samples.jsonl"]
        for file, rows in zip(files, (problems, samples), strict=True):
            file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        command = [python, str(Path(__file__).with_name("run_evalplus.py")), *map(str, files)]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return {row["sample_id"]: row["status"] for row in rows}


def main() -> None:
    """Judge twice, and write a record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--python", required=True)
    parser.add_argument("--mutants", type=int, default=4)
    options = parser.parse_args()
    problems, rows = make_material(options.mutants)
    records = {row["task_id"]: problem_from(row) for row in problems}
    samples = {
        row["sample_id"]: (
            {"problem_id": row["task_id"], "code": row["solution"]},
            records[row["task_id"]],
        )
        for row in rows
    }
    versions = read_versions(options.python, ["evalplus"])
    with Judge(workers=2) as judge:
        compare(
            "evalplus",
            "pass",
            lambda: judge_theirs(options.python, problems, rows),
            lambda: judge_ours(judge, samples),
            {"versions": versions, "problems": len(problems)},
        )


if __name__ == "__main__":
    main()
