"""In a worker: a problem's own programs, its checker, interactor and grader. They run sandboxed, on
servers that never run solutions.

Whether one can be used follows from the problem alone. It is compiled, or loaded, before it reads
anything: where that fails the problem is unusable (JE, for every program). Once it has read
anything that depends on a candidate, its failure is never the judge's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from microcoder_eval.errors import CompileError, UnjudgeableError
from microcoder_eval.languages import PYTHON, find_language, precompile_testlib
from microcoder_eval.worker.expectations import decode_reason
from microcoder_eval.worker.program_files import bundle_modules, gather_files, includes_testlib
from microcoder_eval.worker.retry import run_with_retries
from microcoder_eval.worker.text_programs import TextProgram, WorkerContext
from microcoder_eval.worker.verdicts import describe_end, require_confined, was_killed_externally
from microcoder_sandbox import (
    CallJob,
    Outcome,
    Program,
    ResourceLimits,
    RunRequest,
    SandboxError,
    make_call_request,
    make_script_request,
)

Result = TypeVar("Result")

LIMITS = ResourceLimits(
    cpu_seconds=10.0, wall_seconds=40.0, memory_bytes=1 << 30, output_bytes=16 << 20
)
_MEMORY_SHARE = 16  # memory per byte that one is given, where that is more than LIMITS has
# A module is loaded whole; this does not call ``check``. ``__import__`` hides the import of inspect
# from the sandbox, which would load every module that a text imports before the text runs.
_MODULE_ENTRY = "load_checker"
_MODULE_CALL = f"""

def {_MODULE_ENTRY}(count):
    check = globals().get("check")
    if not callable(check):
        return 'it has no function "check"'
    try:
        signature = __import__("inspect").signature(check)
    except (TypeError, ValueError):
        return ""
    try:
        signature.bind(*range(count))
    except TypeError as error:
        return f"check() is called with {{count}} arguments: {{error}}"
    return ""
"""
# A script that runs would read its files. So only its imports are run, up to the first statement
# that may end it.
_SCRIPT_START = """
import ast
tree = ast.parse(SOURCE)
compile(tree, NAME, "exec")
start = []
for statement in tree.body:
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        start.append(statement)
    elif isinstance(statement, ast.FunctionDef):
        defaults = [*statement.args.defaults, *filter(None, statement.args.kw_defaults)]
        if statement.decorator_list or not all(isinstance(d, ast.Constant) for d in defaults):
            break
    elif not (
        isinstance(statement, (ast.Expr, ast.Assign))
        and isinstance(statement.value, ast.Constant)
    ):
        break
exec(compile(ast.Module(start, []), NAME, "exec"), {"__name__": "__main__"})
"""


class CheckerFailedError(Exception):
    """A program of the problem crashed, hit a limit or answered nonsense. What it had read may be
    the cause."""


class JudgeProgram:
    """One program of a problem. spec: see ``records.Problem``. role: what it is, in messages.
    testlib: the text of testlib.h. Its owner closes it."""

    def __init__(
        self,
        context: WorkerContext,
        spec: Mapping[str, Any],
        role: str,
        testlib: str | None = None,
    ) -> None:
        self.language = find_language(str(spec.get("language") or "python")) or PYTHON
        self.role = role
        self._context = context
        self._testlib = testlib
        self._files = gather_files(
            self.language, spec["source"], spec.get("file") or "", spec.get("files")
        )
        self._loaded: TextProgram | None = None

    def prepare(self) -> TextProgram:
        """Return it ready to run. Raises UnjudgeableError, SandboxError."""
        if self.language is PYTHON:
            return self._load(None)
        others = dict(self._files.others)
        if "testlib.h" not in others and includes_testlib((self._files.source, *others.values())):
            if self._testlib is None:
                raise UnjudgeableError(
                    f"the {self.role} needs testlib.h: say where it is (--testlib PATH, testlib=)"
                )
            others["testlib.h"] = self._testlib
        try:
            # The caller's own text, or the problem's: a candidate's files come nowhere near it.
            testlib = precompile_testlib(others["testlib.h"]) if "testlib.h" in others else None
            files = replace(self._files, others=others)
            binary = self._context.binaries.get(files, self.language, testlib)
        except CompileError as error:
            raise UnjudgeableError(f"the {self.role} does not compile: {error}") from error
        return TextProgram(self._context, self.language, binary=binary, of_problem=True)

    def run(
        self, make_request: Callable[[], RunRequest], read: Callable[[Outcome], Result]
    ) -> Result:
        """Run it, and return what ``read`` makes of the outcome. Raises SandboxError."""

        def conclude(outcome: Outcome) -> Result:
            require_confined(outcome)
            return read(outcome)

        return run_with_retries(self._context.sandbox, make_request, conclude)

    def call(
        self, arguments: list[Any], limits: ResourceLimits, read: Callable[[Outcome], Result]
    ) -> Result:
        """Call its function ``check``. arguments: as ``codec.to_json`` writes them. limits: those
        of the call; long arguments add memory to them. Raises as ``prepare`` and ``run``."""
        program = self._load(len(arguments)).python_program
        assert program is not None
        job = _make_job("check", arguments)
        limits = scale_limits(limits, len(job))
        return self.run(lambda: make_call_request(program, job, limits), read)

    def close(self) -> None:
        """Let go of its memory files."""
        if self._loaded is not None:
            self._loaded.close()
            self._loaded = None

    def _load(self, argument_count: int | None) -> TextProgram:
        """Return a program in Python that can be loaded. argument_count: how many arguments
        ``check`` is called with, None if it runs as a script."""
        if self._loaded is None:
            source, imports = bundle_modules(self._files)
            key = (source, argument_count)
            if self._context.loaded.get(key) is None:
                self._try_loading(source, imports, argument_count)
                self._context.loaded.put(key, True, len(source))
            program = self._make_program(source, imports)
            self._loaded = TextProgram(self._context, PYTHON, program)
        return self._loaded

    def _try_loading(
        self, source: str, imports: set[bytes] | None, argument_count: int | None
    ) -> None:
        """Raise UnjudgeableError where the program cannot be loaded."""
        if argument_count is not None:
            program = self._make_program(source + _MODULE_CALL, imports)
        else:
            files = self._files
            start = f"SOURCE = {files.source!r}\nNAME = {files.main!r}\n{_SCRIPT_START}"
            program = self._make_program(*bundle_modules(replace(files, source=start)))

        def make_request() -> RunRequest:
            if argument_count is None:
                return make_script_request(program, b"", LIMITS)
            job = _make_job(_MODULE_ENTRY, [argument_count])
            return make_call_request(program, job, LIMITS)

        def read(outcome: Outcome) -> None:
            if was_killed_externally(outcome):
                raise SandboxError(f"the {self.role} was ended from outside while it was loaded")
            if not outcome.ended_well:
                reason = describe_end(outcome)
            elif argument_count is not None and outcome.result != b'V""':
                # A module that ends the process while it is loaded gives no reason.
                reason = decode_reason(outcome.result[1:]) or 'it has no function "check"'
            else:
                return
            raise UnjudgeableError(f"the {self.role} cannot be loaded: {reason}")

        try:
            self.run(make_request, read)
        finally:
            program.close()

    def _make_program(self, source: str, imports: set[bytes] | None) -> Program:
        data = source.encode("utf-8", "surrogatepass")
        return self._context.sandbox.prepare_program(data, imports, of_problem=True)


def _make_job(entry: str, arguments: list[Any]) -> bytes:
    return CallJob(entry, class_first=False, args=arguments, kwargs={}).encode()


def get_failed_flag(role: str) -> str:
    """Return the flag of a WA caused by a failing program of that role."""
    return f"{role}_failed"


def scale_limits(limits: ResourceLimits, given_bytes: int) -> ResourceLimits:
    """Return limits with memory for inputs of that size: outputs may be large."""
    return replace(limits, memory_bytes=max(limits.memory_bytes, _MEMORY_SHARE * given_bytes))
