"""``microcoder-eval doctor``: tries to break each layer of the sandbox and reports which hold."""

from __future__ import annotations

import os
import platform
from dataclasses import asdict
from typing import Any

from microcoder_eval.api import Judge
from microcoder_eval.console.streams import make_console, print_facts, print_warning
from microcoder_eval.judgements import MEMORY_METHOD
from microcoder_eval.languages import LANGUAGES, find_language
from microcoder_eval.pool.cores import usable_cores
from microcoder_eval.version import __version__
from microcoder_sandbox import compute_level, find_toolchain, how_to_install, landlock, record

# Runs inside the sandbox; prints for each attempt whether the layer held.
_PROBE = r"""
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def attempt(name, action):
    try:
        success = action()
    except OSError:
        success = False
    print(name, "broken" if success else "held", flush=True)
def fork():
    pid = os.fork()
    if pid == 0: os._exit(0)
    return True
def read_capabilities():
    header = (ctypes.c_uint32 * 2)(0x20080522, 0); data = (ctypes.c_uint32 * 6)()
    if libc.capget(header, data): return 0
    return data[0] | data[1] | data[3] | data[4]
attempt("landlock: read a file outside", lambda: open("/etc/passwd").read() or True)
attempt("landlock: read /proc", lambda: open("/proc/self/environ", "rb").read() or True)
attempt("landlock: list the root folder", lambda: os.listdir("/") or True)
attempt("landlock: write a file", lambda: open("/tmp/microcoder-probe", "w") or True)
attempt("seccomp: start a process", fork)
attempt("seccomp: open a socket", lambda: __import__("socket").socket() or True)
attempt("seccomp: change a file's mode", lambda: os.chmod(os.__file__, 0o644) is None)
attempt("seccomp: make a user namespace", lambda: libc.unshare(0x10000000) == 0)
attempt("seccomp: shared memory that stays", lambda: libc.shmget(0, 4096, 0o1600) >= 0)
attempt("seccomp: signal the parent", lambda: os.kill(os.getppid(), 0) is None)
attempt("namespaces: see a file's size outside", lambda: os.stat("/etc/passwd").st_size >= 0)
attempt("namespaces: know the host's process ids", lambda: os.getppid() != 1)
attempt("capabilities: any left", lambda: read_capabilities() != 0)
"""
_REMEDIES = {
    "landlock": "Linux 5.13 or newer with landlock in /sys/kernel/security/lsm (boot with "
    "lsm=landlock,...); in Docker or Podman a release whose default seccomp profile allows it "
    "(Docker 20.10.10 or newer)",
    "seccomp": "a kernel with CONFIG_SECCOMP_FILTER, on x86-64 or aarch64",
    "namespaces": "unprivileged user namespaces: sysctl kernel.unprivileged_userns_clone=1, "
    "user.max_user_namespaces above 0, kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu "
    "24.04). A container needs --security-opt seccomp=unconfined --security-opt "
    "apparmor=unconfined --cap-add SYS_ADMIN; this removes most of what separates the container "
    "from the host, so judge on the host or in a virtual machine instead",
    "capabilities": "nothing: every process may give up its own",
}
_LEVEL_3_IS_ENOUGH = (
    "level 3 is enough: programs read no file but the interpreter's, write nothing, and start or "
    "signal no process. Level 4 adds namespaces: programs cannot ask either which other files "
    "exist, how large and how old they are, or which processes run"
)


@record
class Layer:
    """A layer of the sandbox: whether it held, what was seen, and how to get it."""

    layer: str
    held: bool
    detail: str
    how_to_get_it: str


def run(args: Any) -> int:
    """Probe this machine; return 0, or 3 if the level is below --min-level."""
    with Judge(workers=1, min_level=1, allow_unsafe=True) as judge:
        layers = _probe_layers(judge)
        level = compute_level({layer.layer for layer in layers if layer.held})
        facts = {
            "cores": usable_cores(),
            "landlock_abi": landlock.get_abi_version(),
            "memory_method": MEMORY_METHOD,
            "level": level,
            "min_level": args.min_level,
            "layers": [asdict(layer) for layer in layers],
            "kernel": platform.release(),
            "machine": platform.machine(),
            "libc": " ".join(platform.libc_ver()).strip() or "unknown",
            "python": platform.python_version(),
            "user": os.getuid(),
            "packages": sorted(judge.packages),
            "languages": _find_language_versions(),
            "version": __version__,
        }
    print_facts(facts, args.json, lambda: _show_facts(layers, facts))
    if level < args.min_level:
        print_warning(
            f"level {level} is below {args.min_level}; see above for what is "
            "missing and how to get it"
        )
        return 3
    return 0


def _probe_layers(judge: Judge) -> list[Layer]:
    outcome = judge.run(_PROBE)
    broken: dict[str, list[str]] = {}
    for line in outcome.stdout.splitlines():
        attempt, _, state = line.rpartition(" ")
        layer, _, action = attempt.partition(": ")
        broken.setdefault(layer, [])
        if state != "held":
            broken[layer].append(action)
    return [
        Layer(
            layer=name,
            held=judge.layers.get(name) == "held" and name in broken and not broken[name],
            detail=_describe_state(judge.layers.get(name, "not tried"), broken.get(name)),
            how_to_get_it=remedy,
        )
        for name, remedy in _REMEDIES.items()
    ]


def _describe_state(state: str, broken: list[str] | None) -> str:
    if state != "held":
        return state
    if broken is None:
        return "the probe ended before it tested this layer"
    if broken:
        return f"in place, but a program could: {', '.join(broken)}"
    return "held against every attempt"


def _find_language_versions() -> dict[str, str | None]:
    """Return the version of each language's compiler or interpreter; None if it is missing."""
    versions: dict[str, str | None] = {"python": f"Python {platform.python_version()}"}
    for language in LANGUAGES:
        if language.compiled:
            toolchain = find_toolchain(language.toolchain)
            libc = "" if toolchain is None or toolchain.static else ", no static libc"
            versions[language.name] = None if toolchain is None else toolchain.version + libc
    return versions


def _show_facts(layers: list[Layer], facts: dict[str, Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    out = make_console()
    out.print(f"isolation level {facts['level']} (4 is the highest, 3 the default minimum)")
    table = Table(box=None, pad_edge=False)
    for title in ("layer", "holds", "what was seen"):
        table.add_column(title)
    for layer in layers:
        table.add_row(layer.layer, "yes" if layer.held else "NO", Text(layer.detail))
    out.print(table)
    if facts["level"] == 3:
        out.print(_LEVEL_3_IS_ENOUGH)
    for layer in layers:
        if not layer.held:
            out.print(f"to get {layer.layer}: {layer.how_to_get_it}")
    out.print(
        f"memory method {facts['memory_method']}, {facts['cores']} usable cores, "
        f"Landlock ABI {facts['landlock_abi']}, Linux {facts['kernel']} {facts['machine']}, "
        f"Python {facts['python']}, programs may import {', '.join(facts['packages']) or 'nothing'}"
        " besides the standard library"
    )
    for name, version in facts["languages"].items():
        language = find_language(name)
        hint = how_to_install(language.toolchain) if language and language.compiled else ""
        out.print(Text(f"{name}: {version or f'not installed: {hint}'}"))
