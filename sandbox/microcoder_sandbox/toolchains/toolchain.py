"""The toolchains of this machine: where each has its programs and what these read.

Asked once by a trusted process; the cage then shows a compiler, or the program that runs what was
compiled, these places and nothing else. One finder a toolchain; TOOLCHAINS is the table of them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from . import gcc

_USERS_OWN = ("~/.cargo/bin", "~/go/bin", "/usr/local/go/bin", "/usr/lib/go/bin")
_NODE_MODULES = "/usr/share/nodejs"  # where Debian's node has parts of its own library


@dataclass(frozen=True, slots=True)
class Toolchain:
    """What makes programs, and where it runs them, what does.

    compiler: its path. version: name and number, for people. static: whether programs are linked
    statically. read, execute: places for the compiler. environment: for both, besides the usual.
    host: the program that runs what was compiled ("": it runs by itself), which reads host_read.
    """

    compiler: str
    version: str
    read: tuple[str, ...] = ()
    execute: tuple[str, ...] = ()
    static: bool = True
    environment: Mapping[str, str] = field(default_factory=dict)
    host: str = ""
    host_read: tuple[str, ...] = ()


@lru_cache(None)
def find_toolchain(name: str = "g++") -> Toolchain | None:
    """The machine's toolchain of that name (TOOLCHAINS), or None."""
    try:
        return TOOLCHAINS[name][0]()
    except (OSError, subprocess.SubprocessError, ValueError):
        return None


def how_to_install(name: str) -> str:
    """What to do where there is none."""
    return TOOLCHAINS[name][1]


def _located(name: str) -> str | None:
    """A program's path: the system's own, then the caller's, then where installers put it."""
    mine = os.environ.get("PATH", "")
    usual = os.pathsep.join(map(os.path.expanduser, _USERS_OWN))
    return shutil.which(name, path=os.pathsep.join((gcc.SYSTEM_PATH, mine, usual)))


def _gnu(name: str, language: str) -> Toolchain | None:
    compiler = shutil.which(name, path=gcc.SYSTEM_PATH)
    if compiler is None:
        return None
    version = gcc.ask(compiler, "-dumpfullversion").strip()
    parts = gcc.parts(compiler, language)
    return Toolchain(compiler, f"{name} {version}", parts.read, parts.execute, parts.static)


def _java() -> Toolchain | None:
    compiler = _located("javac")
    if compiler is None:
        return None
    home = os.path.dirname(os.path.dirname(os.path.realpath(compiler)))
    programs = [f"{home}/bin/{name}" for name in ("javac", "java")]
    if not all(map(os.path.exists, programs)):
        return None
    version = gcc.ask(programs[0], "-version").split()[-1]
    read = (home, *_settings(home))
    return Toolchain(
        compiler=programs[0],
        version=f"javac {version}",
        read=read,
        execute=(programs[0], f"{home}/lib/jspawnhelper", *gcc.loaders()),
        host=programs[1],
        host_read=read,
    )


def _settings(home: str) -> list[str]:
    """Debian keeps what an administrator may change of the library under /etc, behind links."""
    links = [f"{home}/lib/jvm.cfg"]
    for folder, _folders, files in os.walk(f"{home}/conf"):
        links += [os.path.join(folder, file) for file in files]
    led = {os.path.realpath(link) for link in links}
    return sorted(file for file in led if not file.startswith(f"{home}/"))


def _node() -> Toolchain | None:
    node = _located("node") or _located("nodejs")
    if node is None:
        return None
    node = os.path.realpath(node)
    version = gcc.ask(node, "--version").strip().removeprefix("v")
    library = (_NODE_MODULES,) if os.path.isdir(_NODE_MODULES) else ()
    return Toolchain(
        compiler=node,
        version=f"node {version}",
        environment={"OPENSSL_CONF": "/dev/null"},
        read=library,
        execute=(node, *gcc.loaders()),
        host=node,
        host_read=library,
    )


def _rust() -> Toolchain | None:
    named, linker = _located("rustc"), shutil.which("gcc", path=gcc.SYSTEM_PATH)
    if named is None or linker is None:
        return None
    root = gcc.ask(named, "--print", "sysroot").strip()  # rustup's own rustc only starts another
    compiler = os.path.join(root, "bin", "rustc")
    version = gcc.ask(compiler, "--version").split()[1]
    parts = gcc.parts(linker, "c")
    return Toolchain(
        compiler=compiler,
        version=f"rustc {version}",
        read=(os.path.join(root, "lib"), *parts.read),
        execute=(compiler, *parts.execute),
        static=parts.static,
    )


def _go() -> Toolchain | None:
    named = _located("go")
    if named is None:
        return None
    root = gcc.ask(named, "env", "GOROOT").strip()
    version = gcc.ask(named, "env", "GOVERSION").strip().removeprefix("go")
    compiler = os.path.join(root, "bin", "go")
    places = [os.path.realpath(os.path.join(root, name)) for name in ("bin", "pkg")]
    environment = {
        "GOROOT": root,
        "GOCACHE": "/scratch/cache",
        "GOPATH": "/scratch/path",
        "GOENV": "off",
        "GO111MODULE": "off",
        "GOTOOLCHAIN": "local",
        "GOTELEMETRY": "off",
        "CGO_ENABLED": "0",
    }
    return Toolchain(
        compiler=compiler,
        version=f"go {version}",
        read=(root, os.path.realpath(root)),
        execute=(compiler, *places),
        environment=environment,
    )


# name: how it is found, and how to get it
TOOLCHAINS: dict[str, tuple[Callable[[], Toolchain | None], str]] = {
    "g++": (lambda: _gnu("g++", "c++"), "C++ needs g++ (Debian, Ubuntu: apt install g++)"),
    "gcc": (lambda: _gnu("gcc", "c"), "C needs gcc (Debian, Ubuntu: apt install gcc libc6-dev)"),
    "java": (
        _java,
        "Java needs javac and java (Debian, Ubuntu: apt install default-jdk-headless)",
    ),
    "node": (_node, "JavaScript needs node (Debian, Ubuntu: apt install nodejs)"),
    "rustc": (
        _rust,
        "Rust needs rustc, and gcc to link (Debian, Ubuntu: apt install rustc; or rustup)",
    ),
    "go": (_go, "Go needs go (Debian, Ubuntu: apt install golang-go)"),
}
