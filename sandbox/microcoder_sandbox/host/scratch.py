"""A folder that programs may write to, where they cannot have a root of their own (level 3).

    /tmp/microcoder-XXXXXXXX/      the host's, with a random name; locked for as long as it lives
        microcoder-files/          the programs' part

The host makes it, watches its size, and removes it, whatever its programs did to it. The folder
of a host that was killed is removed by the next host, which recognises it by its owner, its
layout and its free lock; a name or a process number proves nothing in another pid namespace. No
link is followed.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import sys
from contextlib import suppress

from microcoder_sandbox.errors import SandboxError
from microcoder_sandbox.wire import emptying

_PREFIX = "microcoder-"
_FILES = "microcoder-files"
_ROOTS = ("/tmp", "/var/tmp")
MAX_ENTRIES = 16_384  # as many as the file system of level 4 holds


class ScratchFolder:
    """The folder of one fork server. Its owner must call ``remove``.

    limit: how many bytes it may hold, 0 if its file system limits it. path: the programs' part,
    which belongs to ``owner`` (None: to the user of this process).
    """

    def __init__(self, owner: int | None) -> None:
        import tempfile  # late: most workers make no folder

        remove_abandoned_folders()
        self.limit = 0
        outer = tempfile.mkdtemp(prefix=_PREFIX, dir=_find_root())
        self._outer = os.open(outer, emptying.OPEN_FOLDER)
        # Before it has the layout by which others recognise it. One that is looking at it now
        # holds the lock for a moment.
        fcntl.flock(self._outer, fcntl.LOCK_EX)
        self.path = os.path.join(outer, _FILES)
        os.mkdir(self.path, 0o700)
        if owner is not None:
            os.chown(self.path, owner, owner)
            os.chmod(outer, 0o711)  # the other user passes through and sees nothing

    def is_full(self) -> bool:
        """Whether it holds more than ``limit``, counted in blocks on disk: holes are free."""
        return self.limit > 0 and _measure_disk_usage(self.path) > self.limit

    def check_space(self) -> None:
        """Raise SandboxError where the disk has less free space than programs may use; they would
        fail through no fault of their own."""
        disk = os.statvfs(self.path)
        if disk.f_bavail * disk.f_frsize < self.limit:
            raise SandboxError(
                f"programs may write {self.limit / 2**20:g} MiB (files_mb), but the disk of "
                f"{os.path.dirname(self.path)} has {disk.f_bavail * disk.f_frsize / 2**20:.1f} MiB "
                "free; free some space there"
            )

    def remove(self) -> None:
        """Remove it with all its contents, as far as this user may. A second call does nothing."""
        if self._outer >= 0:
            with suppress(OSError):  # the next host removes what is left
                _remove(self._outer, os.path.dirname(self.path))
            os.close(self._outer)
            self._outer = -1


def remove_abandoned_folders() -> None:
    """Remove the folders that hosts of this user left behind."""
    root = _find_root()
    with suppress(OSError):  # the root cannot be listed
        for name in os.listdir(root) if root else ():
            if name.startswith(_PREFIX):
                _remove_if_abandoned(os.path.join(root or "", name))


def _find_root() -> str | None:
    """Return where all hosts of this machine make their folders, whatever TMPDIR says."""
    return next((path for path in _ROOTS if os.access(path, os.W_OK | os.X_OK)), None)


def _remove_if_abandoned(path: str) -> None:
    """Remove a folder if it is a host's folder of this user that nobody holds a lock on; leave
    anything else alone."""
    try:
        outer = os.open(path, emptying.OPEN_FOLDER)
    except OSError:
        return  # a link, a file, closed to us, or gone
    try:
        fcntl.flock(outer, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if _is_scratch_folder(outer):
            _remove(outer, path)
    except OSError:
        pass  # in use, or its programs are still ending: the next host removes it
    finally:
        os.close(outer)


def _is_scratch_folder(outer: int) -> bool:
    folder_stat = os.fstat(outer)
    return (
        folder_stat.st_uid == os.geteuid()
        and stat.S_IMODE(folder_stat.st_mode) in (0o700, 0o711)
        and os.listdir(outer) == [_FILES]
    )


def _remove(outer: int, path: str) -> None:
    """Remove an open folder, whose path this is, with all its contents. Raises OSError."""
    files = emptying.open_inner(outer, _FILES)
    try:
        emptying.empty_folder(files)
    finally:
        os.close(files)
    os.rmdir(_FILES, dir_fd=outer)
    os.rmdir(path)


def _measure_disk_usage(folder: str) -> int:
    """Return the bytes on disk, sys.maxsize where there are too many files to count."""
    total = entries = 0
    pending = [folder]
    while pending:
        try:
            with os.scandir(pending.pop()) as contents:
                for entry in contents:
                    entries += 1
                    total += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                return sys.maxsize  # too deep to be counted
            # Else it has gone since, or we may not list it: it counts at a later check.
    return total if entries <= MAX_ENTRIES else sys.maxsize
