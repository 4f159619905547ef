"""The toolchains of this machine: programs and version of each, and what the programs read.

A trusted process looks them up once; the sandbox then shows a compiler, or the runtime of what it
made, these paths and nothing else. TOOLCHAINS has one finder for each.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import field
from functools import lru_cache

from microcoder_sandbox.errors import SandboxUnavailableError
from microcoder_sandbox.frozen_records import record

from . import gcc

_USER_FOLDERS = ("~/.cargo/bin", "~/go/bin", "/usr/local/go/bin", "/usr/lib/go/bin")
_NODE_MODULES = "/usr/share/nodejs"  # where Debian's node has parts of its own library


@record
class Toolchain:
    """A compiler, and what runs the programs that it makes.

    compiler: its path.
    version: name and number, for people.
    static: whether programs are linked statically.
    readable, executable: paths that the compiler may read, and start.
    environment: variables for compiler and runtime, besides the usual ones.
    runtime: the path of what runs the compiled programs, "" if they run by themselves; it may read
        runtime_paths.
    """

    compiler: str
    version: str
    readable: tuple[str, ...] = ()
    executable: tuple[str, ...] = ()
    static: bool = True
    environment: Mapping[str, str] = field(default_factory=dict)
    runtime: str = ""
    runtime_paths: tuple[str, ...] = ()


@record
class Runtime:
    """How a toolchain's runtime runs a program.

    arguments: "{program}" stands for the program's path, "{memory}" for the limit in MiB.
    idle_arguments: make it start and end without a program.
    address_bytes: address space that it reserves and does not use.
    out_of_memory_report: how the report begins that it prints before it ends itself by SIGABRT, and
        a pattern of what stands in it when its heap is full; empty if it does so for a full heap
        only.
    """

    toolchain: str
    arguments: tuple[str, ...]
    idle_arguments: tuple[str, ...]
    address_bytes: int
    out_of_memory_report: tuple[bytes, bytes] = (b"", b"")


@lru_cache(None)
def find_toolchain(name: str = "g++") -> Toolchain | None:
    """Return the machine's toolchain of that name (TOOLCHAINS), or None."""
    import subprocess  # late: workers import this module

    try:
        return TOOLCHAINS[name][0]()
    except (OSError, subprocess.SubprocessError, ValueError):
        return None


def require_toolchain(name: str) -> Toolchain:
    """Return the machine's toolchain of that name. Raises SandboxUnavailableError if there is
    none."""
    toolchain = find_toolchain(name)
    if toolchain is None:
        raise SandboxUnavailableError(f"{how_to_install(name)}, which this machine does not have")
    return toolchain


def how_to_install(name: str) -> str:
    """Return how to get a toolchain that is missing, as part of a sentence."""
    return TOOLCHAINS[name][1]


def _find_program(*names: str) -> str:
    """Return the path of the first of these programs that is here: the system's own, then the
    caller's, then where installers put it. Raises FileNotFoundError."""
    caller_path = os.environ.get("PATH", "")
    usual_path = os.pathsep.join(map(os.path.expanduser, _USER_FOLDERS))
    search_path = os.pathsep.join((gcc.SYSTEM_PATH, caller_path, usual_path))
    for name in names:
        if (program := gcc.find_program(name, search_path)) is not None:
            return program
    raise FileNotFoundError(names)


def _find_gnu(name: str, language: str) -> Toolchain:
    compiler = _find_program(name)
    # Resolve the link: a compiler looks for its parts beside the path that starts it. Keep a link
    # to another program such as ccache, which chooses its task by the name of the link.
    target = os.path.realpath(compiler)
    compiler = target if name in os.path.basename(target) else compiler
    version = gcc.query_tool(compiler, "-dumpfullversion").strip()
    parts = gcc.find_parts(compiler, language)
    return Toolchain(compiler, f"{name} {version}", parts.readable, parts.executable, parts.static)


def _find_java() -> Toolchain:
    home = os.path.dirname(os.path.dirname(os.path.realpath(_find_program("javac"))))
    compiler, runtime = f"{home}/bin/javac", f"{home}/bin/java"
    os.stat(runtime)  # or the toolchain is not here
    version = gcc.query_tool(compiler, "-version").split()[-1]
    paths = (home, *_find_linked_config_files(home))
    return Toolchain(
        compiler=compiler,
        version=f"javac {version}",
        readable=paths,
        executable=(compiler, f"{home}/lib/jspawnhelper", *gcc.find_loaders()),
        environment={"LC_ALL": "C.UTF-8"},  # names of files: of classes in other letters than ASCII
        runtime=runtime,
        runtime_paths=paths,
    )


def _find_linked_config_files(home: str) -> list[str]:
    """Return what the JVM's own files link to: Debian keeps its configuration under /etc."""
    files = (os.path.join(folder, file) for folder, _, files in os.walk(home) for file in files)
    targets = {os.path.realpath(link) for link in files if os.path.exists(link)}
    return sorted(file for file in targets if not file.startswith(f"{home}/"))


def _find_node() -> Toolchain:
    node = os.path.realpath(_find_program("node", "nodejs"))
    version = gcc.query_tool(node, "--version").strip().removeprefix("v")
    library = (_NODE_MODULES,) if os.path.isdir(_NODE_MODULES) else ()
    return Toolchain(
        compiler=node,
        version=f"node {version}",
        environment={"OPENSSL_CONF": "/dev/null"},
        readable=library,
        executable=(node, *gcc.find_loaders()),
        runtime=node,
        runtime_paths=library,
    )


def _find_pypy() -> Toolchain:
    program = os.path.realpath(_find_program("pypy3", "pypy"))
    query = "import os, sys; print(os.path.dirname(os.__file__), *sys.pypy_version_info[:3])"
    library, *numbers = gcc.query_tool(program, "-I", "-c", query).split()
    # A release from pypy.org keeps its shared library beside the program.
    beside = [file.path for file in os.scandir(os.path.dirname(program)) if "libpypy" in file.name]
    paths = (library, *beside)
    return Toolchain(
        compiler=program,
        version=f"pypy {'.'.join(numbers)}",
        # PyPy would ask the machine how large its caches are, and complain on standard error.
        environment={"PYPY_GC_NURSERY": "4MB"},
        readable=paths,
        executable=(program, *gcc.find_loaders()),
        runtime=program,
        runtime_paths=paths,
    )


def _find_rust() -> Toolchain:
    linker = gcc.find_program("gcc")
    if linker is None:
        raise FileNotFoundError("gcc")
    # rustup's own rustc only starts another.
    root = gcc.query_tool(_find_program("rustc"), "--print", "sysroot").strip()
    compiler = os.path.join(root, "bin", "rustc")
    version = gcc.query_tool(compiler, "--version").split()[1]
    parts = gcc.find_parts(linker, "c")
    return Toolchain(
        compiler=compiler,
        version=f"rustc {version}",
        readable=(os.path.join(root, "lib"), *parts.readable),
        executable=(compiler, *parts.executable),
        static=parts.static,
    )


def _find_go() -> Toolchain:
    launcher = _find_program("go")
    root = gcc.query_tool(launcher, "env", "GOROOT").strip()
    version = gcc.query_tool(launcher, "env", "GOVERSION").strip().removeprefix("go")
    compiler = os.path.join(root, "bin", "go")
    tool_folders = [os.path.realpath(os.path.join(root, name)) for name in ("bin", "pkg")]
    # Debian links the folders of its GOROOT to /usr/share.
    folders = {os.path.realpath(entry.path) for entry in os.scandir(root) if entry.is_symlink()}
    environment = {
        "GOROOT": root,
        # Paths have to be absolute, and below level 4 the folder has no name of its own.
        "GOCACHE": "/proc/self/cwd/cache",
        "GOPATH": "/proc/self/cwd/path",
        "GOENV": "off",
        "GO111MODULE": "off",
        "GOTOOLCHAIN": "local",
        "GOTELEMETRY": "off",
        "CGO_ENABLED": "0",
    }
    return Toolchain(
        compiler=compiler,
        version=f"go {version}",
        readable=(root, os.path.realpath(root), *sorted(folders)),
        executable=(compiler, *tool_folders, *gcc.find_loaders()),  # Debian's go needs a loader
        environment=environment,
    )


# name: how it is found (OSError if it is not here), and how to get it
TOOLCHAINS: dict[str, tuple[Callable[[], Toolchain], str]] = {
    "g++": (lambda: _find_gnu("g++", "c++"), "C++ needs g++ (Debian, Ubuntu: apt install g++)"),
    "gcc": (
        lambda: _find_gnu("gcc", "c"),
        "C needs gcc (Debian, Ubuntu: apt install gcc libc6-dev)",
    ),
    "java": (
        _find_java,
        "Java needs javac and java (Debian, Ubuntu: apt install default-jdk-headless)",
    ),
    "node": (_find_node, "JavaScript needs node (Debian, Ubuntu: apt install nodejs)"),
    "pypy": (_find_pypy, "PyPy needs pypy3 (Debian, Ubuntu: apt install pypy3)"),
    "rustc": (
        _find_rust,
        "Rust needs rustc, and gcc to link (Debian, Ubuntu: apt install rustc; or rustup)",
    ),
    "go": (_find_go, "Go needs go (Debian, Ubuntu: apt install golang-go)"),
}
