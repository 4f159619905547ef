"""Changes the code at random places, and checks that the tests nearest to it fail.

    python tools/mutation_check.py [--only NAME ...] [--number 300] [--jobs 2] [--least 0.95]

A mutant is one change to one file: another comparison, the other of `and` and `or`, a number plus
one, a branch taken when it should not be. Which mutants are tried depends on their own text alone,
so a change elsewhere in the code does not draw others. Mutants that behave as the original are
listed with the reason in `mutation_equal.tsv`.

The results are kept in `.mutation/`. A run that is stopped goes on from there. A mutant that tests
missed is tried again each time; one that they caught is not. Exit 1: less than `--least` of the
mutants are caught. Exit 2: the tests fail without a mutant.
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parents[1]
EQUAL = Path(__file__).with_name("mutation_equal.tsv")
RESULTS = ROOT / ".mutation"
COPIED = ("microcoder_eval", "microcoder_data", "microcoder_train", "sandbox", "tests", "tools",
          "datasets", "docs", "examples", "pyproject.toml", "README.md")  # fmt: skip
# The tests nearest to each part, fast ones first: the next are run where the first pass.
TESTS = {
    "microcoder_eval/worker/verdicts.py": [["tests/judge/worker/test_outcomes.py"]],
    "microcoder_eval/worker/expectations.py": [["tests/judge/worker/test_outcomes.py"]],
    "microcoder_eval/compare": [
        ["tests/compare", "--ignore=tests/compare/test_properties.py",
         "--ignore=tests/compare/test_hostile.py", "--ignore=tests/compare/test_big.py"],
        ["tests/compare/test_properties.py"],
    ],
    "microcoder_eval/points": [["tests/points"], ["tests/formats/packages/test_groups.py"]],
    "microcoder_eval/plain": [["tests/plain"], ["tests/python_tests/test_state.py"]],
    "microcoder_eval/results/journal.py": [["tests/results/test_journal.py"]],
    "microcoder_eval/results/difference.py": [["tests/results/test_difference.py"]],
    "microcoder_eval/results/statistics.py": [["tests/results/test_difference.py"]],
    "microcoder_train/algorithm": [["tests/train/algorithm"]],
    "microcoder_train/run/checkpoint.py": [["tests/train/run/test_checkpoint.py"]],
    "microcoder_data/filter": [
        ["tests/data/test_filter.py", "tests/data/test_near_duplicates.py",
         "tests/data/test_difficulty.py"],
    ],
    "microcoder_data/decontaminate/train_eval_overlap.py": [
        ["tests/data/test_train_eval_overlap.py"],
    ],
    "microcoder_data/process/wording.py": [
        ["tests/data/test_truncation.py", "tests/data/test_damage.py",
         "tests/data/test_process.py", "tests/data/test_statement_rules.py"],
    ],
}  # fmt: skip
PLUGINS = ("-p", "pytest_timeout", "-p", "no:cacheprovider")  # others take a second to load
TIMES_AS_LONG, LEAST_LIMIT_S = 6, 30  # than the tests take without a mutant
MEMORY_BYTES = 6 * 2**30  # of data; a mutant may fill a list without end

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Add, ast.Pow: ast.Mult,
}  # fmt: skip
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """A change of one place: the bytes from ``start`` to ``end`` of a file become ``text``."""

    file: str
    line: int
    start: int
    end: int
    text: str
    change: str  # the line before and after, which names the mutant wherever the line moves

    @property
    def key(self) -> str:
        return hashlib.sha256(f"{self.file}\t{self.change}".encode()).hexdigest()[:16]


def changed_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Copies of a node, each with one change."""
    match node:
        case ast.Compare(ops=ops):
            for index, operator in enumerate(ops):
                changed = copy.deepcopy(node)
                changed.ops[index] = COMPARISONS[type(operator)]()
                yield changed
        case ast.BoolOp(op=operator, values=values):
            other = ast.And() if isinstance(operator, ast.Or) else ast.Or()
            yield ast.BoolOp(other, values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in OPERATORS:
            if not isinstance(left, ast.JoinedStr) and not isinstance(right, ast.JoinedStr):
                yield ast.BinOp(left, OPERATORS[type(operator)](), right)
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield ast.Constant(value + 1)
        case ast.IfExp(test=test, body=body, orelse=other):
            yield ast.IfExp(test, other, body)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords) if name in CALLS:
            yield ast.Call(ast.Name(CALLS[name]), args, keywords)
        case ast.Continue():
            yield ast.Break()
        case ast.Break():
            yield ast.Continue()
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call() | ast.Yield()):
            yield ast.Pass()


def decisive_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a module that decide something: no annotation, decorator, name or message."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.Raise | ast.JoinedStr):
                continue
            if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
                continue
            yield child
            yield from decisive_nodes(child)


def list_mutants(file: str, code: bytes) -> list[Mutant]:
    """All mutants of a file."""
    lines = code.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines))]
    mutants = []
    for node in decisive_nodes(ast.parse(code)):
        for changed in changed_nodes(node):
            assert isinstance(node, ast.expr | ast.stmt)
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[node.end_lineno - 1] + node.end_col_offset
            text = ast.unparse(ast.fix_missing_locations(changed))
            if isinstance(changed, ast.expr) and not isinstance(changed, ast.Constant):
                text = f"({text})"
            old = " ".join(code[start:end].decode().split())
            whole = lines[node.lineno - 1].decode().strip()
            change = f"{whole} | {old} → {text}"
            mutants.append(Mutant(file, node.lineno, start, end, text, change))
    return mutants


def read_equal() -> dict[str, str]:
    """The reason why a mutant behaves as the original, by the mutant's key."""
    rows = [line.split("\t") for line in EQUAL.read_text(encoding="utf-8").splitlines()[1:]]
    return {Mutant(file, 0, 0, 0, "", change).key: why for file, change, why in rows}


def sample_mutants(part: str, number: int) -> list[Mutant]:
    """The ``number`` mutants of a part whose keys come first."""
    path = ROOT / part
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    mutants = [
        mutant
        for file in files
        for mutant in list_mutants(str(file.relative_to(ROOT)), file.read_bytes())
    ]
    return sorted({mutant.key: mutant for mutant in mutants}.values(), key=lambda one: one.key)[
        :number
    ]


def copy_tree(folder: Path) -> Path:
    """A copy of what the tests need."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    return folder


def run_tests(tree: Path, arguments: list[str], limit_s: float) -> str | None:
    """What tests that do not pass within their time print. Raises RuntimeError if none ran."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-x", *PLUGINS, *arguments],
        cwd=tree,
        env={
            **os.environ,
            "PYTHONPATH": f"{tree}{os.pathsep}{tree / 'sandbox'}",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES)),
    )
    try:
        output, _ = process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return f"{output}\nnot done after {limit_s:.0f} s"
    if process.returncode in (4, 5) and "ImportError while loading conftest" not in output:
        raise RuntimeError(f"pytest ended with {process.returncode}: {output[-2000:]}")
    return output if process.returncode else None


def is_caught(tree: Path, mutant: Mutant, part: str, times: list[float]) -> bool:
    """Whether tests of the part fail with the mutant in the tree."""
    file = tree / mutant.file
    code = file.read_bytes()
    for cached in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
        cached.unlink()
    try:
        file.write_bytes(code[: mutant.start] + mutant.text.encode() + code[mutant.end :])
        return any(
            run_tests(tree, tests, max(LEAST_LIMIT_S, seconds * TIMES_AS_LONG)) is not None
            for tests, seconds in zip(TESTS[part], times, strict=True)
        )
    finally:
        file.write_bytes(code)
        for cached in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
            cached.unlink()


def time_tests(tree: Path, part: str) -> list[float]:
    """Seconds that each command of a part takes. Exits with 2 if one fails without a mutant."""
    seconds = []
    for tests in TESTS[part]:
        start = time.monotonic()
        failure = run_tests(tree, tests, 600)
        if failure is not None:
            print(f"{part}: {' '.join(tests)} fails without a mutant\n{failure[-4000:]}")
            raise SystemExit(2)
        seconds.append(time.monotonic() - start)
    return seconds


def read_results() -> dict[str, bool]:
    """Whether each mutant tried so far was caught."""
    file = RESULTS / "results.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {row["key"]: row["caught"] for row in map(json.loads, lines)}


def try_mutants(mutants: list[tuple[str, Mutant]], jobs: int) -> None:
    """Try mutants in parallel, each job in a tree of its own, and append the results."""
    RESULTS.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="mutation-") as folder,
        (RESULTS / "results.jsonl").open("a", encoding="utf-8") as results,
        ThreadPoolExecutor(jobs) as pool,
    ):
        trees: SimpleQueue[Path] = SimpleQueue()
        for number in range(jobs):
            trees.put(copy_tree(Path(folder, str(number))))

        def try_one(mutant: Mutant, part: str, times: list[float]) -> bool:
            tree = trees.get()
            try:
                return is_caught(tree, mutant, part, times)
            finally:
                trees.put(tree)

        done = 0
        for part in dict.fromkeys(part for part, _ in mutants):
            times = time_tests(Path(folder, "0"), part)
            print(f"{part}: {', '.join(f'{seconds:.0f} s' for seconds in times)}", flush=True)
            futures = {
                pool.submit(try_one, mutant, part, times): mutant
                for other, mutant in mutants
                if other == part
            }
            for future in as_completed(futures):
                mutant, caught = futures[future], future.result()
                row = {
                    "key": mutant.key,
                    "caught": caught,
                    "file": mutant.file,
                    "change": mutant.change,
                }
                print(json.dumps(row, ensure_ascii=False), file=results, flush=True)
                done += 1
                place = f"{mutant.file}:{mutant.line}"
                result = "caught" if caught else "MISSED"
                print(f"{done}/{len(mutants)} {result} {place} {mutant.change}", flush=True)


def print_table(sampled: list[tuple[str, Mutant]], equal: dict[str, str]) -> float:
    """Print a row a part, then what was missed. Returns the share that was caught."""
    results = read_results()
    counts: Counter[tuple[str, str]] = Counter()
    missed = []
    for part, mutant in sampled:
        kind = "equal" if mutant.key in equal else "caught" if results[mutant.key] else "missed"
        counts[part, kind] += 1
        counts["all", kind] += 1
        if kind == "missed":
            missed.append(f"{mutant.file}:{mutant.line}\t{mutant.change}")
    print(f"\n{'':42}caught missed  equal")
    for part in [*dict.fromkeys(part for part, _ in sampled), "all"]:
        print(
            f"{part:42}"
            + "".join(f"{counts[part, kind]:6} " for kind in ("caught", "missed", "equal"))
        )
    print(*missed, sep="\n")
    return counts["all", "caught"] / max(1, counts["all", "caught"] + counts["all", "missed"])


def main() -> int:
    """Try mutants of the chosen parts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", choices=TESTS, default=list(TESTS), metavar="PART")
    parser.add_argument(
        "--number",
        type=int,
        default=300,
        help="mutants in all parts together, at least one of each",
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--least", type=float, default=0.95, help="share that must be caught")
    options = parser.parse_args()
    equal = read_equal()
    sampled = [
        (part, mutant)
        for part in options.only
        for mutant in sample_mutants(part, max(1, options.number // len(options.only)))
    ]
    results = read_results()
    pending = [
        (part, mutant)
        for part, mutant in sampled
        if mutant.key not in equal and not results.get(mutant.key, False)
    ]
    if pending:
        try_mutants(pending, options.jobs)
    share = print_table(sampled, equal)
    print(f"{share:.1%} caught")
    return 0 if share >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
