"""In a worker: programs that read and print text, in any language, ready to be run."""

from __future__ import annotations

from collections.abc import Sequence

from microcoder_eval.languages import PYTHON, Language
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

from .checkers import WorkerContext, escape_braces
from .program_files import ProgramFiles, bundle_modules


class TextProgram:
    """A program that reads and prints text. The caller closes it.

    python_program: the program as the sandbox holds it, if it is in Python.
    """

    python_program: Program | None = None

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def run(
        self,
        stdin: bytes | int,
        limits: ResourceLimits,
        folder_bytes: int,
        arguments: Sequence[str] = (),
    ) -> Outcome:
        """Run it once. stdin: bytes, or the descriptor of a memory file. Raises SandboxError."""
        request = self.make_request(limits, folder_bytes, stdin, arguments)
        return self.adjust_outcome(self._sandbox.run(request))

    def make_request(
        self,
        limits: ResourceLimits,
        folder_bytes: int,
        stdin: bytes | int = b"",
        arguments: Sequence[str] = (),
    ) -> RunRequest:
        """Return the request for one run."""
        raise NotImplementedError

    def adjust_outcome(self, outcome: Outcome) -> Outcome:
        """Return the outcome to judge of a run that ``make_request`` described."""
        return outcome

    def close(self) -> None:
        """Close its memory files; a compiled program stays in the cache."""


class Script(TextProgram):
    """A program in Python. may_batch: False for one whose modules would stay from test to test."""

    python_program: Program

    def __init__(
        self,
        sandbox: Sandbox,
        source: bytes,
        imports: set[bytes] | None = None,
        *,
        may_batch: bool = True,
    ) -> None:
        super().__init__(sandbox)
        self.python_program = sandbox.prepare_program(source, imports)
        self.python_program.may_batch &= may_batch

    def make_request(
        self,
        limits: ResourceLimits,
        folder_bytes: int,
        stdin: bytes | int = b"",
        arguments: Sequence[str] = (),
    ) -> RunRequest:
        """See TextProgram."""
        program = self.python_program
        return make_script_request(
            program, stdin, limits, folder_bytes=folder_bytes, arguments=arguments
        )

    def close(self) -> None:
        """See TextProgram."""
        self.python_program.close()


class CompiledProgram(TextProgram):
    """A program that is compiled before it runs. A start that the kernel refuses is the program's
    fault where the same toolchain's sample starts."""

    def __init__(self, context: WorkerContext, binary: Binary, language: Language) -> None:
        super().__init__(context.sandbox)
        self._binaries = context.binaries
        self._binary = binary
        self._language = language

    def make_request(
        self,
        limits: ResourceLimits,
        folder_bytes: int,
        stdin: bytes | int = b"",
        arguments: Sequence[str] = (),
    ) -> RunRequest:
        """See TextProgram."""
        words = list(map(escape_braces, arguments))
        return make_binary_request(self._binary, words, stdin, limits, folder_bytes=folder_bytes)

    def adjust_outcome(self, outcome: Outcome) -> Outcome:
        """See TextProgram."""
        return self._binaries.charge_failed_start(outcome, self._language)


def prepare_text_program(
    context: WorkerContext, program: ProgramFiles, language: Language
) -> TextProgram:
    """Return the program, compiled if its language is. Raises CompileError, and SandboxError where
    the language has no toolchain here."""
    if language is PYTHON:
        source, imports = bundle_modules(program)
        data = source.encode("utf-8", "surrogatepass")
        return Script(context.sandbox, data, imports, may_batch=not program.others)
    binary = context.binaries.get(program.source, language, program.others, program.main)
    return CompiledProgram(context, binary, language)
