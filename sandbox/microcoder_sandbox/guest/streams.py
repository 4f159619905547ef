"""The streams of the tests that the program uses in place of its own, while it works on a request.

What it prints goes with the next message; what it reads it asks for. A message that asks is
{"asks": [name, *arguments], "printed": …}, its answer {"ok": value} or {"raised": name of a class,
"args"}. "printed" is a list of [name of the stream, text], also in replies.
"""

from __future__ import annotations

import _thread
import builtins
import io
import sys
from builtins import len, type
from collections.abc import Sequence
from typing import Any

from microcoder_sandbox.wire import frames

_MAX_KEPT_CHARACTERS = 1 << 20
_read_frame, _write_frame = frames.read_frame, frames.write_frame


class Streams:
    """The tests' streams, as the program sees them."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read_fd, self._write_fd = read_fd, write_fd
        self._lock = _thread.RLock()  # the program may have threads
        self._printed: list[list[str]] = []
        self._size = 0
        self._own: dict[str, Any] = {}

    def begin(self, names: Sequence[str]) -> None:
        """Give the program the streams of these names."""
        for name in names:
            place, stream = self._make(name)
            self._own[name] = place, vars(place).get(name)  # a program may have deleted it
            vars(place)[name] = stream

    def end(self) -> list[list[str]]:
        """Give it its own again; return what it has printed since its last question."""
        for name, (place, own) in self._own.items():
            vars(place)[name] = own
        self._own.clear()
        return self._take_printed()

    def _make(self, name: str) -> tuple[Any, Any]:
        if name == "input":
            return builtins, self._input
        return sys, _Input(self) if name == "stdin" else _Output(self, name)

    def _input(self, prompt: object = "", /) -> Any:
        return self.ask("input", prompt if type(prompt) is str else str(prompt))

    def print(self, name: str, text: str) -> None:
        """Keep what is printed to a stream; send it if it is much."""
        self._printed.append([name, text])
        self._size += len(text)
        if self._size > _MAX_KEPT_CHARACTERS:
            self.ask("")

    def ask(self, *question: Any) -> Any:
        """Ask the tests; return their answer, or raise it. Raises EOFError if they have ended."""
        with self._lock:
            _write_frame(self._write_fd, {"asks": question, "printed": self._take_printed()})
            frame = _read_frame(self._read_fd)
        if frame is None:
            raise EOFError("the tests have ended")
        answer = frame[0]
        if "raised" in answer:
            raise vars(builtins)[answer["raised"]](*answer["args"])
        return answer["ok"]

    def _take_printed(self) -> list[list[str]]:
        printed, self._printed, self._size = self._printed, [], 0
        return printed


class _Input(io.TextIOBase):
    def __init__(self, streams: Streams) -> None:
        self._streams = streams

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> str:
        text: str = self._streams.ask("read", -1 if size is None else size)
        return text

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        text: str = self._streams.ask("readline", size)
        return text


class _Output(io.TextIOBase):
    def __init__(self, streams: Streams, name: str) -> None:
        self._streams, self._name = streams, name

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        if not isinstance(text, str):
            raise TypeError(f"string argument expected, got {type(text).__name__!r}")
        self._streams.print(self._name, text)
        return len(text)
