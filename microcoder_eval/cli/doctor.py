"""``microcoder-eval doctor``: try to break each layer, say which hold and how to get the rest."""

from __future__ import annotations

import json
import os
import platform
import sys
from dataclasses import asdict, dataclass
from typing import Any

from microcoder_eval.api import MEMORY_METHOD, Judge
from microcoder_eval.cores import usable_cores
from microcoder_eval.languages import LANGUAGES, find_language
from microcoder_eval.version import __version__
from microcoder_sandbox import landlock
from microcoder_sandbox.toolchain import find_toolchain, how_to_install

from .streams import answering, console

# Run inside the cage: each line says what was tried and whether it worked.
_PROBE = r"""
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def attempt(name, action):
    try:
        done = action()
    except OSError:
        done = False
    print(name, "broken" if done else "held", flush=True)
def raw(number, *arguments):
    return libc.syscall(number, *arguments) >= 0
def fork():
    pid = os.fork()
    if pid == 0: os._exit(0)
    return True
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
attempt("capabilities: any left", lambda: _capabilities() != 0)
""".replace(
    "libc = ctypes",
    "def _capabilities():\n"
    "    header = (ctypes.c_uint32 * 2)(0x20080522, 0); data = (ctypes.c_uint32 * 6)()\n"
    "    if libc.capget(header, data): return 0\n"
    "    return data[0] | data[1] | data[3] | data[4]\n"
    "libc = ctypes",
    1,
)
_HOW = {
    "landlock": "Linux 5.13 or newer with landlock in /sys/kernel/security/lsm (boot with "
    "lsm=landlock,...); in Docker or Podman a release whose default seccomp profile allows it "
    "(Docker 20.10.10 or newer)",
    "seccomp": "a kernel with CONFIG_SECCOMP_FILTER, on x86-64 or aarch64",
    "namespaces": "unprivileged user namespaces: sysctl kernel.unprivileged_userns_clone=1, "
    "user.max_user_namespaces above 0, kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu "
    "24.04); in Docker: --security-opt seccomp=unconfined --security-opt apparmor=unconfined "
    "--cap-add SYS_ADMIN",
    "capabilities": "nothing: every process may give up its own",
}
_NEEDED_AT = {"landlock": 3, "seccomp": 2, "namespaces": 4, "capabilities": 2}


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer: whether it holds, what it said, and how to get it where it does not."""

    layer: str
    held: bool
    detail: str
    how_to_get_it: str


def run(args: Any) -> int:
    """Probe this machine; 0, or 3 below --min-level."""
    with Judge(workers=1, min_level=1, allow_unsafe=True) as judge:
        layers = _probe(judge)
        level = _level(judge.sandbox_level, layers)
        packages = sorted(judge.packages)
    facts = {
        "level": level,
        "min_level": args.min_level,
        "memory_method": MEMORY_METHOD,
        "layers": [asdict(layer) for layer in layers],
        "landlock_abi": landlock.abi(),
        "cores": usable_cores(),
        "kernel": platform.release(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "user": os.getuid(),
        "packages": packages,
        "compiler": _compiler(),
        "languages": _languages(),
        "version": __version__,
    }
    with answering():
        if args.json:
            print(json.dumps(facts))
        else:
            _show(layers, facts)
    if level < args.min_level:
        print(
            f"microcoder-eval: level {level} is below {args.min_level}; what is missing stands "
            "above, with how to get it",
            file=sys.stderr,
        )
        return 3
    return 0


def _probe(judge: Judge) -> list[Layer]:
    outcome = judge.run(_PROBE)
    broken: dict[str, list[str]] = {}
    for line in outcome.stdout.splitlines():
        attempt, _, state = line.rpartition(" ")
        layer, _, what = attempt.partition(": ")
        broken.setdefault(layer, [])
        if state != "held":
            broken[layer].append(what)
    return [
        Layer(
            layer=name,
            held=judge.layers.get(name) == "held" and name in broken and not broken[name],
            detail=_detail(judge.layers.get(name, "not tried"), broken.get(name)),
            how_to_get_it=how,
        )
        for name, how in _HOW.items()
    ]


def _detail(state: str, broken: list[str] | None) -> str:
    if state != "held":
        return state
    if broken is None:
        return "the probe did not come that far"
    return f"in place, but could: {', '.join(broken)}" if broken else "tried to break it, held"


def _level(reached: int, layers: list[Layer]) -> int:
    missing = [_NEEDED_AT[layer.layer] for layer in layers if not layer.held]
    return min([reached, *(needed - 1 for needed in missing)])


def _languages() -> dict[str, str | None]:
    """What runs programs in each language; None where its toolchain is missing."""
    found: dict[str, str | None] = {"python": f"Python {platform.python_version()}"}
    for language in LANGUAGES:
        if language.compiled:
            tools = find_toolchain(language.toolchain)
            found[language.name] = None if tools is None else tools.version
    return found


def _compiler() -> str | None:
    tools = find_toolchain()
    return None if tools is None else f"{tools.version}{'' if tools.static else ', no static libc'}"


def _show(layers: list[Layer], facts: dict[str, Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    out = console()
    out.print(f"isolation level {facts['level']} (4 is the highest, 3 the default minimum)")
    table = Table(box=None, pad_edge=False)
    for title in ("layer", "holds", "what was seen"):
        table.add_column(title)
    for layer in layers:
        table.add_row(layer.layer, "yes" if layer.held else "NO", Text(layer.detail))
    out.print(table)
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
        known = find_language(name)
        missing = how_to_install(known.toolchain) if known and known.compiled else ""
        out.print(Text(f"{name}: {version or f'not here: {missing}'}"))
    out.print(
        f"C++ checkers are compiled by {facts['compiler']}"
        if facts["compiler"]
        else "C++ checkers cannot be compiled: there is no g++ (Debian, Ubuntu: apt install g++)"
    )
