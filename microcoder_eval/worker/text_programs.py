"""In a worker: programs that read and print text, in any language, ready to be run."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from microcoder_eval.languages import PYTHON, Language
from microcoder_eval.lru import LruCache
from microcoder_sandbox import (
    Binary,
    Outcome,
    Program,
    ResourceLimits,
    RunRequest,
    Sandbox,
    make_binary_request,
    make_script_request,
)

from .compilation.binaries import Binaries
from .program_files import ProgramFiles, bundle_modules

_ENCODING = re.compile(
    r"\A((?:[ \t\f\r]*(?:#.*)?\n)??[ \t\f]*#.*?coding[:=][ \t]*)[-\w.]+", re.ASCII
)
_MAX_LOADED, _MAX_LOADED_CHARS = 1024, 16 << 20


class WorkerContext:
    """What all programs of a worker share: its sandbox, the compiled programs, and which of the
    problems' own programs were loaded before (``judge_programs``)."""

    def __init__(self, sandbox: Sandbox, cache: str = "", prepared: str = "") -> None:
        self.sandbox = sandbox
        self.binaries = Binaries(sandbox, cache, prepared)
        self.loaded: LruCache[tuple[str, int | None], bool] = LruCache(
            _MAX_LOADED, _MAX_LOADED_CHARS
        )


class TextProgram:
    """A program that reads and prints text. The caller closes it.

    python_program: the program as the sandbox holds it, None for a ``binary``. of_problem: whether
    a binary is the problem's own, which runs on servers that never run solutions.
    """

    def __init__(
        self,
        context: WorkerContext,
        language: Language,
        python_program: Program | None = None,
        binary: Binary | None = None,
        *,
        of_problem: bool = False,
    ) -> None:
        self.python_program = python_program
        self._binary = binary
        self._context = context
        self._language = language
        self._of_problem = of_problem

    def run(self, stdin: bytes | int, limits: ResourceLimits) -> Outcome:
        """Run it once. stdin: bytes, or the descriptor of a memory file. Raises SandboxError."""
        return self.adjust_outcome(self._context.sandbox.run(self.make_request(limits, stdin)))

    def make_request(
        self, limits: ResourceLimits, stdin: bytes | int = b"", **options: Any
    ) -> RunRequest:
        """Return the request for one run. options: more options of the sandbox's
        ``make_script_request``, or of ``make_binary_request`` for a compiled program."""
        if self.python_program is not None:
            return make_script_request(self.python_program, stdin, limits, **options)
        assert self._binary is not None
        of_problem = self._of_problem
        return make_binary_request(self._binary, stdin, limits, of_problem=of_problem, **options)

    def adjust_outcome(self, outcome: Outcome) -> Outcome:
        """Return the outcome of a candidate's run that is to be judged. If the kernel refuses to
        start the program, that is the program's fault, provided that the toolchain's sample starts.
        """
        if self._binary is None:
            return outcome
        return self._context.binaries.charge_failed_start(outcome, self._language)

    def close(self) -> None:
        """Close its memory files; a compiled program stays in the cache."""
        if self.python_program is not None:
            self.python_program.close()


def prepare_text_program(
    context: WorkerContext, program: ProgramFiles, language: Language, hash_seed: int = 0
) -> TextProgram:
    """Return the program, compiled if its language is. hash_seed: see the sandbox's ``Program``.
    Raises CompileError, and SandboxError if the language has no toolchain here."""
    if language is not PYTHON:
        return TextProgram(context, language, binary=context.binaries.get(program, language))
    source, imports = bundle_modules(program)
    script = context.sandbox.prepare_program(encode_python(source), imports, hash_seed=hash_seed)
    if program.others:  # their modules would stay from test to test
        script = replace(script, may_batch=False)
    return TextProgram(context, language, script)


def encode_python(source: str) -> bytes:
    """Encode a program for Python, which decodes it by the encoding that one of its first two lines
    names (PEP 263). For text beyond ASCII that line is made to name UTF-8: a candidate could name
    an encoding that fails, or that takes quadratic time."""
    if not source.isascii():
        source = _ENCODING.sub(r"\1utf-8", source, count=1)
    return source.encode("utf-8", "surrogatepass")
