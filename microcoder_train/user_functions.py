"""The user's own functions, named by settings as "module:name"; rewards may be async."""

from __future__ import annotations

import asyncio
import inspect
import math
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from microcoder_data import user_code
from microcoder_data.user_code import name_user_line
from microcoder_eval.errors import DataError
from microcoder_eval.records import Judgement, Problem

from .errors import ConfigError, TrainError


def load_function(name: str, setting: str) -> Callable[..., Any]:
    """Import the function "module:name", also of a file in this folder. Raises ConfigError."""
    module, _, attribute = name.partition(":")
    if not module or not attribute or module.endswith(".py"):
        raise ConfigError(f"{setting}={name}: give module:name, such as my_file:my_function")
    try:
        return user_code.load_function(name)
    except DataError as error:
        raise ConfigError(f"{setting}={error}") from error


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
