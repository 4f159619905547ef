"""In host and server: empties a folder that a program filled, however deep.

All names are relative to an open descriptor and no link is followed, so nothing outside the folder
is touched. Deep contents are moved up step by step, so that no name reaches further than two levels
below the folder, and neither a path nor the stack grows with the depth.
"""

from __future__ import annotations

import errno
import os

OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def empty_folder(folder: int) -> None:
    """Remove the contents of the open ``folder``, which nobody uses any more. Raises OSError."""
    while names := _unlink_files_and_list_folders(folder):
        for name in names:
            inner_folder = open_inner(folder, name)
            try:
                for inner_name in _unlink_files_and_list_folders(inner_folder):
                    os.rename(
                        inner_name, os.urandom(16).hex(), src_dir_fd=inner_folder, dst_dir_fd=folder
                    )
            finally:
                os.close(inner_folder)
            os.rmdir(name, dir_fd=folder)


def _unlink_files_and_list_folders(folder: int) -> list[str]:
    """Unlink all but the folders in ``folder``; make these accessible and return their names."""
    names = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.stat(follow_symlinks=False).st_mode & 0o700 != 0o700:
                    # The program took away the rights. It cannot have put a link in the folder's
                    # place, which chmod would follow: seccomp refuses links.
                    os.chmod(entry.name, 0o700, dir_fd=folder)
                names.append(entry.name)
            else:
                os.unlink(entry.name, dir_fd=folder)
    return names


def open_inner(folder: int, name: str) -> int:
    """Return the descriptor of a folder in ``folder``. Raises OSError for a link, and for another
    file system."""
    inner = os.open(name, OPEN_FOLDER, dir_fd=folder)
    if os.fstat(inner).st_dev != os.fstat(folder).st_dev:
        os.close(inner)
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), name)
    return inner
