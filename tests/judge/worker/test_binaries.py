"""Compiled programs that are kept: so many, and so large together, in memory and on disk."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from microcoder_eval.languages import CPP
from microcoder_eval.worker.compilation import binaries
from microcoder_eval.worker.compilation.binaries import Binaries
from microcoder_eval.worker.compilation.compiler import Compiler
from microcoder_eval.worker.program_files import ProgramFiles
from microcoder_sandbox import Binary
from microcoder_sandbox.host.sandbox import Sandbox

KIB = 1 << 10


class TextCompiler(Compiler):
    """Makes programs of as many KiB as their text says."""

    def __init__(self) -> None:
        self.built: list[int] = []

    def compile(self, files: Mapping[str, str], *_arguments: Any) -> bytes:
        text = files["solution.cpp"].partition("\0")[0]
        self.built.append(int(text))
        return b"x" * (int(text) * KIB)


class Compiled(Binaries):
    """Programs that a ``TextCompiler`` makes."""

    def __init__(self, folder: str) -> None:
        super().__init__(cast(Sandbox, None), folder, "")
        self._compiler = compiler = TextCompiler()
        self.built = compiler.built

    def build(self, text: str) -> Binary:
        return self.get(ProgramFiles("solution.cpp", text), CPP)


def test_no_program_has_the_place_of_another_one() -> None:
    compiled = Compiled("")
    two_files = ProgramFiles("solution.cpp", "1", {"a.h": "text"})
    one_file = ProgramFiles("solution.cpp", "1\0\0a.h\0text")
    assert compiled.get(two_files, CPP) is not compiled.get(one_file, CPP)


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.fixture(autouse=True)
def _toolchain(monkeypatch: pytest.MonkeyPatch) -> None:
    tools = SimpleNamespace(static=False, version="1")
    monkeypatch.setattr(binaries, "require_toolchain", lambda name: tools)


@pytest.fixture
def small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binaries, "_MEMORY_BYTES", 100 * KIB)
    monkeypatch.setattr(binaries, "_MAX_BYTES", 200 * KIB)


@pytest.mark.usefixtures("small_limit")
def test_large_programs_are_let_go_of_in_memory_and_on_disk(tmp_path: Path) -> None:
    compiled, before = Compiled(str(tmp_path)), open_descriptors()
    for size in range(40, 60):
        compiled.build(str(size))
    assert open_descriptors() - before == 1  # two would be more than 100 KiB
    sizes = sorted(file.stat().st_size // KIB for file in tmp_path.iterdir())
    assert sizes == [57, 58, 59]
    compiled.build("59")
    compiled.build("58")
    compiled.build("40")
    assert compiled.built[20:] == [40]  # the others were still in memory, and on disk


def test_a_second_pass_over_many_small_programs_compiles_none(tmp_path: Path) -> None:
    names = [f"1{' ' * number}" for number in range(600)]  # of one KiB each
    for _ in range(2):
        compiled = Compiled(str(tmp_path))
        for name in names:
            compiled.build(name)
    assert compiled.built == []


@pytest.mark.usefixtures("small_limit")
def test_a_program_that_is_used_again_outlives_newer_ones(tmp_path: Path) -> None:
    Compiled(str(tmp_path)).build("50")
    for size in range(51, 60):
        time.sleep(0.01)  # the clock of the disk has ticked
        Compiled(str(tmp_path)).build(str(size))
        again = Compiled(str(tmp_path))
        again.build("50")
        assert again.built == []


@pytest.mark.usefixtures("small_limit")
def test_a_program_larger_than_all_may_be_is_used_once(tmp_path: Path) -> None:
    compiled, before = Compiled(str(tmp_path)), open_descriptors()
    for size in (500, 501):
        assert os.fstat(compiled.build(str(size)).descriptor).st_size == size * KIB
    assert open_descriptors() - before == 1
    assert len(list(tmp_path.iterdir())) == 1


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Let this process write files of so many bytes, as if the disk were full then."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_program_for_which_the_disk_has_no_space_leaves_nothing_there(tmp_path: Path) -> None:
    compiled = Compiled(str(tmp_path))
    with largest_file(40 * KIB):  # enough for the program, not for its digest besides
        compiled.build("40")
    assert list(tmp_path.iterdir()) == []
    compiled.build("41")
    assert len(list(tmp_path.iterdir())) == 1
