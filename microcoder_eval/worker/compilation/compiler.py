"""Compiles programs in the sandbox, with what the toolchain has prepared.

If a program does not compile with the prepared files, it is compiled again without them, and then
by a newer standard of its language. A user sees the messages of the second attempt. There is no
further one if the compiler ran out of time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from microcoder_eval.errors import CompileError
from microcoder_eval.languages import Language
from microcoder_eval.preparations import Preparation
from microcoder_eval.worker.retry import run_with_retries
from microcoder_eval.worker.verdicts import was_killed_externally
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

# A compiler that waits for a core has up to four times the wall limit: ten times the CPU limit.
LIMITS = ResourceLimits(
    cpu_seconds=30.0, wall_seconds=75.0, memory_bytes=1 << 30, output_bytes=64 << 20
)
_LIMIT_TEXTS = {
    Killed.CPU: f" ({LIMITS.cpu_seconds:g} s)",
    Killed.WALL: f" ({LIMITS.wall_seconds:g} s)",
    Killed.MEMORY: f" ({LIMITS.memory_bytes >> 20} MiB)",
    Killed.OUTPUT: f" ({LIMITS.output_bytes >> 20} MiB)",
}
# A worker starts a preparation at the third program that could use it. The preparation takes as
# long as it saves for three or four programs, so judging one program should not start it.
_PROGRAMS_BEFORE_PREPARING = 3


class Compiler:
    """The compilers of one worker. prepared_folder: where what they use again is, or ""."""

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
            # Without the preparation the compiler has more work, so it would run out of time again.
            if (outcome.status == 0 and outcome.result) or outcome.killed in (
                Killed.CPU,
                Killed.WALL,
            ):
                return _read_product(outcome)
        outcome = self._run(files, command, product, language)
        is_refused = outcome.killed is None and outcome.status != 0
        older, newer = language.newer_standard
        if is_refused and older in command:
            newer_command = [newer if argument == older else argument for argument in command]
            newer_outcome = self._run(files, newer_command, product, language)
            outcome = newer_outcome if newer_outcome.status == 0 else outcome
        return _read_product(outcome)

    def _run(
        self,
        files: Mapping[str, str],
        command: Sequence[str],
        product: str,
        language: Language,
        prepared: str = "",
    ) -> Outcome:
        limits = replace(LIMITS, address_bytes=language.address_bytes)
        names = {"toolchain": language.toolchain, "prepared": prepared}
        make_request = partial(make_build_request, files, command, product, limits, **names)
        return run_with_retries(self._sandbox, make_request, _require_end)

    def _find_prepared(self, preparation: Preparation | None, files: Mapping[str, str]) -> str:
        """Return the folder of the prepared files, or "" if there are none yet. They are made in
        the background once enough programs could use them."""
        if preparation is None or not self._store.folder:
            return ""
        if not any(preparation.sign in text for text in files.values()):
            return ""
        recipe = preparation.recipe
        folder = self._store.find(recipe)
        if not folder:
            count = self._program_counts.get(recipe.name, 0) + 1
            self._program_counts[recipe.name] = count
            is_free = self._preparing is None or self._preparing.has_ended()
            if is_free and count % _PROGRAMS_BEFORE_PREPARING == 0:
                plan = self._sandbox.plan
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
