"""Toolchains are found where the caller finds them, by the command ``doctor`` and by workers."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from microcoder_eval import Judge
from microcoder_eval.pool.worker_process import spare_worker
from microcoder_sandbox.toolchains.toolchain import find_toolchain, how_to_install

# Says of itself what is asked of PyPy, which few machines have.
_SHAM = """#!/bin/sh
echo {folder} 7 9 9
"""


@pytest.mark.skipif(shutil.which("pypy3") is not None, reason="this machine has pypy3")
def test_a_worker_finds_a_toolchain_that_is_on_the_callers_path_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "pypy3"
    program.write_text(_SHAM.format(folder=tmp_path), encoding="utf-8")
    program.chmod(0o755)
    spare_worker.start()  # as a command does, before anyone changes the variable
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{tmp_path}")
    find_toolchain.cache_clear()
    try:
        toolchain = find_toolchain("pypy")
        assert toolchain is not None
        assert toolchain.version == "pypy 7.9.9"
        with Judge(workers=1) as judge:
            solution = {"code": "print(3)", "language": "pypy"}
            judgement = judge.judge(solution, [{"input": "", "output": "3"}])
        assert how_to_install("pypy") not in (judgement.error or "")
    finally:
        find_toolchain.cache_clear()


# What a JDK needs where a program sets a SecurityManager.
_POLICY = "lib/security/default.policy"
_READ_POLICY = """
import java.nio.file.*;
public class Main {
    public static void main(String[] a) throws Exception {
        Files.readAllBytes(Path.of(System.getProperty("java.home"), "%s"));
    }
}"""


@pytest.mark.slow
def test_java_programs_may_read_the_files_of_the_jdk_that_are_links() -> None:
    java = find_toolchain("java")
    if java is None or not (Path(java.runtime).parent.parent / _POLICY).is_symlink():
        pytest.skip("no JDK on this machine whose policy is a link")
    with Judge(workers=1) as judge:
        solution = {"code": _READ_POLICY % _POLICY, "language": "java"}
        assert judge.judge(solution, [{"input": "", "output": ""}]).verdict == "AC"
