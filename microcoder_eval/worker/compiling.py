"""Compiles programs in the sandbox, with what the toolchain has prepared.

A program that does not compile so is compiled again without: only that decides, and its messages
are those that a user sees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from microcoder_eval.errors import CompileError
from microcoder_eval.languages import Language, Preparation
from microcoder_sandbox import (
    Killed,
    Outcome,
    PreparedStore,
    ResourceLimits,
    Sandbox,
    SandboxError,
    find_reason,
    make_build_request,
)

from .preparing import PreparationProcess
from .retry import with_retries
from .verdicts import was_killed_externally

# Four times the wall limit, which a compiler has that waits for a core, is ten times the CPU limit.
LIMITS = ResourceLimits(
    cpu_seconds=30.0, wall_seconds=75.0, memory_bytes=1 << 30, output_bytes=64 << 20
)
_LIMIT_TEXTS = {
    Killed.CPU: f" ({LIMITS.cpu_seconds:g} s)",
    Killed.WALL: f" ({LIMITS.wall_seconds:g} s)",
    Killed.MEMORY: f" ({LIMITS.memory_bytes >> 20} MiB)",
    Killed.OUTPUT: f" ({LIMITS.output_bytes >> 20} MiB)",
}
# A worker has a preparation made for the third program that could use it: it takes as long as three
# or four programs gain by it, and who judges one program does not wait for it or pay for it.
_PROGRAMS_BEFORE_PREPARING = 3


class Compiler:
    """The compilers of one worker. prepared_folder: of what they use again; "": nothing."""

    def __init__(self, sandbox: Sandbox, prepared_folder: str = "") -> None:
        self._sandbox = sandbox
        self._store = PreparedStore(prepared_folder)
        self._program_counts: dict[str, int] = {}
        self._preparing: PreparationProcess | None = None

    def compile(
        self,
        files: Mapping[str, str],
        command: Sequence[str],
        product: str,
        language: Language,
        preparation: Preparation | None = None,
    ) -> bytes:
        """Return what the language's compiler makes of the files. preparation: what it may use in
        place of the language's own. Raises CompileError, SandboxError."""
        preparation = preparation or language.preparation
        folder = self._find_prepared(preparation, files)
        if preparation is not None and folder:
            options = [option.replace("{folder}", folder) for option in preparation.options]
            given_files = {n: text for n, text in files.items() if n != preparation.file}
            outcome = self._run(given_files, [*command, *options], product, language, folder)
            # With less work to do a compiler that is out of time would be so without, too.
            if (outcome.status == 0 and outcome.result) or outcome.killed in (
                Killed.CPU,
                Killed.WALL,
            ):
                return _read_product(outcome)
        return _read_product(self._run(files, command, product, language))

    def _run(
        self,
        files: Mapping[str, str],
        command: Sequence[str],
        product: str,
        language: Language,
        prepared: str = "",
    ) -> Outcome:
        limits = replace(LIMITS, address_bytes=language.address_bytes)

        def run() -> Outcome:
            request = make_build_request(
                files, command, product, limits, toolchain=language.toolchain, prepared=prepared
            )
            return self._sandbox.run(request)

        return with_retries(self._sandbox, run, _require_end)

    def _find_prepared(self, preparation: Preparation | None, files: Mapping[str, str]) -> str:
        """Return the folder of what was prepared; "" where there is none, and the program is
        compiled without. It is made in the background once enough programs could use it."""
        if preparation is None or not self._store.folder:
            return ""
        if not preparation.is_used_by(files.values()):
            return ""
        recipe = preparation.recipe
        folder = self._store.find(recipe)
        if not folder:
            count = self._program_counts.get(recipe.name, 0) + 1
            self._program_counts[recipe.name] = count
            is_free = self._preparing is None or self._preparing.has_ended()
            if is_free and count % _PROGRAMS_BEFORE_PREPARING == 0:
                plan = self._sandbox.servers.plan
                self._preparing = PreparationProcess(plan, self._store.folder, recipe)
        return folder


def _require_end(outcome: Outcome) -> Outcome:
    """Return the outcome of a compiler that ended by itself or at a limit. Raises SandboxError."""
    if outcome.setup_errno:
        raise SandboxError(f"the compiler could not be started (errno {outcome.setup_errno})")
    if was_killed_externally(outcome):
        raise SandboxError("the compiler was ended from outside")
    return outcome


def _read_product(outcome: Outcome) -> bytes:
    if outcome.status == 0 and outcome.result:
        return outcome.result
    if outcome.killed is not None:
        limit_text = _LIMIT_TEXTS.get(outcome.killed, "")
        raise CompileError(f"the compiler was stopped at its {outcome.killed} limit{limit_text}")
    raise CompileError(find_reason(outcome.stderr.decode("utf-8", "replace")))
