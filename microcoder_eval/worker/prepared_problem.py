"""In a worker: a problem as it is held from one solution to the next."""

from __future__ import annotations

import ast
import marshal
import mmap
import os
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from microcoder_eval.compare import Comparer, make_comparer, parse_kattis_flags
from microcoder_eval.forksafe import lazy_property
from microcoder_eval.points import list_leaf_groups
from microcoder_eval.records import MIN_OUTPUT_MB, NEAR_LIMIT_TO, Kind
from microcoder_eval.syntax import find_starter_function
from microcoder_sandbox import CallJob, ResourceLimits, record

from .judge_programs.checkers import SourceChecker
from .judge_programs.interactor import Interactor
from .messages import ResolvedProblem, TestExtent, TextTest
from .text_programs import WorkerContext

_MIN_OUTPUT_BYTES = int(MIN_OUTPUT_MB * (1 << 20))
# For one problem: far below the usual limit of 1024 descriptors, and few bytes next to those of a
# large problem.
_MAX_OPEN_INPUTS, MAX_INPUT_BYTES = 256, 16 << 20


class SharedTests(Sequence[TextTest]):
    """The tests of a large problem, in a file that all workers map. Each is copied out of it when
    it is asked for.

    descriptor: the file's descriptor, which is closed here.
    """

    def __init__(self, descriptor: int, extents: Sequence[TestExtent]) -> None:
        self._extents = extents
        self._texts: mmap.mmap | bytes = b""  # an empty file cannot be mapped
        try:
            if os.fstat(descriptor).st_size:
                self._texts = mmap.mmap(descriptor, 0, prot=mmap.PROT_READ)
        finally:
            os.close(descriptor)

    def __len__(self) -> int:
        return len(self._extents)

    def __getitem__(self, index: Any) -> Any:
        extent = self._extents[index]
        return TextTest(
            self._texts[extent.start : extent.input_end],
            self._texts[extent.input_end : extent.output_end],
            extent.checker_args,
        )


@record
class DryRun:
    """What a run of test code without a candidate shows.

    error: why it cannot be run beside one, "" if it can.
    reaches_candidate: whether it called the stand-in.
    makers: the names whose calls make objects of the program's.
    """

    error: str
    reaches_candidate: bool = False
    makers: Sequence[str] = ()


class PreparedProblem:
    """A problem as a worker holds it: expected outputs here, inputs in memory files. resolved: how
    it is judged. definition: the problem itself."""

    def __init__(self, resolved: ResolvedProblem) -> None:
        self.resolved = resolved
        self.definition = resolved.problem
        self.tests: Sequence[Any] = resolved.tests
        self.limits = resolved.limits
        self.starter_code = self.definition.starter_code or ""
        self.groups = self.definition.groups
        self.passing_points = {  # by test: see points.TestGroup
            index: group.passing_points
            for group in list_leaf_groups(self.groups)
            for index in group.tests
        }
        self._checker: SourceChecker | None = None
        self._interactor: Interactor | None = None
        self._inputs: dict[Hashable, int] = {}
        self._input_bytes = 0
        self._jobs: dict[int, bytes] = {}
        self.failure_counts: Counter[int] = Counter()  # how many programs failed a test
        self.dry_runs: dict[str, DryRun] = {}  # by the test code
        self.tests_error: str | None = None  # of compiled tests; "" for none, None if unknown

    @lazy_property
    def comparer(self) -> Comparer:
        """Return what compares outputs. Raises ComparerError for a checker that does not exist."""
        return make_comparer(self.resolved.compare)

    def get_comparer(self, checker_args: tuple[str, ...] | None) -> Comparer:
        """Return what compares the output of a test with these arguments (``records.Test``). Raises
        ComparerError."""
        return self.comparer if checker_args is None else _make_kattis_comparer(checker_args)

    def get_checker(self, context: WorkerContext) -> SourceChecker | None:
        """Return the checker that came as source, if one did. Raises UnjudgeableError."""
        compare = self.resolved.compare
        if self._checker is None and not isinstance(compare, str) and "source" in compare:
            self._checker = SourceChecker(context, compare, self.resolved.testlib)
        return self._checker

    def get_interactor(self, context: WorkerContext) -> Interactor | None:
        """Return the interactor, if the problem has one. Raises UnjudgeableError."""
        if self._interactor is None and self.definition.interactor is not None:
            self._interactor = Interactor(
                context, self.definition.interactor, self.resolved.testlib, self.limits.cpu_seconds
            )
        return self._interactor

    def make_limits(self, expected_bytes: int, alone: bool) -> ResourceLimits:
        """Return the limits of one test; a run alone may exceed the time limit, to show by how
        much."""
        output_bytes = self.limits.output_bytes or max(_MIN_OUTPUT_BYTES, 2 * expected_bytes)
        return _make_test_limits(self.limits, output_bytes, alone)

    def get_input_file(self, key: Hashable, make_file: Callable[[], int]) -> int:
        """Return the memory file of a test's input, made at its first use. key: the test's index,
        in other forms for other readers."""
        descriptor = self._inputs.get(key)
        if descriptor is None:
            descriptor = make_file()
            self._input_bytes += os.fstat(descriptor).st_size
            while self._inputs and (
                len(self._inputs) >= _MAX_OPEN_INPUTS or self._input_bytes > MAX_INPUT_BYTES
            ):
                # The newest: tests run in order, so the next solution needs the oldest first.
                self._close_input(self._inputs.popitem()[1])
            self._inputs[key] = descriptor
        return descriptor

    def _close_input(self, descriptor: int) -> None:
        self._input_bytes -= os.fstat(descriptor).st_size
        os.close(descriptor)

    def get_encoded_job(self, index: int, make_job: Callable[[], CallJob]) -> bytes:
        """Return the call of a test as a child reads it, made at its first use."""
        text = self._jobs.get(index)
        if text is None:
            text = self._jobs[index] = make_job().encode()
        return text

    @lazy_property
    def tests_by_size(self) -> Sequence[int]:
        """The tests' indices, small inputs first, which cost least as a rule. The order does not
        depend on measured times, which differ from run to run."""
        is_text = self.definition.kind is Kind.STDIN
        inputs = [test.input if is_text else test.arguments for test in self.tests]
        sizes = [len(marshal.dumps(value)) for value in inputs]
        return sorted(range(len(sizes)), key=sizes.__getitem__)

    def release(self) -> None:
        """Close the memory files; they are made again when they are needed."""
        for descriptor in self._inputs.values():
            self._close_input(descriptor)
        self._inputs.clear()
        self._jobs.clear()
        if self._checker is not None:
            self._checker.close()
        if self._interactor is not None:
            self._interactor.close()

    @lazy_property
    def starter_hints(self) -> list[Any] | None:
        """Texts of the annotations in the starter code, for nodes.py."""
        return _read_starter_hints(self.starter_code, self.definition.entry_point or "")

    @lazy_property
    def changes_argument(self) -> bool:
        """Whether the starter code says that the function returns None. A test that expects another
        value then expects it in the first argument after the call; what is returned is ignored."""
        if "None" not in self.starter_code:
            return False
        name = (self.definition.entry_point or "").rpartition(".")[2]
        function = find_starter_function(self.starter_code, name)
        if function is None or function.returns is None:
            return False
        return ast.unparse(function.returns).strip("'\"") == "None"


@lru_cache(maxsize=64)  # those of most tests of a problem are equal
def _make_test_limits(limits: ResourceLimits, output_bytes: int, alone: bool) -> ResourceLimits:
    contended_s = limits.cpu_seconds * NEAR_LIMIT_TO
    return replace(
        limits,
        cpu_seconds=contended_s if alone else limits.cpu_seconds,
        contended_cpu_seconds=contended_s,
        output_bytes=output_bytes,
    )


@lru_cache(maxsize=64)
def _make_kattis_comparer(flags: tuple[str, ...]) -> Comparer:
    return make_comparer({"name": "kattis", **parse_kattis_flags(flags)})


def _read_starter_hints(starter: str, entry: str) -> list[Any] | None:
    """Return [parameter texts, result text] of the entry point in the starter code, or None."""
    if "ListNode" not in starter and "TreeNode" not in starter:
        return None
    function = find_starter_function(starter, entry.rpartition(".")[2])
    if function is None:
        return None
    parameters = [p for p in function.args.args if p.arg != "self"]
    texts = [ast.unparse(p.annotation) if p.annotation else "" for p in parameters]
    return [texts, ast.unparse(function.returns) if function.returns else ""]
