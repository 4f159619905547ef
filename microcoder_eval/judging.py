"""In a worker: one solution against the tests of its problem, start to end."""

from __future__ import annotations

import ast
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from microcoder_sandbox import codec
from microcoder_sandbox.cage import Binary, Launch, Program, job_text, memory_file
from microcoder_sandbox.outcome import Outcome, ResourceLimits

from . import asserting, batching, compiled
from .attempts import persistently
from .batching import Item
from .checkers import CheckedAnswer, CheckedValue, Checkers, SourceChecker
from .compare import Comparer, comparer
from .extract import extract
from .interacting import Interactor
from .languages import PYTHON, Language, code_sha256, find_language
from .records import MIN_OUTPUT_MB, Kind, TestResult, Verdict
from .verdicts import NEAR, Answer, Ruling, ValueAnswer, rule

MIB = 1 << 20
HELD_INPUTS = 256  # of a problem: far below the 1024 descriptors a process usually may have


@dataclass(frozen=True, slots=True)
class Habits:
    """Of a worker. stop_early: at the first test that fails. batch: several tests in one child.
    adaptive: with stop_early, those tests first that most programs have failed."""

    stop_early: bool
    batch: bool
    adaptive: bool


class PreparedProblem:
    """A problem as a worker holds it: expected outputs here, inputs in memory files."""

    def __init__(self, payload: dict[str, Any]) -> None:
        self.kind = Kind(payload["kind"])
        self.entry: str | None = payload["entry_point"]
        self.starter: str = payload["starter_code"] or ""
        self.tests: list[Any] = payload["tests"]
        self.test_code: str | None = payload["test_code"]
        self.test_style: str | None = payload["test_style"]
        self._compare = payload["compare"]
        self._testlib: str | None = payload.get("testlib")
        self._checker: SourceChecker | None = None
        self._interactor_spec: dict[str, Any] | None = payload.get("interactor")
        self._interactor: Interactor | None = None
        self.time_s: float = payload["time_s"]
        self.wall_s: float = payload["wall_s"]
        self.memory_bytes = int(payload["memory_mb"] * MIB)
        self.output_mb: float | None = payload["output_mb"]
        self.folder_bytes = int((payload["files_mb"] or 0) * MIB)
        self._inputs: dict[int, int] = {}
        self._jobs: dict[int, bytes] = {}
        self.failed: Counter[int] = Counter()  # how many programs failed a test
        self._hints: list[Any] | bool | None = False

    @cached_property
    def comparer(self) -> Comparer:
        """What compares answers. Raises ComparerError for a checker that does not exist."""
        return comparer(self._compare)

    def checker(self, kit: Checkers) -> SourceChecker | None:
        """The checker that came as source, if one did. Raises UnjudgeableError."""
        if isinstance(self._compare, dict) and "source" in self._compare:
            if self._checker is None:
                self._checker = kit.checker(self._compare, self._testlib)
            return self._checker
        return None

    def interactor(self, kit: Checkers) -> Interactor | None:
        """What talks with solutions, if something does. Raises UnjudgeableError."""
        if self._interactor is None and self._interactor_spec is not None:
            self._interactor = Interactor(kit, self._interactor_spec, self._testlib)
        return self._interactor

    def limits(self, expected_bytes: int, alone: bool) -> ResourceLimits:
        """The limits of one test; a run alone may overrun, to show by how much it fails."""
        stretch = NEAR[1] if alone else 1.0
        output_mb = self.output_mb
        if output_mb is None:
            output_mb = max(MIN_OUTPUT_MB, 2 * expected_bytes / MIB)
        return ResourceLimits(
            cpu_seconds=self.time_s * stretch,
            wall_seconds=self.wall_s * stretch,
            memory_bytes=self.memory_bytes,
            output_bytes=int(output_mb * MIB),
            crowded_cpu_seconds=self.time_s * NEAR[1],
        )

    def input_file(self, index: int, make: Callable[[], int]) -> int:
        """The memory file of a test's input, made at its first use."""
        held = self._inputs.get(index)
        if held is None:
            if len(self._inputs) >= HELD_INPUTS:
                # The newest: tests come in order, so the oldest is the next to be used again.
                os.close(self._inputs.popitem()[1])
            held = self._inputs[index] = make()
        return held

    def job_text(self, index: int, job: dict[str, Any]) -> bytes:
        """The call of a test as a child reads it, made at its first use."""
        held = self._jobs.get(index)
        if held is None:
            held = self._jobs[index] = job_text(job)
        return held

    def release(self) -> None:
        """Let go of the memory files (they come back when asked for)."""
        for descriptor in self._inputs.values():
            os.close(descriptor)
        self._inputs.clear()
        self._jobs.clear()
        if self._checker is not None:
            self._checker.close()
        if self._interactor is not None:
            self._interactor.close()

    def starter_hints(self) -> list[Any] | None:
        """Texts of the annotations in the starter code, for nodes.py; read once."""
        if self._hints is False:
            self._hints = starter_hints(self.starter, self.entry or "")
        return self._hints  # type: ignore[return-value]


def starter_hints(starter: str, entry: str) -> list[Any] | None:
    """[parameter texts, result text] of the entry point in the starter code, or None."""
    if "ListNode" not in starter and "TreeNode" not in starter:
        return None
    try:
        tree = ast.parse(starter)
    except SyntaxError:
        try:
            tree = ast.parse(starter.rstrip() + "\n        pass\n")  # starter code often ends here
        except SyntaxError:
            return None
    name = entry.rpartition(".")[2]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            parameters = [p for p in node.args.args if p.arg != "self"]
            texts = [ast.unparse(p.annotation) if p.annotation else "" for p in parameters]
            return [texts, ast.unparse(node.returns) if node.returns else ""]
    return None


class Run:
    """One solution being judged. ``lines`` of results come test by test."""

    def __init__(
        self, kit: Checkers, problem: PreparedProblem, habits: Habits, *, alone: bool
    ) -> None:
        self.kit = kit
        self.cage = kit.cage
        self.checker = problem.checker(kit)
        self.interactor = problem.interactor(kit)
        self.problem = problem
        self.habits = habits
        self.alone = alone
        self.batch = habits.batch and not alone and not problem.folder_bytes
        self.order: Sequence[int] = range(count_tests(problem))
        if habits.adaptive and habits.stop_early and problem.kind is not Kind.ASSERT:
            self.order = sorted(self.order, key=lambda index: -problem.failed[index])
        self.flags: list[str] = []
        self.results: list[TestResult | None] = []
        self.contended = False

    def judge(self, source: bytes, language: Language) -> None:
        """Run the tests, until the end or the first failure."""
        if language is not PYTHON:
            self._take(compiled.rulings(self, language, source))
            return
        program = self.cage.program(source)
        try:
            self._take(self._rulings(program, source))
        finally:
            program.close()

    def _take(self, rulings: Iterator[Ruling]) -> None:
        for index, ruling in zip(self.order, rulings, strict=False):
            self._note(index, ruling)
            self.contended |= ruling.contended
            self.flags += [flag for flag in ruling.flags if flag not in self.flags]
            if ruling.result.verdict is Verdict.CE:
                break
            if self.habits.stop_early and ruling.result.verdict is not Verdict.AC:
                break

    def _note(self, index: int, ruling: Ruling) -> None:
        missing = index + 1 - len(self.results)
        self.results += [None] * missing
        self.results[index] = ruling.result
        if ruling.result.verdict is not Verdict.AC:
            self.problem.failed[index] += 1

    def _rulings(self, program: Program, source: bytes) -> Iterator[Ruling]:
        if self.problem.kind is Kind.ASSERT:
            yield from asserting.rulings(self, program, source)
            return
        if self.interactor is not None:
            yield from self.talks(partial(self.cage.script, program), None)
            return
        is_call = self.problem.kind is Kind.CALL
        item = self._call_item if is_call else self._stdin_item

        def make(position: int) -> Item:
            return item(program, self.order[position])

        yield from batching.rulings(self, program, make, len(self.order), call=is_call)

    def _stdin_item(self, program: Program, index: int) -> Item:
        return self.text_item(partial(self.cage.run_script, program), index)

    def talks(self, start: Callable[..., Launch], binary: Binary | None) -> Iterator[Ruling]:
        """A ruling for each test of a problem with an interactor. start: the solution's launch."""
        assert self.interactor is not None
        folder = self.problem.folder_bytes
        for index in self.order:
            given, expected = self.problem.tests[index]
            limits = self.problem.limits(0, self.alone)
            yield self.interactor.ruling(
                partial(start, folder_bytes=folder),
                binary,
                given,
                expected,
                limits,
                self.problem.time_s,
            )

    def text_item(self, start: Callable[..., Outcome], index: int) -> Item:
        """A test of text in and out. start: runs the program, given its input and limits."""
        given, expected = self.problem.tests[index]
        limits = self.problem.limits(len(expected), self.alone)
        folder = self.problem.folder_bytes
        answer = (
            CheckedAnswer(self.checker, given, expected)
            if self.checker is not None
            else Answer(self.problem.comparer, expected)
        )

        def alone() -> Ruling:
            held = self.problem.input_file(index, lambda: memory_file(given))
            run = partial(start, held, limits, folder_bytes=folder)
            return self.attempt(run, limits, answer)

        return Item(lambda: given, limits, answer, alone)

    def _call_item(self, program: Program, index: int) -> Item:
        args, kwargs, plain = self.problem.tests[index]
        job = {
            "entry": self.problem.entry,
            "class_first": "class Solution" in self.problem.starter,
            "args": codec.from_json(args),
            "kwargs": codec.from_json(kwargs or {}),
        }
        value = codec.from_json(plain)
        answer = (
            CheckedValue(self.checker, codec.from_json(args), value)
            if self.checker is not None
            else ValueAnswer(self.problem.comparer, value)
        )
        return self.call_item(program, index, job, answer)

    def call_item(self, program: Program, index: int, job: dict[str, Any], answer: Answer) -> Item:
        """One function call (call.py of the cage says what a job holds)."""
        limits = self.problem.limits(0, self.alone)
        folder = self.problem.folder_bytes

        def text() -> bytes:
            return self.problem.job_text(index, {**job, "hints": self.problem.starter_hints()})

        def alone() -> Ruling:
            held = self.problem.input_file(index, lambda: memory_file(text(), "arguments"))
            run = lambda: self.cage.run_call(program, held, limits, folder_bytes=folder)  # noqa: E731
            return self.attempt(run, limits, answer)

        return Item(text, limits, answer, alone)

    def attempt(self, run: Callable[[], Outcome], limits: ResourceLimits, answer: Answer) -> Ruling:
        """The ruling on one run, or on its repetition where it says more about the machine."""

        def conclude(outcome: Outcome) -> Ruling:
            return rule(outcome, limits, self.problem.time_s, answer)

        return persistently(self.cage, run, conclude)


def judge_solution(
    kit: Checkers, problem: PreparedProblem, message: dict[str, Any], habits: Habits
) -> dict[str, Any]:
    """Judge one solution; returns plain data (a Judgement's fields, made into one in the caller).

    Raises CageError when the judge itself failed twice.
    """
    code, truncated = message["code"], False
    if code is None:
        found = extract(message["response"], message["language"])
        code, truncated = found.code, found.truncated
    flags = ["truncated"] if truncated else []
    if code is None:
        return {"results": None, "flags": flags, "code_sha256": code_sha256("", "python")}
    source = code.encode("utf-8", "surrogatepass")
    language = find_language(message["language"]) or PYTHON  # readers refuse all others
    run = Run(kit, problem, habits, alone=message["alone"])
    run.judge(source, language)
    return {
        "results": [_plain(result) for result in run.results],
        "flags": flags + run.flags,
        "code_sha256": code_sha256(code, language.name),
        "contended": run.contended,
        "count": count_tests(problem),
    }


def count_tests(problem: PreparedProblem) -> int:
    """How many tests the problem has, run or not."""
    return asserting.count(problem) if problem.kind is Kind.ASSERT else len(problem.tests)


def _plain(result: TestResult | None) -> tuple[Any, ...] | None:
    if result is None:
        return None
    return (
        str(result.verdict),
        result.cpu_s,
        result.wall_s,
        result.memory_mb,
        result.matched_by,
        result.detail,
    )
