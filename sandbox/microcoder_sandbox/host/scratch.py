"""A folder that programs may write to, where they cannot have a root of their own (level 3).

    /tmp/microcoder-XXXXXXXX/      the host's, with a random name
        lock                       locked by the host for as long as it lives
        files/                     the programs' part

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

from microcoder_sandbox.errors import SandboxError
from microcoder_sandbox.wire import emptying

_PREFIX = "microcoder-"
_LOCK, _FILES = "lock", "files"
_ROOTS = ("/tmp", "/var/tmp")
MAX_ENTRIES = 16_384  # as many as the file system of level 4 holds


class ScratchFolder:
    """The folder of one fork server. Its owner must call ``remove``.

    limit: how many bytes it may hold, 0 if its file system limits it. path: the programs' part,
    which belongs to ``owner`` (default: the user of this process).
    """

    def __init__(self, owner: int | None = None) -> None:
        remove_abandoned_folders()
        self.limit = 0
        self._outer, self._lock = _create_locked_folder()
        self.path = os.path.join(self._outer, _FILES)
        os.mkdir(self.path, 0o700)
        if owner is not None:
            os.chown(self.path, owner, owner)
            os.chmod(self._outer, 0o711)  # the other user passes through and sees nothing

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
        if self._lock < 0:
            return
        root, name = os.path.split(self._outer)
        try:
            root_fd = os.open(root, emptying.OPEN_FOLDER)
        except OSError:
            root_fd = -1
        if root_fd >= 0:
            _remove_if_owned(root_fd, name, self._lock)
            os.close(root_fd)
        os.close(self._lock)
        self._lock = -1


def remove_abandoned_folders() -> None:
    """Remove the folders that hosts of this user left behind."""
    root = _find_root()
    if root is None:
        return
    try:
        root_fd = os.open(root, emptying.OPEN_FOLDER)
    except OSError:
        return
    try:
        for name in os.listdir(root_fd):
            if name.startswith(_PREFIX):
                _remove_if_owned(root_fd, name, None)
    except OSError:
        pass  # the root cannot be listed
    finally:
        os.close(root_fd)


def _create_locked_folder() -> tuple[str, int]:
    """Return a new folder, and the descriptor of its lock, held."""
    import tempfile  # late: most workers make no folder

    while True:
        outer = tempfile.mkdtemp(prefix=_PREFIX, dir=_find_root())
        lock = os.open(
            os.path.join(outer, _LOCK), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600
        )
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.fstat(lock).st_nlink:
            return outer, lock
        os.close(lock)  # removed as left behind before it was locked: make another one


def _find_root() -> str | None:
    """Return where all hosts of this machine make their folders, whatever TMPDIR says."""
    return next((path for path in _ROOTS if os.access(path, os.W_OK | os.X_OK)), None)


def _remove_if_owned(root: int, name: str, lock: int | None) -> None:
    """Remove ``name`` in the open folder ``root`` if it is a host's folder of this user whose
    lock is free, or is ``lock``; leave anything else alone."""
    try:
        outer = os.open(name, emptying.OPEN_FOLDER, dir_fd=root)
    except OSError:
        return  # a link, a file, closed to us, or gone
    free_lock = -1
    try:
        if not _is_scratch_folder(outer):
            return
        if lock is None:
            free_lock = lock = _take_free_lock(outer)
        if not _is_lock_of(lock, outer):
            return
        _remove_files(outer)
        os.unlink(_LOCK, dir_fd=outer)
        os.rmdir(name, dir_fd=root)
    except OSError:
        pass  # in use, or its programs are still ending: the next host removes it
    finally:
        os.close(outer)
        if free_lock >= 0:
            os.close(free_lock)


def _is_scratch_folder(outer: int) -> bool:
    folder_stat = os.fstat(outer)
    return (
        folder_stat.st_uid == os.geteuid()
        and stat.S_IMODE(folder_stat.st_mode) in (0o700, 0o711)
        and set(os.listdir(outer)) in ({_LOCK}, {_LOCK, _FILES})
    )


def _take_free_lock(outer: int) -> int:
    """Lock a folder and return the lock file's descriptor.

    Raises OSError if another process holds the lock.
    """
    lock = os.open(_LOCK, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=outer)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise
    return lock


def _is_lock_of(lock: int, outer: int) -> bool:
    """Whether the open ``lock`` is the empty regular file of that name in ``outer``."""
    lock_stat = os.fstat(lock)
    return (
        stat.S_ISREG(lock_stat.st_mode)
        and lock_stat.st_uid == os.geteuid()
        and lock_stat.st_size == 0
        and lock_stat.st_nlink == 1
        and os.path.samestat(lock_stat, os.stat(_LOCK, dir_fd=outer, follow_symlinks=False))
    )


def _remove_files(outer: int) -> None:
    try:
        files = os.open(_FILES, emptying.OPEN_FOLDER, dir_fd=outer)
    except FileNotFoundError:
        return
    try:
        if os.fstat(files).st_dev != os.fstat(outer).st_dev:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), _FILES)
        emptying.empty_folder(files)
    finally:
        os.close(files)
    os.rmdir(_FILES, dir_fd=outer)


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
