"""Compiled programs, cached in memory and on disk by the source, the command and the compiler."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from microcoder_eval.errors import CompileError
from microcoder_eval.languages import Language
from microcoder_eval.lru import LruCache
from microcoder_eval.preparations import Preparation
from microcoder_eval.records import sha256_of
from microcoder_sandbox import (
    Binary,
    Outcome,
    Phase,
    ResourceLimits,
    Sandbox,
    make_binary_request,
    make_sealed_memfd,
    protocol,
    require_toolchain,
)

from .binary_store import BinaryStore
from .program_files import ProgramFiles, gather_files
from .retry import run_with_retries

if TYPE_CHECKING:
    from .compiling import Compiler

_SAMPLE_LIMITS = ResourceLimits(
    cpu_seconds=5.0, wall_seconds=30.0, memory_bytes=256 << 20, output_bytes=1 << 20
)
_CANNOT_BE_EXECUTED = 126  # the exit status that shells give
_MAX_IN_MEMORY, _MEMORY_BYTES = 32, 256 << 20  # a program may have 64 MiB (LIMITS.output_bytes)


class Binaries:
    """The compiled programs of one worker. folder: see ``BinaryStore``. prepared: see
    ``Compiler``."""

    def __init__(self, sandbox: Sandbox, folder: str, prepared: str) -> None:
        self._sandbox = sandbox
        self._prepared_folder = prepared
        self._compiler: Compiler | None = None
        self._store = BinaryStore(folder)
        self._cache: LruCache[str, Binary] = LruCache(
            _MAX_IN_MEMORY, _MEMORY_BYTES, on_evict=lambda _key, binary: binary.close()
        )
        self._startable_languages: set[str] = set()  # languages whose sample has started

    def get(
        self, program: ProgramFiles, language: Language, preparation: Preparation | None = None
    ) -> Binary:
        """Return the compiled form of a program. The files beside its main one are compiled
        together with it where they are units of the language. preparation: what the compiler may
        use in place of the language's.

        Raises CompileError when it does not compile or has no entry point, SandboxError when there
        is no compiler.
        """
        toolchain = require_toolchain(language.toolchain)
        derive_names, main = language.derive_names, program.main
        runtime_arguments = derive_names(program.source)[1] if derive_names else ()
        others = sorted(name for name in program.others if name.endswith(language.unit_suffixes))
        static = language.static if toolchain.static else ()
        command = [*language.command, *static, main, *others, *language.libraries]
        key = sha256_of([program.source, dict(program.others), toolchain.version, *command])
        binary = self._cache.get(key)
        if binary is None:
            data = self._store.get(key)
            if data is None:
                # What is only checked, as JavaScript is, is its own product.
                product = main if language.product == language.file else language.product
                files = {**program.others, main: program.source}
                data = self._get_compiler().compile(files, command, product, language, preparation)
                self._store.put(key, data)
            if derive_names and not runtime_arguments:
                raise CompileError("no entry point: no class has a method main")
            binary = Binary(make_sealed_memfd(data, "program"), language.runtime, runtime_arguments)
            self._cache.put(key, binary, len(data))
        return binary

    def charge_failed_start(self, outcome: Outcome, language: Language) -> Outcome:
        """Return the outcome of a run. If the kernel refused to start the program, and the program
        is at fault, the outcome says that it ran and failed with an exit status.

        A program may name a loader that does not exist, or damage its own headers. It is at fault
        if the kernel starts the language's sample, made by the same toolchain; otherwise the
        machine is at fault, and the outcome is unchanged.
        """
        if outcome.setup_step != protocol.STARTING_PROGRAM or not self._sample_starts(language):
            return outcome
        reason = os.strerror(outcome.setup_errno)
        return outcome._replace(
            phase=Phase.RUNNING,
            status=_CANNOT_BE_EXECUTED << 8,
            stderr=f"the program cannot be started: {reason}\n".encode(),
        )

    def _sample_starts(self, language: Language) -> bool:
        if language.name not in self._startable_languages and language.sample:
            sample = self.get(gather_files(language, language.sample), language)
            make_request = partial(make_binary_request, sample, b"", _SAMPLE_LIMITS)
            if run_with_retries(
                self._sandbox, make_request, lambda outcome: outcome.setup_step == 0
            ):
                self._startable_languages.add(language.name)
        return language.name in self._startable_languages

    def _get_compiler(self) -> Compiler:
        if self._compiler is None:
            from .compiling import Compiler  # late: most workers compile nothing

            self._compiler = Compiler(self._sandbox, self._prepared_folder)
        return self._compiler
