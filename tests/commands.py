"""What tests in many folders share: processes of this checkout's code, JSON lines, waiting."""

from __future__ import annotations

import contextlib
import fcntl
import gzip
import io
import json
import os
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, ClassVar
from unittest import mock

import psutil
import pytest

from microcoder_eval import Judge
from microcoder_eval.pool.base import BasePool
from microcoder_eval.pool.holder import PoolHolder
from microcoder_eval.settings import POOL_OPTIONS

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "datasets" / "samples"
SHARED = ROOT.parent / "shared" / "data"  # not in the repository
CORPUS = SHARED / "corpus"
Command = Callable[..., tuple[int, str, str]]  # words: exit code, standard output and error
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'sandbox'}", "COLUMNS": "160"}


def read_table(test_file: str, name: str = "") -> dict[str, Any]:
    """The table beside a module of tests, where programs stand as programs. name: of the file,
    where it is not the module's."""
    path = Path(test_file)
    return tomllib.loads((path.with_name(name or path.stem + ".toml")).read_text(encoding="utf-8"))


def write_files(folder: Path, texts: Mapping[str, str]) -> Path:
    """A folder with these files, in folders of their own where their names say so."""
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def jsonl(path: Path, *lines: Any) -> Path:
    """Write values as JSON, and texts as they are, one a line."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("".join(f"{text}\n" for text in texts))
    return path


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """The folder that ``make`` has filled, in whichever of xdist's processes came first."""
    base = factory.getbasetemp()
    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    place.mkdir(exist_ok=True)
    with (place / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / ".done").exists():
            make(place)
            (place / ".done").touch()
    return place


def results(path: Path) -> list[dict[str, Any]]:
    """The values of a file of JSON lines, packed or not."""
    data = path.read_bytes()
    lines = (gzip.decompress(data) if path.suffix == ".gz" else data).splitlines()
    return [json.loads(line) for line in lines]


def shared_rows(name: str) -> list[Any]:
    """The rows of a file of shared data as parameters; the test is skipped where it is not here."""
    path = SHARED / name
    if not path.exists():
        return [pytest.param(None, marks=pytest.mark.skip(reason=f"no {name} in {SHARED}"))]
    return [pytest.param(row, id=row["name"]) for row in results(path)]


def command(*words: object) -> list[str]:
    """The judge's command line."""
    return [sys.executable, "-m", "microcoder_eval", *map(str, words)]


class LastingHolder(PoolHolder):
    """Holds a pool that is made once a key in this process, and ends with it."""

    _pools: ClassVar[dict[tuple[object, ...], BasePool]] = {}

    def __init__(self, make_pool: Callable[[], BasePool], key: tuple[object, ...]) -> None:
        self._key = key
        super().__init__(make_pool)

    def _start_pool(self) -> BasePool:
        if self._key not in self._pools:
            self._pools[self._key] = self._make_pool()
        return self._pools[self._key]


class SharedJudge(Judge):
    """A judge on workers that all tests of this process share: starting some takes longer than most
    tests. Closing it ends nothing."""

    def _hold_pool(self, make_pool: Callable[[], BasePool]) -> PoolHolder:
        key = tuple(getattr(self.options, name) for name in sorted(POOL_OPTIONS))
        return LastingHolder(make_pool, key)

    def close(self, cancel: bool = False) -> None:
        pass


def run(*words: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the judge's command line in this process, which has imported all that it needs."""
    from microcoder_eval.cli import main

    return subprocess.CompletedProcess([*map(str, words)], *call_main(main, *words, cwd=cwd))


def call_main(
    main: Callable[[list[str]], int], *words: object, cwd: Path | None = None
) -> tuple[int, str, str]:
    """Exit code, standard output and error of a command line in this process."""
    out, error = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    try:
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(error),
            contextlib.chdir(cwd or "."),
            mock.patch.dict(os.environ, COLUMNS=ENVIRONMENT["COLUMNS"]),
            mock.patch("microcoder_eval.api.Judge", SharedJudge),
        ):
            code = main([str(word) for word in words])
    except SystemExit as exit:  # of argparse
        code = int(exit.code or 0)
    return code, out.buffer.getvalue().decode(), error.buffer.getvalue().decode()


def command_fixture(main: Callable[[list[str]], int]) -> Any:
    """A fixture, command(*words): exit code, standard output and error of a command line in the
    folder of the test."""

    @pytest.fixture
    def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
        monkeypatch.chdir(tmp_path)
        return partial(call_main, main)

    return command


def execute(words: list[Any], **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command that finds this checkout. options: of subprocess.run."""
    usual = {"capture_output": True, "text": True, "timeout": 120, "env": ENVIRONMENT}
    return subprocess.run(words, **{**usual, **options}, check=False)


def start(*words: object, **options: Any) -> subprocess.Popen[str]:
    """Start the judge's command line, which finds this checkout. options: of Popen."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(
        command(*words), **{**pipes, "text": True, "env": ENVIRONMENT, **options}
    )


def shell(folder: Path, words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run ``words`` in bash, $eval standing for the command; its own exit code is kept."""
    environment = {**ENVIRONMENT, "eval": " ".join(command()), **environment}
    return execute(
        ["bash", "-o", "pipefail", "-c", words], cwd=folder, env=environment, timeout=300
    )


def require_toolchain(language: str) -> None:
    """Skip the test on a machine that has no toolchain for it."""
    from microcoder_eval.languages import find_language
    from microcoder_sandbox.toolchains.toolchain import find_toolchain, how_to_install

    known = find_language(language)
    assert known is not None
    if known.compiled and find_toolchain(known.toolchain) is None:
        pytest.skip(f"this machine has no toolchain for it: {how_to_install(known.toolchain)}")


def list_descendants(pid: int) -> list[int]:
    """The processes below one, by number."""
    from microcoder_sandbox.host.compiler_tree import list_children

    children = list_children(pid)
    return [*children, *(deeper for child in children for deeper in list_descendants(child))]


def is_alive(process: psutil.Process) -> bool:
    """Whether it runs: a zombie does not."""
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def wait_until(condition: Callable[[], bool], seconds: float = 120.0) -> bool:
    """Whether it came true in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        threading.Event().wait(0.02)
    return condition()
