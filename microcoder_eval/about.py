"""What a bug report should say: versions, the machine, the cage, compilers, extras.

Nothing here can fail: what cannot be found out is the reason why. Nothing here tells a path or a
name of the user's.
"""

from __future__ import annotations

import os
import platform
import re
import threading
from collections.abc import Callable, Sequence
from importlib import metadata
from typing import Any

from .version import __version__

_SECONDS = 10  # for all compilers together, after the cage has started
_EXTRA = re.compile(r"""extra\s*==\s*["']([^"']+)["']""")
_NAME = re.compile(r"[A-Za-z0-9._-]+")


def facts() -> dict[str, Any]:
    """Everything, as JSON would have it."""
    compilers: dict[str, str] = {}
    # They answer while the cage starts; one that never does must not keep the rest from being told.
    asking = threading.Thread(target=_find_compilers, args=(compilers,), daemon=True)
    asking.start()
    found = attempt(_cage)
    asking.join(_SECONDS)
    return {
        "version": __version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "kernel": f"{platform.system()} {platform.release()}",
        "machine": platform.machine(),
        "libc": " ".join(platform.libc_ver()).strip() or "unknown",
        "user": "root" if os.geteuid() == 0 else "not root",
        **found,
        "compilers": dict(compilers),
        "extras": extras(),
    }


def attempt(ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What it answers, or why it could not."""
    try:
        return ask()
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def _cage() -> dict[str, Any]:
    """The level reached at a start, and each layer as the worker found it."""
    from microcoder_sandbox import landlock

    from .api import MEMORY_METHOD, Judge
    from .cores import usable_cores

    with Judge(workers=1, min_level=1, allow_unsafe=True) as judge:
        return {
            "cores": usable_cores(),
            "level": judge.sandbox_level,
            "layers": dict(judge.layers),
            "landlock_abi": landlock.abi(),
            "memory_method": MEMORY_METHOD,
        }


def _find_compilers(found: dict[str, str]) -> None:
    """Put into ``found`` the version of each toolchain that solutions could be run by."""
    from microcoder_sandbox.toolchain import TOOLCHAINS, find_toolchain

    for name in TOOLCHAINS:
        if tools := find_toolchain(name):
            found[name] = tools.version


def extras() -> dict[str, dict[str, str]]:
    """The extras all of whose packages are installed, with the versions of those."""
    try:
        wanted = metadata.requires("microcoder") or []
    except metadata.PackageNotFoundError:
        return {}
    found: dict[str, dict[str, str | None]] = {}
    for requirement in wanted:
        name, extra = _NAME.match(requirement), _EXTRA.search(requirement)
        if name and extra and name[0] != "microcoder":  # an extra made of others
            found.setdefault(extra[1], {})[name[0]] = version_of(name[0])
    return {
        extra: {name: version for name, version in packages.items() if version}
        for extra, packages in found.items()
        if all(packages.values())
    }


def version_of(package: str) -> str | None:
    """The installed version; None where it is not. Imports nothing."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def lines(told: dict[str, Any]) -> list[str]:
    """The facts, for people."""
    if "level" in told:
        layers = ", ".join(f"{name} {state}" for name, state in told["layers"].items())
        cage = f"isolation level {told['level']} ({layers}; Landlock ABI {told['landlock_abi']})"
        memory = f", memory by {told['memory_method']}, {told['cores']} cores"
    else:
        cage, memory = f"isolation level unknown: {told['error']}", ""
    return [
        f"{told['python']}, {told['kernel']} {told['machine']}, {told['libc']}, {told['user']}",
        cage + memory,
        f"compilers: {', '.join(told['compilers'].values()) or 'none'}",
        *(
            [f"extra {extra}: {_listed(packages)}" for extra, packages in told["extras"].items()]
            or ["extras: none"]
        ),
    ]


def short(packages: Sequence[str]) -> str:
    """One line for a command that needs no more: Python, the kernel, and these packages."""
    versions = [f"{name} {version_of(name) or 'not installed'}" for name in packages]
    python = f"Python {platform.python_version()}"
    return ", ".join([python, f"{platform.system()} {platform.release()}", *versions])


def _listed(named: dict[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in named.items())
