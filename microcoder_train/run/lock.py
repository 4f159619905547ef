"""A run's folder belongs to one process at a time."""

from __future__ import annotations

import fcntl
import os
import socket
from pathlib import Path

from microcoder_train.errors import TrainError

NAME = ".lock"


class RunLock:
    """Holds a folder until ``release``, the end of this object or of its process (flock(2)).

    Raises TrainError where another run holds it: two runs would write the same metrics and remove
    each other's checkpoints.
    """

    def __init__(self, folder: Path) -> None:
        self._descriptor = -1  # if it cannot be opened
        self._descriptor = os.open(folder / NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(self._descriptor, 1000).decode().strip() or "another process"
            raise TrainError(
                f"{folder} is in use by {holder}: wait for that run, stop it, or choose another "
                "--out"
            ) from None
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, f"process {os.getpid()} on {socket.gethostname()}\n".encode())

    def release(self) -> None:
        """Release the folder for other runs."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    __del__ = release
