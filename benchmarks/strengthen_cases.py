"""Prepares public programs with known truth for benchmarks/strengthen.py.

    python benchmarks/strengthen_cases.py FOLDER --set humaneval|mbpp|leetcode --out CASES
        [--split tune test]

FOLDER holds files of public repositories, as they are: HumanEvalPlus.jsonl.gz and
MbppPlus.jsonl.gz of evalplus, samples of models in microsoft/CodeT, noahshinn/reflexion,
andyz245/LanguageAgentTreeSearch, FloridSleeves/LLMDebugger, Md-Ashraful-Pramanik/MapCoder and
my-other-github-account/llm-humaneval-benchmarks (model names are the part of a file's name before
``.``); in ``openoj`` the folder problems-bettercode of zydo/openoj-problems, in ``doocs`` the
folder solution of doocs/leetcode.
Each case has a problem with its stored tests, references, and programs that pass the stored tests,
with whether they pass the full tests too.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import checkout  # noqa: F401 - finds this checkout's packages

from microcoder_data.fingerprints import normalize_program
from microcoder_data.verify.mutants import make_mutants
from microcoder_data.verify.outputs import make_outputs
from microcoder_eval.api import Judge
from microcoder_eval.audit.trials import Runner
from microcoder_eval.formats import problem_from
from microcoder_eval.records import Limits, Solution
from microcoder_sandbox import codec

Row = dict[str, Any]
_PER_MODEL = 10  # different programs of a model for a problem that pass the stored tests
_TRIED_PER_MODEL = 40
_MUTANTS = 40
_LEAST_TESTS = 8  # of a problem: three are stored
_IMPORTS = (
    "".join(
        f"from {module} import *\n"
        for module in ("typing", "functools", "collections", "itertools", "heapq", "bisect", "math")
    )
    + "import math\n"
)
_SPLITS = ("build",) * 4 + ("tune",) * 3 + ("test",) * 3


def read_lines(path: Path) -> list[Row]:
    """The rows of a file of JSON lines."""
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else path.open()
    with opened as file:
        return [json.loads(line) for line in file if line.strip()]


def name_split(problem_id: str) -> str:
    """The split of a problem, by its name alone."""
    return _SPLITS[hashlib.sha256(problem_id.encode()).digest()[0] % 10]


class Preparer:
    """Finds outputs and labels by the sandbox."""

    def __init__(self, workers: int, splits: Sequence[str]) -> None:
        self.splits = splits
        self._judge = Judge(workers=workers)
        self._runner = Runner(self._judge)

    def make_tests(self, entry: str, code: str, inputs: list[Any]) -> list[Row]:
        """Tests with the answers of a reference, without those on which it fails."""
        row = {"kind": "call", "entry_point": entry}
        limits = Limits(time_s=4.0, wall_s=600.0, memory_mb=2048)
        program = Solution("", "reference", code)
        outputs = make_outputs(self._runner, row, program, inputs, limits)
        return [
            {"input": value, "output": output.value}
            for value, output in zip(inputs, outputs, strict=True)
            if output.has_ended
        ]

    def label(self, row: Row, full: list[Row], programs: Iterable[Row]) -> list[Row]:
        """The programs that pass the stored tests, with ``right``: whether they pass all."""
        stored = problem_from(row)
        whole = problem_from({**row, "tests": full})
        named = list(programs)
        solutions = [Solution(row["problem_id"], item["id"], item["code"]) for item in named]
        judgements = self._runner.judge_programs(stored, solutions)
        passing: list[int] = []
        counts: dict[str, int] = defaultdict(int)
        for place, judgement in enumerate(judgements):
            if judgement.passed and counts[named[place]["model"]] < _PER_MODEL:
                counts[named[place]["model"]] += 1
                passing.append(place)
        labels = self._runner.judge_programs(whole, [solutions[place] for place in passing])
        return [
            {**named[place], "right": label.passed, "verdict": str(label.verdict)}
            for place, label in zip(passing, labels, strict=True)
        ]


def _read_samples(folder: Path, prefix: str, prompts: Mapping[str, str]) -> dict[str, list[Row]]:
    """Samples by entry point, each once. prompts: by the names of the tasks, for rows without."""
    samples: dict[str, dict[str, Row]] = defaultdict(dict)
    for path in sorted(folder.glob("*.jsonl")):
        model = path.name.partition(".")[0]
        if model.startswith("mbpp") != (prefix == "mbpp"):
            continue
        for row in read_lines(path):
            prompt = row.get("prompt") or prompts.get(row.get("task_id", ""), "")
            entry = row.get("entry_point") or _find_last_function(prompt)
            lists = ("samples", "implementations", "source_codes")
            codes = [code for name in lists for code in row.get(name, [])]
            codes += [row.get("solution"), row.get("completion")]
            texts = [code for code in codes if code and isinstance(code, str)]
            for number, code in enumerate(texts[:_TRIED_PER_MODEL]):
                whole = code if f"def {entry}" in code else prompt + code
                whole = whole if prompt in whole else _take_imports(prompt) + whole
                key = normalize_program(whole) or whole
                samples[entry].setdefault(
                    key, {"id": f"{model}-{number}", "model": model, "code": whole}
                )
    return {entry: list(found.values()) for entry, found in samples.items()}


def _find_last_function(prompt: str) -> str:
    return prompt.rpartition("\ndef ")[2].partition("(")[0].removeprefix("def ")


def _take_imports(prompt: str) -> str:
    return "".join(f"{line}\n" for line in prompt.splitlines() if "import " in line)


def prepare_humaneval(folder: Path, preparer: Preparer) -> Iterator[Row]:
    """HumanEval's tests, with those of HumanEval+ as truth."""
    sources = read_lines(folder / "HumanEvalPlus.jsonl.gz")
    prompts = {source["task_id"]: source["prompt"] for source in sources}
    samples = _read_samples(folder, "humaneval", prompts)
    for source in sources:
        name, entry = source["task_id"], source["entry_point"]
        if name_split(name) not in preparer.splits:
            continue
        code = source["prompt"] + source["canonical_solution"]
        base = preparer.make_tests(entry, code, source["base_input"])
        plus = preparer.make_tests(entry, code, source["plus_input"])
        row = {"problem_id": name, "kind": "call", "entry_point": entry, "tests": base}
        row |= {"statement": source["prompt"], "starter_code": source["prompt"]}
        if source["atol"]:
            row["checker"] = {"name": "floats", "abs": source["atol"], "rel": 1e-6}
        programs = preparer.label(row, [*base, *plus], samples.get(entry, []))
        yield {"row": row, "references": [code], "programs": programs}


def prepare_mbpp(folder: Path, preparer: Preparer) -> Iterator[Row]:
    """MBPP's assertions, with the tests of MBPP+ as truth."""
    samples = _read_samples(folder, "mbpp", {})
    for source in read_lines(folder / "MbppPlus.jsonl.gz"):
        name, entry, code = source["task_id"], source["entry_point"], source["canonical_solution"]
        if not _is_of_part(name, 3) or name_split(name) not in preparer.splits:
            continue
        calls = [
            node.args
            for node in ast.walk(ast.parse(source["assertion"]))
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == entry
        ]
        try:
            base_inputs = [[ast.literal_eval(value) for value in args] for args in calls]
        except ValueError:
            continue
        if not base_inputs:
            continue
        shape = base_inputs[0]
        plus_inputs = [_shape_like(value, shape) for value in source["plus_input"]]
        base = preparer.make_tests(entry, code, [codec.to_json(item) for item in base_inputs])
        plus = preparer.make_tests(entry, code, [codec.to_json(item) for item in plus_inputs])
        if not base or not samples.get(entry):
            continue
        row = {"problem_id": name, "kind": "call", "entry_point": entry, "tests": base}
        programs = samples.get(entry, [])
        prompts = [item["code"] for item in programs]
        header = next((code.partition('"""')[0] for code in prompts), "")
        row |= {"statement": source["prompt"], "starter_code": header + "    pass\n"}
        yield {
            "row": row,
            "references": [code],
            "programs": preparer.label(row, [*base, *plus], programs),
        }


def _shape_like(value: Any, shape: Any) -> Any:
    """A JSON value with tuples and sets where the shape has them."""
    if isinstance(value, list):
        inner = list(shape) if isinstance(shape, list | tuple | set) else []
        parts = [
            _shape_like(item, inner[min(place, len(inner) - 1)]) if inner else item
            for place, item in enumerate(value)
        ]
        return type(shape)(parts) if isinstance(shape, tuple | set) else parts
    return value


def prepare_leetcode(folder: Path, preparer: Preparer) -> Iterator[Row]:
    """Three stored tests, with all tests as truth; right programs of people, and mutants."""
    of_people = _list_solutions(folder / "doocs")
    for path in sorted((folder / "openoj").rglob("cases.json")):
        source = json.loads((path.parent / "problem.json").read_text())
        statement = (path.parent / "statement.md").read_text().split("\n## Hints")[0]
        name, call = source["slug"], source["invocation"]
        if call["type"] != "function" or "any order" in statement or not _is_of_part(name, 12):
            continue
        if name_split(name) not in preparer.splits:
            continue
        cases = json.loads(path.read_text())
        full = [
            {"input": test["input"], "output": test["expected"]}
            for test in (*cases.get("public", []), *cases.get("hidden", []))
            if "expected" in test
        ]
        if len(full) < _LEAST_TESTS:
            continue
        row = {"problem_id": name, "kind": "call", "entry_point": call["method"]}
        row |= {"statement": statement, "tests": full[:3]}
        row["starter_code"] = (path.parent / "starter.py").read_text()
        reference, *others = [file.read_text() for file in sorted(path.parent.glob("solution*.py"))]
        mutants = make_mutants(reference, _MUTANTS, 977)
        programs = [
            {"id": f"{model}-{number}", "model": model, "code": code}
            for model, codes in (
                ("mutant", mutants),
                ("people", [*others, *of_people.get(name, [])]),
            )
            for number, code in enumerate(codes)
        ]
        programs = [{**one, "code": _IMPORTS + one["code"]} for one in programs]
        labelled = preparer.label(row, full, programs)
        # A mutant that passes all tests may be wrong all the same.
        known = [one for one in labelled if one["model"] == "people" or not one["right"]]
        yield {"row": row, "references": [_IMPORTS + reference], "programs": known}


def _list_solutions(folder: Path) -> dict[str, list[str]]:
    """Python programs by the names of their problems; their folders are "0001.Two Sum"."""
    programs: dict[str, list[str]] = defaultdict(list)
    for path in sorted(folder.rglob("Solution*.py")):
        title = path.parent.name.partition(".")[2].lower()
        name = "-".join(re.findall(r"[a-z0-9]+", title.replace("'", "")))
        programs[name].append(path.read_text())
    return programs


def _is_of_part(name: str, parts: int) -> bool:
    """Whether a problem is in the first of so many parts, by its name alone."""
    return hashlib.sha256(name.encode()).digest()[1] % parts == 0


def main() -> None:
    """Write the cases of a set."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--set", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--split", nargs="+", default=["build", "tune", "test"])
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    prepare = globals()[f"prepare_{args.set}"]
    with args.out.open("w") as file:
        for case in prepare(args.folder, Preparer(args.workers, args.split)):
            problem_id = case["row"]["problem_id"]
            whole = {"set": args.set, "split": name_split(problem_id), **case}
            file.write(json.dumps(whole) + "\n")
            file.flush()
            labels = [item.get("right") for item in case["programs"]]
            print(problem_id, labels.count(True), labels.count(False), flush=True)


if __name__ == "__main__":
    main()
