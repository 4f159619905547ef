"""Verdicts that outlive a run: replies of workers, as JSON, in one SQLite file of the caller's.

The key of a verdict covers all that it depends on, the judge's own code included, so no verdict is
ever out of date. A file that cannot be opened raises DataError. One that becomes full, locked or
damaged later is logged; then solutions are judged as if it were empty.
Each process has a connection of its own; several processes may use one folder.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import microcoder_sandbox
from microcoder_eval.errors import DataError
from microcoder_eval.forksafe import ForkSafeLock
from microcoder_eval.languages import find_language
from microcoder_eval.log import get_logger
from microcoder_eval.points import Grade
from microcoder_eval.records import TestResult, Verdict, sha256_of
from microcoder_eval.records.flags import NEAR_LIMIT, RERUN_ALONE
from microcoder_eval.version import list_installed_versions
from microcoder_eval.worker.messages import Reply, SolutionReply
from microcoder_sandbox import find_toolchain, make_private_folder

if TYPE_CHECKING:
    import sqlite3

FILE = "verdicts.sqlite3"
MAX_BYTES = 1 << 30
_BUSY_SECONDS = 1.0  # for which a process waits while another one writes
_DAMAGED = "is damaged; remove it, or name another folder"
# Flags of verdicts that depend on the machine as well as on the program.
_UNSURE_FLAGS = frozenset({NEAR_LIMIT, RERUN_ALONE})
_SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = OFF;
CREATE TABLE IF NOT EXISTS verdicts (
    key TEXT UNIQUE NOT NULL, digest TEXT NOT NULL, reply TEXT NOT NULL
);
"""
_OLDEST_QUARTER = "(SELECT min(rowid) + (max(rowid) - min(rowid)) / 4 FROM verdicts)"
_log = get_logger("verdicts")


class VerdictStore:
    """The verdicts of a folder, which nobody else may write to. Threads may share it.

    Beyond ``max_bytes`` the quarter that was written first is removed. Raises DataError for a
    folder that cannot be used.
    """

    def __init__(self, folder: str, max_bytes: int = MAX_BYTES) -> None:
        if not make_private_folder(folder, 0o700):
            raise DataError(
                f"cache: {folder} must be a folder of your own that nobody else may write to"
            )
        self._path = os.path.join(folder, FILE)
        self._max_bytes = max_bytes
        self._lock = ForkSafeLock()
        self._connections: dict[int, sqlite3.Connection] = {}  # by process: see _connect
        import sqlite3

        try:
            self._connect()
        except (OSError, sqlite3.Error) as error:
            reason = (
                _DAMAGED if type(error) is sqlite3.DatabaseError else f"cannot be used: {error}"
            )
            raise DataError(f"cache: {self._path} {reason}") from error

    def get(self, key: str) -> SolutionReply | None:
        """Return the reply that was kept for a key, if one was."""
        rows = self._execute(("SELECT digest, reply FROM verdicts WHERE key = ?", (key,)))
        for digest, text in rows:
            if digest == sha256_of([key, text]):
                return _decode(text)
        return None

    def put(self, key: str, reply: Reply) -> None:
        """Keep a reply, if it is a verdict that another run would give again."""
        if not isinstance(reply, SolutionReply) or not _is_certain(reply):
            return
        text = json.dumps(_list_fields(reply), default=_list_fields)
        row = (key, sha256_of([key, text]), text)
        if self._measure_bytes() > self._max_bytes:
            self._execute((f"DELETE FROM verdicts WHERE rowid <= {_OLDEST_QUARTER}", ()))
        self._execute(("INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?)", row))

    def _measure_bytes(self) -> int:
        names = ("page_count", "freelist_count", "page_size")
        rows = self._execute(*[(f"PRAGMA {name}", ()) for name in names])
        pages, free_pages, page_bytes = [count for (count,) in rows] or (0, 0, 0)
        return (pages - free_pages) * page_bytes

    def _execute(self, *statements: tuple[str, Sequence[str]]) -> list[Any]:
        """Return the rows of all statements; none where the file cannot be used now."""
        import sqlite3

        try:
            with self._lock:
                connection = self._connect()
                return [row for s in statements for row in connection.execute(*s).fetchall()]
        except (OSError, sqlite3.Error) as error:
            _log.warning("%s cannot be used now: %s", self._path, error)
            return []

    def _connect(self) -> sqlite3.Connection:
        """Return this process's connection. One that a fork copied is left alone: SQLite forbids
        to use it, or to close it, there."""
        connection = self._connections.get(os.getpid())
        if connection is None:
            import sqlite3  # late: few judges have a cache

            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
            connection = sqlite3.connect(
                self._path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            connection.executescript(_SCHEMA)
            self._connections[os.getpid()] = connection
        return connection


@lru_cache(None)
def open_store(folder: str) -> VerdictStore:
    """Return the store of a folder, one in a process. Raises DataError."""
    return VerdictStore(folder)


def describe_judge(level: int, packages: tuple[str, ...], languages: Iterable[str]) -> list[Any]:
    """Return what a verdict depends on besides problem, program and settings. languages: those of
    the program and of the problem's own programs."""
    names = {language.toolchain for name in languages if (language := find_language(name))}
    toolchains = [find_toolchain(name) for name in sorted(names) if name]
    return [
        level,
        dict(list_installed_versions(packages)),
        [toolchain.version for toolchain in toolchains if toolchain is not None],
        _hash_own_code(),
    ]


@lru_cache(None)
def _hash_own_code() -> str:
    """Hash the judge as it is installed, and the version of Python."""
    import hashlib
    import sys

    digest = hashlib.sha256(sys.version.encode())
    for root in (os.path.dirname(os.path.dirname(__file__)), *microcoder_sandbox.__path__):
        for folder, folders, files in os.walk(root):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            for file in sorted(files):
                path = os.path.join(folder, file)
                digest.update(f"\0{os.path.relpath(path, root)}\0".encode())
                with open(path, "rb") as stream:
                    digest.update(stream.read())
    return digest.hexdigest()


def _is_certain(reply: SolutionReply) -> bool:
    verdicts = [result.verdict for result in reply.results or () if result is not None]
    return (
        not reply.contended and Verdict.JE not in verdicts and _UNSURE_FLAGS.isdisjoint(reply.flags)
    )


def _list_fields(record: Any) -> list[Any]:
    return [getattr(record, name) for name in record.__match_args__]


def _decode(text: str) -> SolutionReply:
    level, results, flags, *fields, grades = json.loads(text)
    if results is not None:
        results = tuple([row and TestResult(Verdict(row[0]), *row[1:]) for row in results])
    grades = {name: Grade(*grade) for name, grade in grades.items()}
    return SolutionReply(*[level, results, tuple(flags), *fields, grades])
