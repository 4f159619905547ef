"""What programs may see and which layers confine them: computed once, before any sandbox."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

from microcoder_sandbox.errors import SandboxUnavailableError
from microcoder_sandbox.frozen_records import record
from microcoder_sandbox.kernel import syscalls

from . import visible_paths

LAYERS = ("namespaces", "uid", "landlock", "seccomp", "capabilities", "rlimits")
# The layer that a level has and the next lower one lacks.
_LAYER_OF_LEVEL = {4: "namespaces", 3: "landlock", 2: "seccomp"}


@record
class Plan:
    """What programs may see, computed once by a process that has the packages on its path.

    module_path: sys.path of programs.
    readable: what they may read.
    mounts: the steps that build a root from these.
    packages: where each is installed.
    min_level: the isolation level required.
    without: layers left out on purpose, only to test what each of them stops.
    drop_uid: whether programs run as another user.
    """

    module_path: tuple[str, ...]
    readable: tuple[str, ...]
    mounts: tuple[tuple[str, str], ...]
    packages: Mapping[str, str]
    min_level: int = 3
    without: tuple[str, ...] = ()
    drop_uid: bool = False


def make_plan(
    packages: Sequence[str] = (),
    *,
    min_level: int = 3,
    max_level: int = 4,
    without: Sequence[str] = (),
) -> Plan:
    """Look up the folders of the interpreter and of the named packages; missing ones are left out.

    max_level: leave out the layers of higher levels. Raises SandboxUnavailableError off Linux.
    """
    if sys.platform != "linux" or syscalls.MACHINE not in ("x86_64", "aarch64"):
        raise SandboxUnavailableError(
            "the sandbox needs Linux on x86-64 or aarch64 (Landlock, seccomp); "
            f"this is {sys.platform} on {syscalls.MACHINE}"
        )
    if unknown_layers := set(without) - set(LAYERS):
        raise ValueError(f"no layer is called {', '.join(sorted(unknown_layers))}")
    dropped_layers = [layer for level, layer in _LAYER_OF_LEVEL.items() if level > max_level]
    package_paths = visible_paths.locate_packages(tuple(packages))
    readable_paths = visible_paths.list_readable_paths(package_paths)
    return Plan(
        module_path=tuple(visible_paths.list_module_path()),
        readable=tuple(readable_paths),
        mounts=tuple(visible_paths.plan_mounts(package_paths)),
        packages=package_paths,
        min_level=min_level,
        without=tuple(dict.fromkeys([*without, *dropped_layers])),
        drop_uid=os.getuid() == 0 and visible_paths.are_readable_by_others(readable_paths),
    )
