"""Sends the host what a checker leaves in its folder, after the checker has ended.

It may have left links, pipes and folders: none is followed, waited for or entered.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from microcoder_sandbox.guest import loading
from microcoder_sandbox.wire import protocol

_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def report_feedback(folder: str, descriptor: int, traits: int) -> None:
    """Write the files that the traits of the run ask for, as ``protocol.encode_files``."""
    if traits & protocol.REPORTS_FOLDER:
        names = sorted(set(os.listdir(folder)).difference(protocol.INPUT_FILES))
        limit = protocol.FOLDER_BYTES
    else:
        names, limit = list(protocol.FEEDBACK_FILES), protocol.FEEDBACK_BYTES
    files = list(_read_files(folder, names, limit + 1))
    if traits & protocol.REPORTS_FOLDER and sum(len(data) for _, data in files) > limit:
        report = protocol.TOO_LARGE
    else:
        report = protocol.encode_files((name, data[:limit]) for name, data in files)
    try:
        loading.write_all(descriptor, report)
    except OSError:
        pass  # the host has gone


def _read_files(folder: str, names: list[str], max_bytes: int) -> Iterator[tuple[str, bytes]]:
    for name in names:
        try:
            file = os.open(f"{folder}/{name}", _FLAGS)
        except OSError:
            continue
        try:
            if stat.S_ISREG(os.fstat(file).st_mode):
                yield name, os.read(file, max_bytes)
        finally:
            os.close(file)
