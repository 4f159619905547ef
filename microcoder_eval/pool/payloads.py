"""Problems in the form that workers receive. The tests of a large one are in a sealed memory file
that every worker maps.

Such a file holds expected outputs. Only workers receive its descriptor, and none passes it on: the
standard input of a program is a different file.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Iterable

from microcoder_eval.log import get_logger
from microcoder_eval.lru import LruCache
from microcoder_eval.worker.messages import TestExtent, TextTest
from microcoder_sandbox import record, seal_memfd

MAX_BYTES = 256 << 20  # as much as a worker holds; closing a file leaves the workers' maps
_log = get_logger("pool")


class TestsFile:
    """A memory file, which ends with this object and the workers' maps."""

    def __init__(self) -> None:
        self.descriptor = os.memfd_create("tests", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        weakref.finalize(self, os.close, self.descriptor).atexit = False


@record
class SharedProblem:
    """The message that a worker is sent, and the file that its tests are in."""

    message: bytes
    file: TestsFile


def write_tests(tests: Iterable[TextTest]) -> tuple[TestsFile, list[TestExtent]]:
    """Return a sealed memory file of the tests' texts, and where each test is. Raises OSError."""
    extents = []
    file = TestsFile()
    end = 0
    for test in tests:
        for text in (test.input, test.output):
            view = memoryview(text)
            while view:
                view = view[os.write(file.descriptor, view) :]
        input_end = end + len(test.input)
        output_end = input_end + len(test.output)
        extents.append(TestExtent(end, input_end, output_end, test.checker_args))
        end = output_end
    seal_memfd(file.descriptor)
    return file, extents


@record
class ProblemPayload:
    """A problem that workers are sent when they need it. encode: returns the bytes of the message
    (``HoldProblem``), which takes time.

    size: about how many bytes a worker holds for it.
    languages: those of its checker, interactor and grader.
    share: writes its tests to a file for all workers, None if each gets a copy.
    """

    key: str
    size: int
    encode: Callable[[], bytes]
    languages: tuple[str, ...] = ()
    share: Callable[[], SharedProblem] | None = None


class SharedProblems:
    """The problems of a pool that are shared now. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # held while a file is written: other workers wait for it
        self._problems: LruCache[str, SharedProblem] = LruCache(max_weight=MAX_BYTES)

    def get(self, problem: ProblemPayload) -> SharedProblem | None:
        """Return the message and the file for workers. Returns None if the problem is small, or if
        there is no room for the file."""
        if problem.share is None:
            return None
        with self._lock:
            shared = self._problems.get(problem.key)
            if shared is None:
                self._problems.make_room(problem.size)
                try:
                    shared = problem.share()
                except OSError as error:
                    _log.warning("a problem is copied for each worker: %s", error)
                    return None
                self._problems.put(problem.key, shared, problem.size)
            return shared
