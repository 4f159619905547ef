"""Finds test code that uses files, which the program, in a process of its own, does not share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from microcoder_sandbox.test_code.source_analysis import FILE_NAME

_EVENTS = frozenset({"open", "sqlite3.connect"})
_MODULES = ("os.", "shutil.", "tempfile.")
_ENVIRONMENT = frozenset({"os.putenv", "os.unsetenv"})
_NO_FILES = frozenset({os.devnull, ":memory:"})
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
# Python's library also reads files for itself: modules, lines of source. A read counts only if the
# test code makes it directly, or through these modules alone.
_READERS = frozenset({"os", "genericpath", "posixpath", "pathlib", "glob"})


def watch_files(refuse: Callable[[str], object]) -> None:
    """Refuse test code that uses files from here on. Only a dry run calls it: nothing undoes it."""

    def watch(event: str, args: tuple[Any, ...]) -> None:
        if (event in _EVENTS or event.startswith(_MODULES)) and event not in _ENVIRONMENT:
            place = args[0] if args else None
            is_read = event in ("os.stat", "os.listdir", "os.scandir") or (
                event == "open" and not (args[2] or 0) & _WRITING
            )
            is_file = type(place) is not int and not (type(place) is str and place in _NO_FILES)
            if is_file and _is_asked_by_tests(is_read):
                refuse(
                    f"the test uses files ({event}: {place!r}), which the program does not share"
                )

    def stat(path: Any, *args: Any, **options: Any) -> os.stat_result:
        watch("os.stat", (path,))
        return real_stat(path, *args, **options)

    real_stat = os.stat
    vars(os)["stat"] = stat  # ``os.path.exists``, which is no event
    sys.addaudithook(watch)


def _is_asked_by_tests(is_read: bool) -> bool:
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename != FILE_NAME:
        name = frame.f_globals.get("__name__", "")
        is_silent = is_read and name not in _READERS and name != __name__
        if is_silent or name.startswith(("importlib.", "_frozen_importlib")):
            return False
        frame = frame.f_back
    return frame is not None
