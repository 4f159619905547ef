"""Compiled programs by what they were made of: compiled once, kept in memory and on disk.

The folder on disk is the user's own (XDG base directories); what is in it only ever runs caged.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from microcoder_sandbox.cage import Binary, Cage, memory_file
from microcoder_sandbox.outcome import CageError, Outcome, ResourceLimits

from .attempts import persistently
from .errors import MicrocoderError
from .languages import CPP, Language
from .verdicts import harmed_from_outside

# On the clock ten times the CPU time: compilers never sleep, but a machine may be busy.
LIMITS = ResourceLimits(
    cpu_seconds=30.0, wall_seconds=300.0, memory_bytes=1 << 30, output_bytes=64 << 20
)
_IN_MEMORY = 32
_ON_DISK = 512
_MESSAGE = 300
_ERROR = re.compile(r"\b[Ee]rror\b|Error\b")
_FOLDERS = re.compile(r"(?<![\w./:])/(?:[\w.+@~-]+/)+")  # of a path: where things lie is ours


class CompileError(MicrocoderError):
    """The program does not compile; the message is the compiler's first complaint."""


class Binaries:
    """The compiled programs of one worker. ``folder``: shared by all workers; "": none."""

    def __init__(self, cage: Cage, folder: str = "") -> None:
        self._cage = cage
        self._folder = folder if folder and _is_ours(folder) else ""
        self._held: OrderedDict[str, Binary] = OrderedDict()

    def get(
        self, source: str, language: Language = CPP, headers: Mapping[str, str] | None = None
    ) -> Binary:
        """The compiled form of a program (headers: {name: text} beside it).

        Raises CompileError when it does not compile, CageError when no compiler is to be had.
        """
        tools = self._cage.toolchain(language.toolchain)
        file, more = language.named(source) if language.named else (language.file, ())
        command = [*language.command, *(language.static if tools.static else ()), file]
        key = _key(source, headers or {}, [tools.version, *command])
        held = self._held.get(key)
        if held is None:
            data = self._from_disk(key)
            if data is None:
                data = self._built({file: source, **(headers or {})}, command, language)
                self._to_disk(key, data)
            held = Binary(memory_file(data, "program"), language.host, more)
            self._held[key] = held
            if len(self._held) > _IN_MEMORY:
                self._held.popitem(last=False)[1].close()
        self._held.move_to_end(key)
        return held

    def _built(self, files: Mapping[str, str], command: list[str], language: Language) -> bytes:
        limits = replace(LIMITS, address_bytes=language.address_bytes)
        product, toolchain = language.product, language.toolchain

        def run() -> Outcome:
            return self._cage.build(files, command, product, limits, toolchain=toolchain)

        def conclude(outcome: Outcome) -> bytes:
            if outcome.status == 0 and outcome.result:
                return outcome.result
            raise CompileError(_complaint(outcome))

        return persistently(self._cage, run, conclude)

    def _from_disk(self, key: str) -> bytes | None:
        if not self._folder:
            return None
        path = Path(self._folder) / key
        try:
            data = path.read_bytes()
            os.utime(path)  # the oldest are removed first
        except OSError:
            return None
        digest, _, body = data.partition(b"\n")
        return body if digest == _sha256(body).encode() else None

    def _to_disk(self, key: str, data: bytes) -> None:
        if not self._folder:
            return
        try:
            with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
                file.write(_sha256(data).encode() + b"\n" + data)
            os.replace(file.name, Path(self._folder) / key)
            kept = sorted(Path(self._folder).iterdir(), key=lambda p: p.stat().st_mtime)
            for old in kept[:-_ON_DISK]:
                old.unlink(missing_ok=True)
        except OSError:
            pass  # a full or read-only disk costs a compilation in the next run, nothing else


def _is_ours(folder: str) -> bool:
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        found = os.stat(folder)
    except OSError:
        return False
    return found.st_uid == os.geteuid() and not found.st_mode & 0o022


def _key(source: str, headers: Mapping[str, str], rest: list[str]) -> str:
    parts = [source, *[f"{name}\0{text}" for name, text in sorted(headers.items())], *rest]
    return _sha256("\0\0".join(parts).encode("utf-8", "surrogatepass"))


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _complaint(outcome: Outcome) -> str:
    if outcome.setup_errno:
        raise CageError(f"the compiler could not be started (errno {outcome.setup_errno})")
    if harmed_from_outside(outcome):
        raise CageError("the compiler was ended from outside")
    if outcome.killed is not None:
        return f"the compiler was stopped at its {outcome.killed} limit"
    lines = outcome.stderr.decode("utf-8", "replace").splitlines()
    at = next((i for i, line in enumerate(lines) if _ERROR.search(line)), 0)
    telling = lines[at] if lines else "no message"
    if lines[at + 1 : at + 2] and lines[at + 1].lstrip().startswith("--> "):
        telling += lines[at + 1].strip().removeprefix("-->")  # Rust says where on a second line
    return _FOLDERS.sub("", telling)[:_MESSAGE]
