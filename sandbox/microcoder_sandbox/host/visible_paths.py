"""What a program may see of the file system: the interpreter, named packages, a few devices.

The trusted process that starts a fork server computes it and sends it as plain lists.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from importlib.machinery import PathFinder

# Without /dev/zero: when it is mapped it is memory that nobody counts (policy.py, mmap).
DEVICES_READ = ("/dev/urandom", "/dev/random")
_HIDDEN_NAMES = ("site-packages", "dist-packages", "test", "idlelib", "ensurepip")
_LIBRARY_FOLDERS = (
    "/lib64",
    "/usr/lib64",
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/lib/aarch64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
)
# Locales: LANG names one (environments.NATIVE), and without its files std::locale("") throws.
_SMALL_FILES = ("/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo", "/usr/lib/locale")


def find_standard_library() -> list[str]:
    """Return the folders of the standard library (one, or two where platstdlib differs)."""
    folders = [os.path.dirname(os.path.realpath(os.__file__))]
    for name in ("stdlib", "platstdlib"):
        real_path = os.path.realpath(sysconfig.get_path(name))
        # A virtual environment's platstdlib names its own folder, which holds site-packages only.
        if real_path not in folders and os.path.exists(os.path.join(real_path, "lib-dynload")):
            folders.append(real_path)
    return folders


def list_module_path() -> list[str]:
    """Return sys.path for programs: the standard library and its extension modules."""
    folders = find_standard_library()
    return folders + [os.path.join(f, "lib-dynload") for f in folders]


def locate_packages(names: tuple[str, ...]) -> dict[str, str]:
    """Return where each named package is installed (its folder or file), without missing ones."""
    search_path = [entry or os.getcwd() for entry in sys.path]
    locations = {}
    for name in names:
        spec = PathFinder.find_spec(name, search_path)
        if spec is not None and spec.origin not in (None, "built-in", "frozen"):
            origin = os.path.realpath(str(spec.origin))
            is_package = os.path.basename(origin).startswith("__init__.")
            locations[name] = os.path.dirname(origin) if is_package else origin
    return locations


def list_readable_paths(packages: dict[str, str]) -> list[str]:
    """Return the files and folders whose contents a program may read."""
    paths: list[str] = []
    for library in find_standard_library():
        # Not the folder as a whole: site-packages may contain reference solutions.
        paths += [
            os.path.join(library, entry)
            for entry in sorted(os.listdir(library))
            if entry not in _HIDDEN_NAMES
        ]
    prefix = os.path.join(sys.base_prefix, "lib")
    if os.path.isdir(prefix):
        paths += [
            os.path.join(prefix, entry)
            for entry in sorted(os.listdir(prefix))
            if ".so" in entry and entry.startswith("lib")
        ]
    for location in packages.values():
        paths.append(location)
        libraries = f"{os.path.splitext(location)[0]}.libs"  # bundled shared libraries of a wheel
        if os.path.isdir(libraries):
            paths.append(libraries)
    paths += [p for p in (*_LIBRARY_FOLDERS, *_SMALL_FILES, *DEVICES_READ) if os.path.exists(p)]
    return paths


def plan_mounts(packages: dict[str, str]) -> list[tuple[str, str]]:
    """Return the steps that build a root with the same paths (namespaces.replace_root).

    Libraries are shown as a whole. Empty folders cover the parts that are not for programs.
    """
    steps: list[tuple[str, str]] = []
    libraries = find_standard_library()
    for library in libraries:
        steps.append(("show", library))
        steps += [("hide", os.path.join(library, name)) for name in _HIDDEN_NAMES]
    library_prefixes = tuple(f"{library}/" for library in libraries)
    package_paths = set(packages.values())
    for path in (*list_readable_paths(packages), "/dev/null"):
        if not path.startswith(library_prefixes) or path in package_paths or path.endswith(".libs"):
            steps.append(("show", path))
    return steps


def extend_mounts(steps: Sequence[tuple[str, str]], paths: Iterable[str]) -> list[tuple[str, str]]:
    """Return the steps, and further ones for those of ``paths`` that they do not show yet.

    A folder comes before its contents: mounted later, it would cover them.
    """
    extended_steps = list(steps)
    shown_paths = [path for action, path in steps if action == "show"]
    for path in sorted(set(paths), key=len):
        is_shown = any(path == folder or path.startswith(f"{folder}/") for folder in shown_paths)
        if not is_shown:
            extended_steps.append(("show", path))
            shown_paths.append(path)
    return extended_steps


def are_readable_by_others(paths: list[str]) -> bool:
    """Whether a user that owns nothing can read all ``paths`` and pass the folders above them."""
    return all(_is_readable_by_others(path) for path in paths)


def _is_readable_by_others(path: str) -> bool:
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
