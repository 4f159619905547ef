"""What a program may see of the file system: the interpreter, named packages, two devices.

Computed in the trusted process that starts a fork server, handed over as plain lists.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from importlib.machinery import PathFinder

# Not /dev/zero: mapped, it is memory that nobody counts (policy.py, mmap).
DEVICES_READ = ("/dev/urandom", "/dev/random")
DEVICES_WRITE = ("/dev/null",)
_HIDDEN = ("site-packages", "dist-packages", "__pycache__", "test", "idlelib", "ensurepip")
_LIBRARY_FOLDERS = (
    "/lib64",
    "/usr/lib64",
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/lib/aarch64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
)
_SMALL_FILES = ("/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo")


def standard_library() -> list[str]:
    """The folders the standard library is in (one, or two where platstdlib differs)."""
    named = (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), os.__file__)
    folders = [os.path.dirname(os.path.realpath(named[2]))]
    for path in named[:2]:
        real = os.path.realpath(path)
        # A virtual environment's platstdlib names its own folder, which holds site-packages only.
        if real not in folders and os.path.exists(os.path.join(real, "lib-dynload")):
            folders.append(real)
    return folders


def module_path() -> list[str]:
    """sys.path for programs: the standard library and its extension modules."""
    folders = standard_library()
    return folders + [os.path.join(f, "lib-dynload") for f in folders]


def package_places(names: tuple[str, ...]) -> dict[str, str]:
    """Where each named package is installed (its folder or file); missing ones are left out."""
    search = [entry or os.getcwd() for entry in sys.path]
    found = {}
    for name in names:
        spec = PathFinder.find_spec(name, search)
        if spec is not None and spec.origin not in (None, "built-in", "frozen"):
            origin = os.path.realpath(str(spec.origin))
            is_package = os.path.basename(origin).startswith("__init__.")
            found[name] = os.path.dirname(origin) if is_package else origin
    return found


def readable(packages: dict[str, str]) -> list[str]:
    """Files and folders whose contents a program may read."""
    granted: list[str] = []
    for library in standard_library():
        # Never the folder as a whole: site-packages lies inside it, and solutions lie there.
        granted += [
            os.path.join(library, entry)
            for entry in sorted(os.listdir(library))
            if entry not in _HIDDEN
        ]
        granted.append(os.path.join(library, "__pycache__"))
    prefix = os.path.join(sys.base_prefix, "lib")
    if os.path.isdir(prefix):
        granted += [
            os.path.join(prefix, entry)
            for entry in sorted(os.listdir(prefix))
            if ".so" in entry and entry.startswith("lib")
        ]
    for place in packages.values():
        granted.append(place)
        libraries = f"{os.path.splitext(place)[0]}.libs"  # bundled shared libraries of a wheel
        if os.path.isdir(libraries):
            granted.append(libraries)
    granted += [p for p in (*_LIBRARY_FOLDERS, *_SMALL_FILES, *DEVICES_READ) if os.path.exists(p)]
    return granted


def mounts(packages: dict[str, str]) -> list[tuple[str, str]]:
    """The same, for a new root: the libraries as wholes, their site-packages covered."""
    steps: list[tuple[str, str]] = []
    libraries = standard_library()
    for library in libraries:
        steps.append(("show", library))
        steps += [("hide", os.path.join(library, name)) for name in _HIDDEN[:2]]
    inside = tuple(f"{library}/" for library in libraries)
    packaged = set(packages.values())
    for path in (*readable(packages), *DEVICES_WRITE):
        if not path.startswith(inside) or path in packaged or path.endswith(".libs"):
            steps.append(("show", path))
    return steps


def with_more(steps: Sequence[tuple[str, str]], paths: Iterable[str]) -> list[tuple[str, str]]:
    """The mounts, and those of ``paths`` that they do not show yet; folders before what lies in
    them, or the second mount would be made in the first."""
    result = list(steps)
    shown = [path for verb, path in steps if verb == "show"]
    for path in sorted(set(paths), key=len):
        inside = any(path == there or path.startswith(f"{there}/") for there in shown)
        if not inside:
            result.append(("show", path))
            shown.append(path)
    return result


def listable() -> list[str]:
    """Folders whose entries' names may be listed: the import system lists before it looks."""
    return [f for f in module_path() if os.path.isdir(f)]


def readable_by_others(paths: list[str]) -> bool:
    """Whether a user that owns nothing could read all of ``paths`` (all folders above too)."""
    return all(_open_to_others(path) for path in paths)


def _open_to_others(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
        if not mode & 0o004:
            return False
        folder = path if os.path.isdir(path) else os.path.dirname(path)
        while True:
            if not os.stat(folder).st_mode & 0o001:
                return False
            if folder == "/":
                return True
            folder = os.path.dirname(folder)
    except OSError:
        return False
