"""Loads the user's own functions, which recipes and settings name: filters, rewards, losses."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from microcoder_eval.errors import DataError, suggest

_FOREIGN_FILES = (sys.prefix, sys.base_prefix, "<")  # of Python, of other packages, of no file


def load_function(name: str) -> Callable[..., Any]:
    """Return the function "module:name" or "file.py:name". A module may be a file of the current
    folder. Raises DataError with the name in front."""
    place, _, function_name = name.rpartition(":")
    is_file = place.endswith(".py")
    try:
        module = _import_file(place) if is_file else _import_module(place)
    except (Exception, SystemExit) as error:  # whatever the user's code does
        reason = f"{type(error).__name__}: {error}{name_user_line(error)}"
        command = f"python {'' if is_file else '-m '}{place}"
        advice = f'it must import without an error, and "{command}" shows where it fails'
        raise DataError(f"cannot be imported: {reason}; {advice}", name) from error
    function = getattr(module, function_name, None)
    if not callable(function):
        names = [key for key, value in vars(module).items() if callable(value)]
        raise DataError(f"no function has this name{suggest(function_name, names)}", name)
    return function  # type: ignore[no-any-return]


def _import_module(name: str) -> ModuleType:
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    return importlib.import_module(name)


@cache
def _import_file(path: str) -> ModuleType:
    module = ModuleType(path)
    module.__file__ = path
    sys.modules[path] = module  # where dataclasses and pickle look up the names of a class
    exec(compile(Path(path).read_bytes(), path, "exec"), vars(module))
    return module


def name_user_line(error: BaseException) -> str:
    """Return the innermost line of the user's own code that an error came through, or ""."""
    lines = [
        f" ({Path(frame.f_code.co_filename).name}:{number})"
        for frame, number in traceback.walk_tb(error.__traceback__)
        if not frame.f_code.co_filename.startswith(_FOREIGN_FILES)
        and not frame.f_globals.get("__name__", "").startswith("microcoder_")
    ]
    return lines[-1] if lines else ""
