"""Do added tests refuse programs that overflow 32 bits, or that are too slow for the bounds?

    python benchmarks/strengthen_limits.py [--out FILE]

Problems of our own (strengthen_limits.toml), with a statement that gives the bounds and two small
tests; for each a right Python program and, in C++, one with 32-bit sums, or one with a slow
algorithm. A program counts where it passes the stored tests.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checkout import read_table
from publication import write_report

from microcoder_data.recipe import Strengthen
from microcoder_data.strengthen.strengthener import ProblemStrengthener
from microcoder_data.verify.programs import ProgramStore
from microcoder_eval.api import Judge
from microcoder_eval.audit.labelled_programs import Program
from microcoder_eval.audit.trials import Runner
from microcoder_eval.formats import problem_from
from microcoder_eval.records import Solution

_TIME_LIMIT = 1.0  # seconds
_HEAD = "#include <bits/stdc++.h>\nusing namespace std;\nint main(){"


@dataclass(frozen=True, slots=True)
class Form:
    """A form of input: its statement, stored inputs, and how Python and C++ read it."""

    statement: str
    inputs: list[str]
    python: str
    cpp: str


@dataclass(frozen=True, slots=True)
class Case:
    """A problem, its right program, and C++ that overflows or is slow; "" where there is none."""

    name: str
    form: Form
    task: str
    right: str
    overflows: str = ""
    slow: str = ""


def read_cases() -> list[Case]:
    """The problems of strengthen_limits.toml."""
    table = read_table(__file__)
    forms = {name: Form(**form) for name, form in table["forms"].items()}
    return [Case(**{**case, "form": forms[case["form"]]}) for case in table["cases"]]


def make_row(case: Case) -> dict[str, Any]:
    """The problem with small tests."""
    tests = []
    for text in case.form.inputs:
        command = [sys.executable, "-c", case.form.python + case.right]
        ended = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
        tests.append({"input": text, "output": ended.stdout})
    statement = f"{case.form.statement}\n\n{case.task}"
    limits = {"time_s": _TIME_LIMIT}
    row = {"problem_id": case.name, "kind": "stdin", "statement": statement}
    return {**row, "tests": tests, "limits": limits}


def measure(case: Case, judge: Judge) -> dict[str, Any]:
    """Whether added tests refuse the programs of a case."""
    row = make_row(case)
    code = case.form.python + case.right
    store = ProgramStore()
    store.programs.by_problem[case.name] = [Program(Solution(case.name, "right", code))]
    runner = Runner(judge)
    strong = ProblemStrengthener(runner, store, Strengthen(), 1).run(row).row
    assert strong is not None
    outcome: dict[str, Any] = {"problem": case.name, **strong["strengthened"]}
    for kind, body in (("overflows", case.overflows), ("slow", case.slow)):
        if body:
            text = f"{_HEAD}{case.form.cpp}{body}}}"
            solution = Solution(case.name, kind, text, language="cpp")
            old, new = (
                runner.judge_programs(problem_from({**one, "solutions": []}), [solution])[0]
                for one in (row, strong)
            )
            outcome[kind] = {"passes_stored": old.passed, "refused": not new.passed}
    return outcome


def main() -> None:
    """Measure, print and write the report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    with Judge(workers=1, stop="never") as judge:
        outcomes = [measure(case, judge) for case in read_cases()]
    figures: dict[str, Any] = {}
    for kind in ("overflows", "slow"):
        group = [one[kind] for one in outcomes if kind in one and one[kind]["passes_stored"]]
        figures[kind] = {"programs": len(group), "refused": sum(one["refused"] for one in group)}
    write_report("strengthen_limits", {**figures, "problems": outcomes}, args.out)


if __name__ == "__main__":
    main()
