"""Are the inputs that ``strengthen`` makes valid? Asks the validators of problem packages.

    python benchmarks/strengthen_validity.py [--folder FOLDER] [--seeds 1 2 3] [--out FILE]

The packages of ../shared/data, or those in FOLDER, have programs that say whether an input keeps
all constraints. They are hidden from the stage, which sees the statement, the tests and the right
Python programs (groups of tests and points are dropped), and asked afterwards about the tests that
it adds. Packages without a right Python program are left out.

Packages differ in their limits by group of tests; an input is valid where some group allows it. The
validators in the language checktestdata, whose interpreter may be missing, are transcribed here. A
package whose validator refuses a test of the package itself is left out.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus import open_packages, read_packages
from publication import write_report

from microcoder_data.recipe import Strengthen
from microcoder_data.strengthen.strengthener import ProblemStrengthener
from microcoder_data.verify.programs import ProgramStore
from microcoder_eval.api import Judge
from microcoder_eval.audit.labelled_programs import Program
from microcoder_eval.audit.trials import Runner
from microcoder_eval.errors import MicrocoderError
from microcoder_eval.records import Solution

_VALID_EXIT = 42
_MAX_TESTS = 60  # of a package, small and large
_MAX_NAMED = 5  # invalid inputs that the record names
_FLAGS = re.compile(r"^input_validator_flags:(.*)$", re.MULTILINE)
Row = dict[str, Any]
Validator = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Package:
    """A package as a row, its right Python programs and its validator."""

    row: Row
    programs: Sequence[Solution]
    is_valid: Validator


def list_packages(folder: Path) -> Iterator[Package]:
    """Yield the packages with a validator that is known to accept the package's own tests."""
    for path, row in read_packages(folder):
        validator = make_validator(path)
        if validator is None or row.get("interactor") or not row["tests"]:
            continue
        name, tests = row["problem_id"], row["tests"][:: -(-len(row["tests"]) // _MAX_TESTS)]
        programs = [
            Solution(name, str(number), solution["code"])
            for number, solution in enumerate(row["solutions"])
            if solution.get("verdict") == "AC"
        ]
        if not programs:
            continue
        if not all(validator(test["input"]) for test in tests):
            print(f"{name}: its validator refuses a test of its own", flush=True)
            continue
        names = ("statement", "limits", "checker", "language", "entry_point")
        row = {key: row[key] for key in names if key in row} | {"problem_id": name, "tests": tests}
        yield Package(row, programs, validator)


def make_validator(folder: Path) -> Validator | None:
    """Return the validator of a package; None where it has none that can run here."""
    sources = [path for path in folder.glob("input*_validators/**/*") if path.is_file()]
    flags = [
        match[1].split()
        for path in sorted((folder / "data").rglob("testdata.yaml"))
        for match in _FLAGS.finditer(path.read_text())
    ] or [[]]
    for source in sources:
        if source.suffix == ".py":
            return _run_with([sys.executable, "-W", "ignore", str(source)], flags)
        if source.suffix == ".cpp":
            binary = source.with_suffix(".out")
            subprocess.run(["g++", "-O1", "-w", "-o", binary, source], check=True)
            return _run_with([str(binary)], flags)
    return _TRANSCRIBED.get(folder.name)


def _run_with(command: Sequence[str], flags: Sequence[Sequence[str]]) -> Validator:
    def is_valid(text: str) -> bool:
        return any(
            subprocess.run(
                [*command, *words], input=text.encode(), capture_output=True, check=False
            ).returncode
            == _VALID_EXIT
            for words in flags
        )

    return is_valid


def _is_wolf(text: str) -> bool:
    count, *cards = text.splitlines()
    is_card = all(re.fullmatch(r"([1-9]|1[0-3]) [CDHS]", card) for card in cards)
    return int(count) == len(cards) == len(set(cards)) <= 52 and is_card


def _is_dexsave(text: str) -> bool:
    match = re.fullmatch(
        r"(\d+) (-?\d+)\n(?:straight|advantage|disadvantage)\n([0-5])((?: [+-]d\d+)*)\n", text
    )
    if match is None:
        return False
    dice = [int(word[2:]) for word in match[4].split()]
    is_bounded = int(match[1]) <= 30 and -10 <= int(match[2]) <= 10
    return is_bounded and len(dice) == int(match[3]) and all(3 <= die <= 10 for die in dice)


def _is_pair_of_polynomials(text: str) -> bool:
    lines = [[int(token) for token in line.split()] for line in text.splitlines()]
    return len(lines) == 4 and all(
        len(degree) == 1
        and 0 <= degree[0] <= 10
        and len(factors) == degree[0] + 1
        and all(abs(factor) <= 1000 for factor in factors)
        and (factors[0] != 0 or not degree[0])
        for degree, factors in (lines[:2], lines[2:])
    )


_TRANSCRIBED: dict[str, Validator] = {
    "wolf": _is_wolf,
    "dexsave": _is_dexsave,
    "symmetricpolynomials": _is_pair_of_polynomials,
}


def measure(package: Package, judge: Judge, recipe: Strengthen, seed: int) -> Row:
    """Return how many tests were added and how many of them are not valid."""
    name = package.row["problem_id"]
    store = ProgramStore()
    store.programs.by_problem[name] = [Program(program) for program in package.programs]
    outcome: Row = {"problem": name, "tests": len(package.row["tests"]), "seed": seed}
    try:
        row = ProblemStrengthener(Runner(judge), store, recipe, seed).run(package.row).row
    except MicrocoderError as error:
        return {**outcome, "why": str(error)[:200]}
    assert row is not None
    added = [test["input"] for test in row["tests"][len(package.row["tests"]) :]]
    invalid = [text for text in added if not package.is_valid(text)]
    return {
        **outcome,
        "why": row["strengthened"].get("skipped"),
        "programs": len(package.programs),
        "added": len(added),
        "invalid": len(invalid),
        "examples": [text[:200] for text in invalid[:_MAX_NAMED]],
    }


def main() -> None:
    """Measure, print and write the report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument(
        "--folder", type=Path, help="of packages; those of ../shared/data if it is not given"
    )
    parser.add_argument("--only", help="name of one package")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    outcomes = []
    packages = nullcontext(args.folder) if args.folder else open_packages()
    with packages as folder, Judge(workers=1, stop="never") as judge:
        for package in list_packages(folder):
            if args.only and not package.row["problem_id"].endswith(args.only):
                continue
            for seed in args.seeds:
                outcomes.append(measure(package, judge, Strengthen(), seed))
                print(json.dumps(outcomes[-1]), flush=True)
    total = {key: sum(one.get(key, 0) for one in outcomes) for key in ("added", "invalid")}
    write_report("strengthen_validity", {**total, "packages": outcomes}, args.out)


if __name__ == "__main__":
    main()
