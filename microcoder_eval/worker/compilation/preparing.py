"""Makes files that a toolchain reuses, in a process beside the worker that wants them.

The process is trusted and has a sandbox of its own, in which the compiler sees the recipe's fixed
texts and nothing of a candidate. It has the lowest priority, and ends with its worker.
"""

from __future__ import annotations

import fcntl
import os
import pickle
import subprocess
import sys
from contextlib import suppress

from microcoder_sandbox import (
    PREPARED,
    Plan,
    PreparedStore,
    Recipe,
    ResourceLimits,
    Sandbox,
    SandboxError,
    die_with_parent,
    make_build_request,
)

_CODE = f"import sys; sys.path = {{path!r}}; from {__package__} import preparing; preparing.main()"
_LIMITS = ResourceLimits(
    cpu_seconds=120.0, wall_seconds=300.0, memory_bytes=1 << 30, output_bytes=320 << 20,
    address_bytes=4 << 30,  # a Java machine reserves it
)  # fmt: skip
_LOWEST_PRIORITY = 19
_LOCK = ".lock"


class PreparationProcess:
    """A process that follows one recipe, unless another one does so. Failing is no error: programs
    are then compiled as if there were no recipe."""

    def __init__(self, plan: Plan, folder: str, recipe: Recipe) -> None:
        flags = ["-s", "-P", "-S", "-B", "-X", "utf8"]
        self._process: subprocess.Popen[bytes] | None = None
        with suppress(OSError):
            self._process = subprocess.Popen(
                [sys.executable, *flags, "-c", _CODE.format(path=sys.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                cwd="/",
            )
            assert self._process.stdin is not None
            with self._process.stdin as pipe:
                pickle.dump((os.getpid(), plan, folder, recipe), pipe)

    def has_ended(self) -> bool:
        """Whether it has ended, well or not."""
        return self._process is None or self._process.poll() is not None


def main() -> None:
    """Entry point of the process."""
    worker, plan, folder, recipe = pickle.load(sys.stdin.buffer)
    die_with_parent(parent_alive=os.getppid() == worker)
    os.nice(_LOWEST_PRIORITY)
    with suppress(OSError, SandboxError):
        prepare(plan, PreparedStore(folder), recipe)


def prepare(plan: Plan, store: PreparedStore, recipe: Recipe) -> str:
    """Follow a recipe and return the folder with the result. Raises OSError, SandboxError.

    If another process has made it meanwhile, that folder is returned. Returns "" if the recipe
    fails, or while another process of this user follows any recipe.
    """
    with open(os.path.join(store.folder, _LOCK), "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return ""
        store.remove_abandoned()
        if folder := store.find(recipe):
            return folder
        with Sandbox(plan) as sandbox:
            outcome = sandbox.run(
                make_build_request(
                    recipe.files, recipe.command, PREPARED, _LIMITS, toolchain=recipe.toolchain
                )
            )
        if outcome.status != 0 or not outcome.result:
            return ""
        return store.add(recipe, outcome.result)
