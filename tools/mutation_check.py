"""Changes the code at random places, and checks that the tests nearest to it fail.

    python tools/mutation_check.py [--only NAME ...] [--number 300] [--jobs 2] [--least 0.95]

A mutant is one change to one file: another comparison, the other of `and` and `or`, a number plus
one, a branch taken when it should not be. Which mutants are tried depends on their own text alone,
so a change elsewhere in the code does not draw others. Mutants that behave as the original are
listed with the reason in `mutation_equal.tsv`.

The results are kept in `.mutation/`. A run that is stopped goes on from there. A mutant that tests
missed is tried again each time; one that they caught is not. A test that fails with a mutant is run
without it, too. Exit 1: less than `--least` of the mutants are caught. Exit 2: a test fails without
a mutant.
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
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
    "microcoder_eval/results/journal.py": [
        ["tests/results/test_journal.py"], ["tests/fuzz/test_lines.py"],
    ],
    "microcoder_eval/results/run_comparison.py": [["tests/results/test_run_comparison.py"]],
    "microcoder_eval/results/statistics.py": [["tests/results/test_run_comparison.py"]],
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
TEST_LIMIT_S, LIMIT_S = 90, 1800  # of one test, of a command; a mutant may loop without end
FAILED = re.compile(r"^(?:FAILED|ERROR) (tests/[^\s\[]+)", re.MULTILINE)  # with all its parameters
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
        """A hash of file and change."""
        return hashlib.sha256(f"{self.file}\t{self.change}".encode()).hexdigest()[:16]

    @property
    def part(self) -> str:
        """The part of ``TESTS`` that the file is of."""
        return next(part for part in TESTS if f"{self.file}/".startswith(f"{part}/"))


def change_node(node: ast.AST) -> Iterator[ast.AST]:
    """Yield copies of a node, each with one change."""
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


def walk_decisions(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a module that decide something: no annotation, decorator or message."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.Raise | ast.JoinedStr):
                continue
            if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
                continue
            yield child
            yield from walk_decisions(child)


def list_mutants(file: str, code: bytes) -> list[Mutant]:
    """All mutants of a file."""
    lines = code.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines))]
    mutants = []
    for node in walk_decisions(ast.parse(code)):
        for changed in change_node(node):
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
    by_key = {mutant.key: mutant for mutant in mutants}
    return [by_key[key] for key in sorted(by_key)[:number]]


def copy_tree(folder: Path) -> Path:
    """A copy of what the tests need."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    return folder


def run_tests(tree: Path, arguments: Iterable[str]) -> str | None:
    """What tests that do not pass within their time print. Raises RuntimeError if none ran."""
    limit = f"--timeout={TEST_LIMIT_S}"
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-x", limit, *PLUGINS, *arguments],
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
        output, _ = process.communicate(timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return f"{output}\nnot done after {LIMIT_S} s"
    if process.returncode in (4, 5) and "ImportError while loading conftest" not in output:
        raise RuntimeError(f"pytest ended with {process.returncode}: {output[-2000:]}")
    return output if process.returncode else None


@contextmanager
def change(tree: Path, mutant: Mutant) -> Iterator[None]:
    """Have the mutant in the tree."""
    file = tree / mutant.file
    code = file.read_bytes()

    def write(text: bytes) -> None:
        file.write_bytes(text)
        for cached in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
            cached.unlink()

    write(code[: mutant.start] + mutant.text.encode() + code[mutant.end :])
    try:
        yield
    finally:
        write(code)


def is_caught(tree: Path, mutant: Mutant, passing: set[str]) -> bool:
    """Whether tests of its part fail with the mutant; exits with 2 if they fail without it, too.

    passing: tests that pass without a mutant, to which this adds.
    """
    for tests in TESTS[mutant.part]:
        with change(tree, mutant):
            output = run_tests(tree, tests)
        if output is None:
            continue
        # None is named where nothing could be imported, or a process ended.
        failed = set(FAILED.findall(output)) or set(tests)
        if not failed <= passing:
            failure = run_tests(tree, failed)
            if failure is not None:
                print(f"{mutant.part}: fails without a mutant\n{failure[-4000:]}")
                raise SystemExit(2)
            passing |= failed
        return True
    return False


def read_results() -> dict[str, bool]:
    """Whether each mutant tried so far was caught."""
    file = RESULTS / "results.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {row["key"]: row["caught"] for row in map(json.loads, lines)}


def try_mutants(mutants: list[Mutant], jobs: int) -> None:
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

        passing: set[str] = set()

        def try_one(mutant: Mutant) -> bool:
            tree = trees.get()
            try:
                return is_caught(tree, mutant, passing)
            finally:
                trees.put(tree)

        futures = {pool.submit(try_one, mutant): mutant for mutant in mutants}
        for count, future in enumerate(as_completed(futures), 1):
            mutant, caught = futures[future], future.result()
            row = {
                "key": mutant.key,
                "caught": caught,
                "file": mutant.file,
                "change": mutant.change,
            }
            print(json.dumps(row, ensure_ascii=False), file=results, flush=True)
            place = f"{mutant.file}:{mutant.line}"
            result = "caught" if caught else "MISSED"
            print(f"{count}/{len(mutants)} {result} {place} {mutant.change}", flush=True)


def print_table(mutants: list[Mutant], equal: dict[str, str]) -> float:
    """Print a row a part, then what was missed. Returns the share that was caught."""
    results = read_results()
    counts: Counter[tuple[str, str]] = Counter()
    missed = []
    for mutant in mutants:
        kind = "equal" if mutant.key in equal else "caught" if results[mutant.key] else "missed"
        counts[mutant.part, kind] += 1
        counts["all", kind] += 1
        if kind == "missed":
            missed.append(f"{mutant.file}:{mutant.line}\t{mutant.change}")
    print(f"\n{'':42}caught missed  equal")
    for part in [*dict.fromkeys(mutant.part for mutant in mutants), "all"]:
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
    number = max(1, options.number // len(options.only))
    mutants = [mutant for part in options.only for mutant in sample_mutants(part, number)]
    results = read_results()
    pending = [one for one in mutants if one.key not in equal and not results.get(one.key, False)]
    if pending:
        try_mutants(pending, options.jobs)
    share = print_table(mutants, equal)
    print(f"{share:.1%} caught")
    return 0 if share >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
