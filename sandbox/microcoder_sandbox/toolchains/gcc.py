"""Asks a GNU compiler where its parts are and what they read (gcc(1))."""

from __future__ import annotations

import os

from microcoder_sandbox.frozen_records import record

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
LOADERS = ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1")
_ASK_SECONDS = 60
_PARTS = ("as", "ld", "collect2", "ld.bfd", "lto-wrapper")
_PLUGIN = "liblto_plugin.so"
_LIBRARY_FILES = ("crt1.o", "crtbeginT.o", "libc.a", "libc.so", "libm.a", "libgcc.a",
                  "libgcc_s.so.1", "libc.so.6", "libpthread.a")  # fmt: skip
_CPP_FILES = ("libstdc++.a", "libstdc++.so")


@record
class CompilerParts:
    """What a compiler needs. readable, executable: paths that it may read, and start.

    static: whether programs can be linked statically (they start faster, and need no loader).
    """

    static: bool
    readable: tuple[str, ...]
    executable: tuple[str, ...]


def find_parts(compiler: str, language: str) -> CompilerParts:
    """Return the parts of the compiler at that path, for "c" or "c++".

    Raises OSError, subprocess.SubprocessError where the compiler does not answer.
    """
    core, extra_files = ("cc1plus", _CPP_FILES) if language == "c++" else ("cc1", ())
    programs = [
        resolve_path(query_tool(compiler, f"-print-prog-name={part}")) for part in (core, *_PARTS)
    ]
    programs.append(resolve_path(query_tool(compiler, f"-print-file-name={_PLUGIN}")))
    names = (*_LIBRARY_FILES, *extra_files)
    files = {name: resolve_path(query_tool(compiler, f"-print-file-name={name}")) for name in names}
    libraries = {os.path.dirname(file) for file in files.values() if file}
    archives = ("libc.a", *(name for name in extra_files if name.endswith(".a")))
    compiler_paths = add_link_targets([path for path in (compiler, *programs) if path])
    return CompilerParts(
        static=all(files[name] for name in archives),
        readable=tuple(
            dict.fromkeys([*_find_header_folders(compiler, language), *sorted(libraries)])
        ),
        executable=tuple(dict.fromkeys([*compiler_paths, *find_loaders()])),
    )


def find_loaders() -> tuple[str, ...]:
    """Return the loaders, which start programs that are not linked statically."""
    return tuple(path for path in LOADERS if os.path.exists(path))


def find_program(name: str, path: str = SYSTEM_PATH) -> str | None:
    """Return the path of a program in the folders of ``path``."""
    import shutil  # late: workers import this module

    return shutil.which(name, path=path)


def query_tool(*command: str, errors: bool = False) -> str:
    """Return what a program prints; with ``errors`` on standard error. Raises OSError,
    SubprocessError."""
    import subprocess  # late: workers import this module

    process = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_ASK_SECONDS,
        check=True,
        env={"PATH": SYSTEM_PATH, "LC_ALL": "C", "HOME": os.path.expanduser("~")},
    )
    return process.stderr if errors else process.stdout


def resolve_path(answer: str) -> str | None:
    """Return the path in gcc's answer; None for a bare name, its answer for what it does not
    have."""
    name = answer.strip()
    if "/" not in name:
        name = find_program(name) or ""
    return os.path.normpath(name) if name and os.path.exists(name) else None


def add_link_targets(paths: list[str]) -> list[str]:
    """Return the paths and the targets of links among them: the sandbox's own root needs both."""
    names = []
    for path in paths:
        names += [path, os.path.realpath(path)]
    return names


def _find_header_folders(compiler: str, language: str) -> list[str]:
    output = query_tool(compiler, "-E", "-v", "-x", language, "/dev/null", errors=True)
    lines = output.partition("#include <...> search starts here:")[2].splitlines()
    folders = []
    for line in lines[1:]:
        if line.startswith("End of search list"):
            break
        folders.append(os.path.normpath(line.strip()))
    return [folder for folder in folders if os.path.isdir(folder)]
