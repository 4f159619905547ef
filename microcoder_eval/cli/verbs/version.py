"""``--version``: collects facts for bug reports: versions, machine, sandbox, compilers, extras.

``collect_facts`` never fails: a fact that cannot be read is replaced by the error. No fact contains
a path or a user name.
"""

from __future__ import annotations

import json
import os
import platform
import re
import threading
from collections.abc import Callable
from importlib import metadata
from typing import TYPE_CHECKING, Any

from microcoder_eval.console.streams import tolerate_closed_stdout
from microcoder_eval.version import __version__, get_installed_version
from microcoder_sandbox import TOOLCHAINS, find_toolchain, landlock

if TYPE_CHECKING:
    from microcoder_eval.api import Judge

_TIMEOUT_SECONDS = 10  # for all compilers together, after the sandbox has started
_EXTRA = re.compile(r"""extra\s*==\s*["']([^"']+)["']""")
_NAME = re.compile(r"[A-Za-z0-9._-]+")


def run(args: Any) -> int:
    """Print the version and facts about the machine; return 0 even if facts are missing."""
    facts = collect_facts()
    with tolerate_closed_stdout():
        if args.json:
            print(json.dumps(facts))
        else:
            print("\n".join([f"microcoder-eval {facts['version']}", *format_facts(facts)]))
    return 0


def collect_facts() -> dict[str, Any]:
    """Return all facts as JSON values."""
    compilers: dict[str, str] = {}
    # Compilers run in a thread while the sandbox starts, since a compiler may hang.
    compiler_thread = threading.Thread(target=_find_compilers, args=(compilers,), daemon=True)
    compiler_thread.start()
    sandbox_facts = try_reading(_start_judge)
    compiler_thread.join(_TIMEOUT_SECONDS)
    return {
        "version": __version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "kernel": f"{platform.system()} {platform.release()}",
        "machine": platform.machine(),
        "libc": " ".join(platform.libc_ver()).strip() or "unknown",
        "user": "root" if os.geteuid() == 0 else "not root",
        **sandbox_facts,
        "compilers": dict(compilers),
        "extras": find_extras(),
    }


def try_reading(read: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what ``read`` returns, or {"error": the reason} if it fails."""
    try:
        return read()
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def _start_judge() -> dict[str, Any]:
    from microcoder_eval.api import Judge

    with Judge(workers=1, min_level=1, allow_unsafe=True) as judge:
        return describe_sandbox(judge)


def describe_sandbox(judge: Judge) -> dict[str, Any]:
    """Return the isolation level and the state of each layer in a running judge."""
    from microcoder_eval.judgements import MEMORY_METHOD
    from microcoder_eval.pool.cores import usable_cores

    return {
        "cores": usable_cores(),
        "level": judge.sandbox_level,
        "layers": dict(judge.layers),
        "landlock_abi": landlock.get_abi_version(),
        "memory_method": MEMORY_METHOD,
    }


def find_version(toolchain_name: str) -> str | None:
    """Return the version of a toolchain; None if it is not installed."""
    toolchain = find_toolchain(toolchain_name)
    return None if toolchain is None else toolchain.version


def _find_compilers(versions: dict[str, str]) -> None:
    """Put the version of each installed toolchain into ``versions``."""
    for name in TOOLCHAINS:
        if version := find_version(name):
            versions[name] = version


def find_extras() -> dict[str, dict[str, str]]:
    """Return the extras whose packages are all installed, with the versions of these."""
    try:
        requirements = metadata.requires("microcoder") or []
    except metadata.PackageNotFoundError:
        return {}
    packages_by_extra: dict[str, dict[str, str | None]] = {}
    for requirement in requirements:
        name, extra = _NAME.match(requirement), _EXTRA.search(requirement)
        if name and extra and name[0] != "microcoder":  # an extra may include other extras
            packages_by_extra.setdefault(extra[1], {})[name[0]] = get_installed_version(name[0])
    return {
        extra: {name: version for name, version in packages.items() if version}
        for extra, packages in packages_by_extra.items()
        if all(packages.values())
    }


def format_facts(facts: dict[str, Any]) -> list[str]:
    """Format the facts for people, as lines."""
    if "level" in facts:
        layers = ", ".join(f"{name} {state}" for name, state in facts["layers"].items())
        sandbox = (
            f"isolation level {facts['level']} ({layers}; Landlock ABI {facts['landlock_abi']})"
        )
        memory = f", memory by {facts['memory_method']}, {facts['cores']} cores"
    else:
        sandbox, memory = f"isolation level unknown: {facts['error']}", ""
    extras = [
        f"extra {extra}: {', '.join(f'{name} {version}' for name, version in packages.items())}"
        for extra, packages in facts["extras"].items()
    ]
    return [
        f"{facts['python']}, {facts['kernel']} {facts['machine']}, "
        f"{facts['libc']}, {facts['user']}",
        sandbox + memory,
        f"compilers: {', '.join(facts['compilers'].values()) or 'none'}",
        *(extras or ["extras: none"]),
    ]
