"""What programs may see and which layers hold them: worked out once, before any cage."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from . import kernel, places
from .outcome import CageUnavailableError

LAYERS = ("namespaces", "uid", "landlock", "seccomp", "capabilities", "rlimits")
_BELOW = {4: "namespaces", 3: "landlock", 2: "seccomp"}  # what a level has and the next lacks


@dataclass(frozen=True, slots=True)
class Plan:
    """What programs may see, worked out once by a process that has the packages on its path.

    without: layers left out on purpose; only for tests of what each of them stops.
    """

    path: tuple[str, ...]
    read: tuple[str, ...]
    listed: tuple[str, ...]
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
    """Look up the interpreter's folders and those of the named packages (missing ones: none).

    max_level: stay below what could be had. Raises CageUnavailableError off Linux.
    """
    if sys.platform != "linux" or kernel.MACHINE not in ("x86_64", "aarch64"):
        raise CageUnavailableError(
            "the cage needs Linux on x86-64 or aarch64 (Landlock, seccomp); "
            f"this is {sys.platform} on {kernel.MACHINE}"
        )
    if unknown := set(without) - set(LAYERS):
        raise ValueError(f"no layer is called {', '.join(sorted(unknown))}")
    lowered = [layer for level, layer in _BELOW.items() if level > max_level]
    found = places.package_places(tuple(packages))
    read = places.readable(found)
    return Plan(
        path=tuple(places.module_path()),
        read=tuple(read),
        listed=tuple(places.listable()),
        mounts=tuple(places.mounts(found)),
        packages=found,
        min_level=min_level,
        without=tuple(dict.fromkeys([*without, *lowered])),
        drop_uid=os.getuid() == 0 and places.readable_by_others(read),
    )
