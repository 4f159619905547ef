"""Refuses packages that reach outside their folder: their author could read the user's files. Those
that hold more than memory does are refused, too.

Links that stay inside a package are allowed. A link that leads out of it makes the package broken,
as does anything that is neither a file nor a folder. There are two exceptions:

* In the cache of the Hugging Face hub, a package consists of links to the blobs of that cache.
* Links in files and folders that nobody reads may lead anywhere: packages of one archive share
  such files. A link that is read must not lead to them.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Collection
from fnmatch import fnmatchcase
from pathlib import Path

from .package import PackageError

_MAX_BYTES = 2 << 30  # of what is read of a package


def check_entries(folder: Path, names_read: Collection[str] = ("*",)) -> None:
    """Check every entry of the folder. names_read: patterns of its files and folders that are read;
    nobody follows the links in others. Raises PackageError naming the bad entry, OSError."""
    root = folder.resolve()
    inode_counts: Counter[tuple[int, int]] = Counter()
    hard_links: dict[tuple[int, int], tuple[str, int]] = {}  # by inode: a name, its link count
    targets: dict[str, Path] = {}  # of links, by their name
    unchecked: list[Path] = []  # links that nobody follows
    total_bytes = 0  # as files say: they may have holes
    for directory, folders, files in os.walk(root, onerror=_raise_error):
        for name in (*folders, *files):
            path = Path(directory, name)
            label = path.relative_to(root).as_posix()
            status = path.lstat()
            is_read = any(fnmatchcase(label.partition("/")[0], pattern) for pattern in names_read)
            if stat.S_ISLNK(status.st_mode):
                if is_read:
                    targets[label] = _resolve_link(path, label, root)
                else:
                    unchecked.append(path)
            elif stat.S_ISREG(status.st_mode):
                total_bytes += status.st_size * (is_read and not label.startswith(".git/"))
                inode = (status.st_dev, status.st_ino)
                inode_counts[inode] += 1
                # A clone of a repository on the same disk shares its objects by hard links.
                if status.st_nlink > 1 and not label.startswith(".git/"):
                    hard_links[inode] = (label, status.st_nlink)
            elif not stat.S_ISDIR(status.st_mode):
                raise PackageError(f"{label} is neither a file nor a folder")
    if total_bytes > _MAX_BYTES:
        raise PackageError(f"it holds more than {_MAX_BYTES >> 30} GiB")
    for inode, (label, count) in hard_links.items():
        if count > inode_counts[inode]:
            raise PackageError(f"{label} is a hard link to a file outside the package")
    for label, target in targets.items():
        link = next((link for link in unchecked if link.is_relative_to(target)), None)
        if link is not None:
            reached = link.relative_to(root).as_posix()
            raise PackageError(f"{label} leads to {reached}, a link that is not checked")


def resolve_inside(folder: Path, name: str) -> Path:
    """Return the path of a file that a package names. Raises PackageError for a path
    outside."""
    path = Path(os.path.normpath(folder / name))
    if "\0" in name or not path.is_relative_to(os.path.normpath(folder)):
        raise PackageError(f"{name!r} is outside the package")
    return path


def _resolve_link(path: Path, label: str, root: Path) -> Path:
    """Return where a link leads. Raises PackageError for a place outside."""
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):  # RuntimeError: a loop of links, before Python 3.13
        raise PackageError(f"{label} is a link that leads nowhere") from None
    is_blob = target.is_file() and target.parent in _find_hub_blobs(root)
    if not (target.is_relative_to(root) or is_blob):
        raise PackageError(f"{label} is a link that leads out of the package")
    return target


def _find_hub_blobs(root: Path) -> list[Path]:
    """Return blobs/ of the hub's cache around ``root``: datasets--NAME/snapshots/REVISION/…"""
    return [
        folder.parent / "blobs"
        for folder in root.parents
        if folder.name == "snapshots" and folder.parent.name.startswith("datasets--")
    ]


def _raise_error(error: OSError) -> None:
    raise error
