"""The user's own functions, named by settings as "module:name"; rewards may be async."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import math
import os
import sys
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import microcoder_data
import microcoder_eval
import microcoder_sandbox
from microcoder_eval.records import Judgement, Problem

from .errors import ConfigError, TrainError

# Those of our packages, of others and of Python; every other file is the user's.
_OUR_FOLDERS = (
    *(package.__path__[0] for package in (microcoder_sandbox, microcoder_eval, microcoder_data)),
    os.path.dirname(__file__),
)
_FOREIGN_FILES = (
    *(os.path.join(folder, "") for folder in _OUR_FOLDERS),
    sys.prefix,
    sys.base_prefix,
    "<",
)


def load_function(name: str, setting: str) -> Callable[..., Any]:
    """Import the function "module:name", also of a file in this folder. Raises ConfigError."""
    module, _, attribute = name.partition(":")
    if not module or not attribute or module.endswith(".py"):
        raise ConfigError(f"{setting}={name}: give module:name, such as my_file:my_function")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        function = getattr(importlib.import_module(module), attribute)
    except (Exception, SystemExit) as error:  # whatever the user's module does
        reason = f"{type(error).__name__}: {error}{name_user_line(error)}"
        raise ConfigError(f"{setting}={name}: cannot be imported: {reason}") from error
    if not callable(function):
        raise ConfigError(f"{setting}={name} is not a function")
    return function


def name_user_line(error: BaseException) -> str:
    """Return the innermost line of the user's own code that an error came through, or ""."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith(_FOREIGN_FILES)]
    return f" ({Path(own[-1].filename).name}:{own[-1].lineno})" if own else ""


class RewardFunction:
    """A reward function, plain or async. It is called from one event loop, in a separate thread.

    Its arguments are the response's text, the problem and the judgement (None without the judge).
    It returns a finite number, or None for no reward.
    """

    def __init__(self, name: str) -> None:
        self._name, self._function = name, load_function(name, "reward.function")
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def submit(
        self, text: str, problem: Problem, judgement: Future[Judgement] | None
    ) -> Future[float | None]:
        """Call the function when the judgement is available. ``result()`` of the future may raise
        TrainError."""
        call = self._call(text, problem, judgement)
        return asyncio.run_coroutine_threadsafe(call, self._loop)

    def close(self) -> None:
        """Stop the event loop."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    async def _call(
        self, text: str, problem: Problem, future: Future[Judgement] | None
    ) -> float | None:
        judgement: Judgement | None = None
        if future is not None:
            judgement = await asyncio.wrap_future(future)
        try:
            value = await asyncio.to_thread(self._function, text, problem, judgement)
            if inspect.isawaitable(value):  # an async function: the thread only made the coroutine
                value = await value
            if value is None or math.isfinite(value):
                return None if value is None else float(value)
        except Exception as error:
            raise TrainError(
                f"reward.function={self._name} failed on a response to {problem.problem_id}: "
                f"{type(error).__name__}: {error}{name_user_line(error)}"
            ) from error
        raise TrainError(
            f"reward.function={self._name} returned {value} for a response to {problem.problem_id}"
        )
