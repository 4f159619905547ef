"""Makes the tests that a package's generator script describes, in a copy of the package.

Generators and the solution that makes the answers run in the sandbox, as submissions do: no shell
runs anywhere.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from microcoder_eval.api import Judge
from microcoder_eval.errors import DataError
from microcoder_eval.formats.packages import read_package
from microcoder_eval.formats.packages.containment import check_entries
from microcoder_eval.formats.packages.package import Package, PackageError
from microcoder_eval.formats.packages.programs import read_program
from microcoder_eval.records import Limits

from .plan import GeneratedTest, TestPlan, read_plan
from .shell import NOT_GENERATED

_LIMITS = Limits(time_s=60.0, memory_mb=2048, output_mb=256)
_HELPERS = (".py", ".h", ".hpp", ".hh")  # files beside a program that it may include or import
_ECHO = re.compile(r"echo(?:\s+\"?\$[@*]\"?)?")


def read_complete_package(judge: Judge, folder: Path, keep: Path | None) -> tuple[Package, bool]:
    """Return (the package, whether its tests were made here). keep: the new folder for a package
    whose tests were made; None: a temporary one. Raises PackageError, JudgeError, OSError."""
    try:
        return read_package(folder), False
    except PackageError as error:
        if error.reason != NOT_GENERATED:
            raise
        plan = _read_plan(folder)
        if plan is None:
            raise
    with tempfile.TemporaryDirectory(prefix="microcoder-tests-") as root:
        copy = keep or Path(root) / folder.resolve().name
        generate_tests(judge, folder, copy, plan)
        return read_package(copy), True


def _read_plan(folder: Path) -> TestPlan | None:
    try:
        return read_plan(folder)
    except PackageError as error:
        if error.reason != NOT_GENERATED:
            raise
        advice = "no shell runs here, so run the script yourself: it makes the tests in data/secret"
        raise PackageError(f"{error.message}; {advice}", error.reason) from None


def generate_tests(judge: Judge, folder: Path, copy: Path, plan: TestPlan) -> None:
    """Copy a package to ``copy`` and make its tests there. Raises PackageError, JudgeError,
    OSError, or DataError if ``copy`` exists already."""
    check_entries(folder)
    if copy.exists():
        raise DataError("exists already: choose another folder", str(copy))
    shutil.copytree(folder, copy, symlinks=True)
    data = copy / "data"
    shutil.rmtree(data / "secret", ignore_errors=True)
    for name in ("sample", "secret", *(f"secret/{group.name}" for group in plan.groups)):
        (data / name).mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(judge.workers) as executor:
        list(executor.map(partial(_make_test, judge, plan, data), plan.tests))
    for path, original in plan.copies.items():
        for suffix in (".in", ".ans"):
            shutil.copyfile(data / f"{original}{suffix}", data / f"{path}{suffix}")
    _write_settings(data, plan)


def _make_test(judge: Judge, plan: TestPlan, data: Path, test: GeneratedTest) -> None:
    folder, input_path = data.parent, data / f"{test.path}.in"
    if test.program is not None:
        label = f"test {test.path}"
        input_path.write_bytes(_run(judge, folder, test.program, b"", test.arguments, label))
    elif folder / test.source != input_path:
        shutil.copyfile(folder / test.source, input_path)
    if test.has_answer:
        return
    if plan.solution is None:
        raise PackageError(f"test {test.path} needs an answer, and no solution is named")
    label = f"the answer of test {test.path}"
    answer = _run(judge, folder, plan.solution, input_path.read_bytes(), (), label)
    (data / f"{test.path}.ans").write_bytes(answer)


def _run(
    judge: Judge, folder: Path, path: str, stdin: bytes, arguments: tuple[str, ...], label: str
) -> bytes:
    """Return what a program of a package prints. Raises PackageError where it fails."""
    file = folder / path
    if file.suffix == ".sh":
        return _run_echo(file, arguments).encode()
    program = read_program(file)
    if program is None or program.language == "python2":
        raise PackageError(f"{label}: {path} is in no language that is run here", NOT_GENERATED)
    files = {**_read_helpers(file), **program.files}
    result = judge.run(
        program.code, stdin, _LIMITS, language=program.language, arguments=arguments, files=files
    )
    if result.exit != 0 or result.killed is not None:
        lines = result.stderr.decode("utf-8", "replace").strip().splitlines() or ["no message"]
        reason = f"stopped at its {result.killed} limit" if result.killed else lines[-1]
        raise PackageError(f"{label}: {path} failed: {reason[:200]}")
    return bytes(result.stdout)


def _run_echo(file: Path, arguments: tuple[str, ...]) -> str:
    """Return the output of a shell script that contains only ``echo "$@"``; no shell runs."""
    lines = [line.strip() for line in file.read_text("utf-8", "replace").splitlines()]
    commands = [line for line in lines if line and not line.startswith("#")]
    if not all(map(_ECHO.fullmatch, commands)):
        raise PackageError(f"data/{file.name} is a script for a shell", NOT_GENERATED)
    return "".join(f"{' '.join(arguments if '$' in line else ())}\n" for line in commands)


def _read_helpers(file: Path) -> dict[str, str]:
    suffixes = (".py",) if file.suffix == ".py" else _HELPERS[1:]
    others = (path for path in file.parent.glob("*") if path.suffix in suffixes and path != file)
    return {path.name: path.read_text("utf-8", "replace") for path in sorted(others)}


def _write_settings(data: Path, plan: TestPlan) -> None:
    """Write the testdata.yaml of all folders."""
    if not plan.is_scoring:
        if plan.flags:
            (data / "testdata.yaml").write_text(_format_flags(plan.flags))
        return
    total = sum(int(group.points) for group in plan.groups)
    head = f"on_reject: continue\nrange: 0 {total}\n"
    (data / "testdata.yaml").write_text(
        f"{head}grader_flags: ignore_sample\n{_format_flags(plan.flags)}"
    )
    secret_flags = "grader_flags: first_error accept_if_any_accepted\n"
    (data / "secret/testdata.yaml").write_text(head + secret_flags)
    (data / "sample/testdata.yaml").write_text(
        "on_reject: continue\nrange: 0 0\naccept_score: 0\ngrader_flags: first_error\n"
    )
    for group in plan.groups:
        (data / f"secret/{group.name}/testdata.yaml").write_text(
            f"on_reject: break\naccept_score: {group.points}\nrange: 0 {group.points}\n"
            f"grader_flags: min\n{_format_flags(group.flags)}"
        )


def _format_flags(text: str) -> str:
    return f"output_validator_flags: {text}\n" if text else ""
