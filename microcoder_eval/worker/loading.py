"""In a worker: checkers, interactors and graders in Python, loaded before they read anything.

Whether one can be loaded follows from the problem alone, so this is where a problem is found to be
unusable (JE, for every program). What it does once it has read something that a candidate brought
about is never the judge's failure.
"""

from __future__ import annotations

import json
import os
from dataclasses import replace

from microcoder_eval.errors import UnjudgeableError
from microcoder_eval.lru import LruCache
from microcoder_sandbox import (
    CHECKER,
    Outcome,
    Program,
    ResourceLimits,
    Sandbox,
    SandboxError,
    encode_job,
    make_call_request,
    make_script_request,
    sealed_memfd,
)

from .program_files import ProgramFiles, bundle_modules
from .retry import with_retries
from .verdicts import get_last_line, require_confined, was_killed_externally

_MAX_PROGRAMS, _MAX_CHARS = 1024, 16 << 20
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


class Loader:
    """Loads programs in Python, each once in a worker's life."""

    def __init__(self, sandbox: Sandbox, limits: ResourceLimits) -> None:
        self._sandbox = sandbox
        self._limits = limits
        self._loaded: LruCache[tuple[str, int | None], bool] = LruCache(_MAX_PROGRAMS, _MAX_CHARS)

    def load(self, files: ProgramFiles, role: str, *, argument_count: int | None = None) -> Program:
        """Return the program, ready to run; to be closed. argument_count: of the calls of its
        function ``check``; by default it runs as a script. Raises UnjudgeableError,
        SandboxError."""
        source, imports = bundle_modules(files)
        key = (source, argument_count)
        if self._loaded.get(key) is None:
            self._try(files, role, argument_count)
            self._loaded.put(key, True, len(source))
        return self._prepare(source, imports)

    def _try(self, files: ProgramFiles, role: str, argument_count: int | None) -> None:
        """Raise UnjudgeableError where the program cannot be loaded."""
        if argument_count is not None:
            source, imports = bundle_modules(files)
            program = self._prepare(source + _MODULE_CALL, imports)
        else:
            start = f"SOURCE = {files.source!r}\nNAME = {files.main!r}\n{_SCRIPT_START}"
            program = self._prepare(*bundle_modules(replace(files, source=start)))

        def run() -> Outcome:
            if argument_count is None:
                return self._run_script(program)
            return self._call(program, argument_count)

        def conclude(outcome: Outcome) -> None:
            require_confined(outcome)
            if was_killed_externally(outcome):
                raise SandboxError(f"the {role} was ended from outside while it was loaded")
            if outcome.killed is not None:
                reason = f"stopped at its {outcome.killed} limit"
            elif outcome.exit_code != 0:
                reason = get_last_line(outcome.stderr) or f"exit status {outcome.exit_code}"
            elif argument_count is not None and outcome.result != b'V""':
                reason = _decode_reason(outcome.result)
            else:
                return
            raise UnjudgeableError(f"the {role} cannot be loaded: {reason}")

        try:
            with_retries(self._sandbox, run, conclude)
        finally:
            program.close()

    def _run_script(self, program: Program) -> Outcome:
        return self._sandbox.run(make_script_request(program, b"", self._limits, profile=CHECKER))

    def _call(self, program: Program, argument_count: int) -> Outcome:
        arguments = [argument_count]
        job = {"entry": _MODULE_ENTRY, "class_first": False, "args": arguments, "kwargs": {}}
        file = sealed_memfd(encode_job({**job, "hints": None}), "arguments")
        try:
            return self._sandbox.run(
                make_call_request(program, file, self._limits, profile=CHECKER)
            )
        finally:
            os.close(file)

    def _prepare(self, source: str, imports: set[bytes]) -> Program:
        data = source.encode("utf-8", "surrogatepass")
        return self._sandbox.prepare_program(data, imports)


def _decode_reason(result: bytes) -> str:
    """Why ``check`` cannot be called; a module that ends the process as it is loaded has none."""
    try:
        reason = json.loads(result[1:])
    except ValueError:
        reason = None
    return reason if isinstance(reason, str) else 'it has no function "check"'
