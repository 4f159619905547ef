"""Compiled programs, cached in memory and on disk by the source, the command and the compiler.

All workers of a user share those on disk. Their folder is the user's own (XDG base directories);
its files run in the sandbox only. They are bounded by their bytes; those that were used last stay.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from microcoder_eval.errors import CompileError
from microcoder_eval.languages import Language
from microcoder_eval.lru import LruCache
from microcoder_eval.preparations import Preparation
from microcoder_eval.records import sha256_of
from microcoder_eval.worker.program_files import ProgramFiles, gather_files
from microcoder_eval.worker.retry import run_with_retries
from microcoder_sandbox import (
    Binary,
    Outcome,
    Phase,
    ResourceLimits,
    Sandbox,
    make_binary_request,
    make_private_folder,
    make_sealed_memfd,
    protocol,
    require_toolchain,
)

if TYPE_CHECKING:
    from pathlib import Path

    from .compiler import Compiler

_SAMPLE_LIMITS = ResourceLimits(
    cpu_seconds=5.0, wall_seconds=30.0, memory_bytes=256 << 20, output_bytes=1 << 20
)
_CANNOT_BE_EXECUTED = 126  # the exit status that shells give
_MAX_BYTES, _BLOCK_BYTES = 2 << 30, 512
_CLEANING_SHARE = 64  # a worker may exceed _MAX_BYTES by one part in so many between cleanings
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
                if self._compiler is None:
                    from .compiler import Compiler  # late: most workers compile nothing

                    self._compiler = Compiler(self._sandbox, self._prepared_folder)
                data = self._compiler.compile(files, command, product, language, preparation)
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


class BinaryStore:
    """The folder with the compiled programs. folder: its path, or "" to keep none."""

    def __init__(self, folder: str) -> None:
        self._folder = folder if folder and make_private_folder(folder, 0o700) else ""
        self._bytes_before_cleaning = 0

    def get(self, key: str) -> bytes | None:
        """Return the program of that key, None if it is not there or damaged."""
        if not self._folder:
            return None
        path = os.path.join(self._folder, key)
        try:
            with open(path, "rb") as file:
                data = file.read()
            os.utime(path)  # the oldest are removed first
        except OSError:
            return None
        digest, _, body = data.partition(b"\n")
        return body if digest == _sha256(body).encode() else None

    def put(self, key: str, data: bytes) -> None:
        """Keep a program. A disk that is full or read-only keeps nothing."""
        if not self._folder:
            return
        import tempfile  # late: most workers compile nothing
        from pathlib import Path

        temporary = ""
        try:
            with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
                temporary = file.name
                file.write(_sha256(data).encode() + b"\n" + data)
            os.replace(temporary, Path(self._folder) / key)
            self._bytes_before_cleaning -= len(data)
            if self._bytes_before_cleaning <= 0:  # not each time: there may be many files
                self._bytes_before_cleaning = _MAX_BYTES // _CLEANING_SHARE
                _remove_oldest(Path(self._folder), _MAX_BYTES - self._bytes_before_cleaning)
        except OSError:
            with suppress(OSError):
                os.unlink(temporary)


def _remove_oldest(folder: Path, bytes_left: int) -> None:
    """Remove the files that have been unused for longest, until the rest fits in ``bytes_left``.
    The newest one stays in any case. Raises OSError."""
    stats = [(path.stat(), path) for path in folder.iterdir()]
    newest_files = sorted(stats, key=lambda entry: -entry[0].st_mtime)
    for number, (stat, path) in enumerate(newest_files):
        bytes_left -= stat.st_blocks * _BLOCK_BYTES  # on the disk: a small file takes a block
        if number and bytes_left < 0:
            path.unlink(missing_ok=True)


def _sha256(data: bytes) -> str:
    import hashlib  # late: most workers compile nothing

    return hashlib.sha256(data).hexdigest()
