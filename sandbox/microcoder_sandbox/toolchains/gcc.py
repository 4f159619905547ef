"""Where the parts of a GNU compiler are and what they read, in its own words (gcc(1))."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
LOADERS = ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1")
_ASK_SECONDS = 60
_PARTS = ("as", "ld", "collect2", "ld.bfd", "lto-wrapper")
_PLUGIN = "liblto_plugin.so"
_LIBRARY_FILES = ("crt1.o", "crtbeginT.o", "libc.a", "libc.so", "libm.a", "libgcc.a",
                  "libgcc_s.so.1", "libc.so.6", "libpthread.a")  # fmt: skip
_CPP_FILES = ("libstdc++.a", "libstdc++.so")


@dataclass(frozen=True, slots=True)
class Parts:
    """static: whether programs can be linked statically (they start faster, and need no loader).
    read, execute: places for the compiler."""

    static: bool
    read: tuple[str, ...]
    execute: tuple[str, ...]


def parts(compiler: str, language: str) -> Parts:
    """Of the compiler at that path, for "c" or "c++".

    Raises OSError, subprocess.SubprocessError where it does not answer.
    """
    core, more = ("cc1plus", _CPP_FILES) if language == "c++" else ("cc1", ())
    programs = [found(ask(compiler, f"-print-prog-name={part}")) for part in (core, *_PARTS)]
    programs.append(found(ask(compiler, f"-print-file-name={_PLUGIN}")))
    names = (*_LIBRARY_FILES, *more)
    files = {name: found(ask(compiler, f"-print-file-name={name}")) for name in names}
    libraries = {os.path.dirname(file) for file in files.values() if file}
    archives = ("libc.a", *(name for name in more if name.endswith(".a")))
    named = with_targets([path for path in (compiler, *programs) if path])
    return Parts(
        static=all(files[name] for name in archives),
        read=tuple(dict.fromkeys([*_header_folders(compiler, language), *sorted(libraries)])),
        execute=tuple(dict.fromkeys([*named, *loaders()])),
    )


def loaders() -> tuple[str, ...]:
    """What starts programs that are not linked statically."""
    return tuple(path for path in LOADERS if os.path.exists(path))


def ask(*command: str, errors: bool = False) -> str:
    """What a program prints; with ``errors`` on standard error. Raises OSError, SubprocessError."""
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_ASK_SECONDS,
        check=True,
        env={"PATH": SYSTEM_PATH, "LC_ALL": "C", "HOME": os.path.expanduser("~")},
    )
    return done.stderr if errors else done.stdout


def found(answer: str) -> str | None:
    """gcc answers with the bare name for what it does not have."""
    name = answer.strip()
    if "/" not in name:
        name = shutil.which(name, path=SYSTEM_PATH) or ""
    return os.path.normpath(name) if name and os.path.exists(name) else None


def with_targets(paths: list[str]) -> list[str]:
    """Links and what they lead to: both names must be there in a root of the cage's own."""
    named = []
    for path in paths:
        named += [path, os.path.realpath(path)]
    return named


def _header_folders(compiler: str, language: str) -> list[str]:
    told = ask(compiler, "-E", "-v", "-x", language, "/dev/null", errors=True)
    lines = told.partition("#include <...> search starts here:")[2].splitlines()
    folders = []
    for line in lines[1:]:
        if line.startswith("End of search list"):
            break
        folders.append(os.path.normpath(line.strip()))
    return [folder for folder in folders if os.path.isdir(folder)]
