"""In a worker: programs that read and print text, in any language, ready to be run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

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


class TextProgram(Protocol):
    """A program that reads and prints text. The caller closes it."""

    @property
    def python_program(self) -> Program | None:
        """The program as the sandbox holds it, if it is in Python."""

    def run(
        self,
        stdin: bytes | int,
        limits: ResourceLimits,
        folder_bytes: int,
        arguments: Sequence[str] = (),
    ) -> Outcome:
        """Run it once. stdin: bytes, or the descriptor of a memory file. Raises SandboxError."""

    def make_request(self, limits: ResourceLimits, folder_bytes: int) -> RunRequest:
        """Return the request for a run of the program in an interaction."""

    def adjust_outcome(self, outcome: Outcome) -> Outcome:
        """Return the outcome to judge of a run that ``make_request`` described."""

    def close(self) -> None:
        """Close its memory files."""


class Script:
    """A program in Python. may_batch: False for one whose modules would stay from test to test."""

    def __init__(
        self,
        sandbox: Sandbox,
        source: bytes,
        imports: set[bytes] | None = None,
        *,
        may_batch: bool = True,
    ) -> None:
        self._sandbox = sandbox
        self.python_program = sandbox.prepare_program(source, imports)
        self.python_program.may_batch &= may_batch

    def run(
        self,
        stdin: bytes | int,
        limits: ResourceLimits,
        folder_bytes: int,
        arguments: Sequence[str] = (),
    ) -> Outcome:
        """See TextProgram."""
        return self._sandbox.run(
            make_script_request(
                self.python_program,
                stdin,
                limits,
                folder_bytes=folder_bytes,
                arguments=arguments,
            )
        )

    def make_request(self, limits: ResourceLimits, folder_bytes: int) -> RunRequest:
        """See TextProgram."""
        return make_script_request(self.python_program, b"", limits, folder_bytes=folder_bytes)

    def adjust_outcome(self, outcome: Outcome) -> Outcome:
        """See TextProgram."""
        return outcome

    def close(self) -> None:
        """See TextProgram."""
        self.python_program.close()


class CompiledProgram:
    """A program that is compiled before it runs. A start that the kernel refuses is the program's
    fault where the same toolchain's sample starts."""

    python_program = None

    def __init__(self, context: WorkerContext, binary: Binary, language: Language) -> None:
        self._context = context
        self._binary = binary
        self._language = language

    def run(
        self,
        stdin: bytes | int,
        limits: ResourceLimits,
        folder_bytes: int,
        arguments: Sequence[str] = (),
    ) -> Outcome:
        """See TextProgram."""
        request = make_binary_request(
            self._binary,
            list(map(escape_braces, arguments)),
            stdin,
            limits,
            folder_bytes=folder_bytes,
        )
        return self.adjust_outcome(self._context.sandbox.run(request))

    def make_request(self, limits: ResourceLimits, folder_bytes: int) -> RunRequest:
        """See TextProgram."""
        return make_binary_request(self._binary, (), b"", limits, folder_bytes=folder_bytes)

    def adjust_outcome(self, outcome: Outcome) -> Outcome:
        """See TextProgram."""
        return self._context.binaries.charge_failed_start(outcome, self._language)

    def close(self) -> None:
        """Leave the binary in the cache."""


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
