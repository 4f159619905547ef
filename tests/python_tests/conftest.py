"""Two real processes and plain pipes: the protocol without the sandbox."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval.python_tests.assert_plan import AssertPlan, CallTest
from microcoder_eval.python_tests.planning import plan
from microcoder_sandbox.wire import codec, frames, packing
from microcoder_sandbox.wire.runner_report import RunnerReport

ROOT = Path(__file__).parents[2]
TIMEOUT_SECONDS = 60

CANDIDATE = """
import json, sys
from microcoder_sandbox.guest import responder
read_fd, write_fd, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
module = type(sys)("solution")
sys.modules["solution"] = module
exec(compile(open(path).read(), path, "exec"), module.__dict__)
responder.serve(module.__dict__, read_fd, write_fd)
"""

TESTS = """
import json, os, sys
from microcoder_sandbox.test_runner import runner
from microcoder_sandbox.wire import frames
read_fd, write_fd, report_fd = map(int, sys.argv[1:4])
job = json.load(sys.stdin)
job = runner.RunnerJob(job["source"], job["expected"], job["entry"])
dry_reader, dry_writer = os.pipe()
if os.fork() == 0:
    runner.run_tests(job, -1, -1, dry_writer)
    os._exit(0)
os.close(dry_writer)
((report,)) = frames.read_frame(dry_reader)
runner.run_tests(job._replace(makers=report[-1]), read_fd, write_fd, report_fd)
"""

PAIRS = """
import sys
from microcoder_sandbox.wire import codec, packing
import json
def refuse(value): raise TypeError(type(value))
job = json.load(sys.stdin)
namespace = {"__name__": "solution"}
results = []
for entry, args, kwargs in job["calls"]:
    namespace = {"__name__": "solution"}
    try:
        exec(job["code"], namespace)
        holder, _, name = entry.rpartition(".")
        call = getattr(namespace[holder[:-2]](), name) if holder else namespace[name]
        value = call(*codec.from_json(args), **codec.from_json(kwargs))
        results.append([packing.Packer(refuse).pack(value)])
    except BaseException:
        results.append([])
print("\\n" + json.dumps(results))
"""


def _python(script: str, *args: Any, **options: Any) -> subprocess.Popen[str]:
    path = os.pathsep.join([str(ROOT / "sandbox"), str(ROOT)])
    return subprocess.Popen(
        [sys.executable, "-s", "-P", "-S", "-c", script, *map(str, args)],
        env={"PYTHONPATH": path, "PYTHONHASHSEED": "0"},
        text=True,
        **options,
    )


def run_opaque(
    code: str,
    source: str,
    folder: Path,
    *,
    expected: int = 1,
    entry: str | None = None,
) -> RunnerReport:
    """The report on a candidate; what the candidate prints goes nowhere."""
    program = folder / "program.py"
    program.write_text(code)
    to_candidate, to_tests, report = os.pipe(), os.pipe(), os.pipe()
    job = {"source": source, "expected": expected, "entry": entry}
    candidate = _python(
        CANDIDATE,
        to_candidate[0],
        to_tests[1],
        program,
        pass_fds=(to_candidate[0], to_tests[1]),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
    )
    mine = (to_tests[0], to_candidate[1], report[1])
    tests = _python(TESTS, *mine, pass_fds=mine, stdin=subprocess.PIPE)
    for descriptor in (*to_candidate, *to_tests, report[1]):
        os.close(descriptor)
    try:
        tests.communicate(json.dumps(job), timeout=TIMEOUT_SECONDS)
        frame = frames.read_frame(report[0])
    finally:
        for process in (candidate, tests):
            process.kill()
            process.wait()
        os.close(report[0])
    assert frame is not None, "the tests' process ended without a report"
    return RunnerReport(*frame[0])


def run_pairs(code: str, tests: tuple[CallTest, ...]) -> bool:
    """Whether every pair holds, each call in a fresh module."""
    calls = [[t.entry, codec.to_json(list(t.args)), codec.to_json(dict(t.kwargs))] for t in tests]
    process = _python(PAIRS, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    output, _ = process.communicate(
        json.dumps({"code": code, "calls": calls}), timeout=TIMEOUT_SECONDS
    )
    lines = output.splitlines()
    results = json.loads(lines[-1]) if lines else []
    return len(results) == len(tests) and all(
        result and test.holds(packing.Unpacker(_refuse, {}).unpack(result[0]))
        for test, result in zip(tests, results, strict=True)
    )


def _refuse(tag: str, body: Any) -> Any:
    raise ValueError(tag)


def judged(problem: dict[str, Any], code: str, folder: Path) -> tuple[AssertPlan, str]:
    """The plan of a problem and how a program does: "pass", "pairs", or the report's error."""
    planned = plan(problem["test_code"], problem.get("entry_point"), problem.get("starter_code"))
    if planned.unsupported:
        return planned, f"unsupported: {planned.unsupported}"
    if planned.tests and not run_pairs(code, planned.tests):
        return planned, "pairs"
    if planned.test_source is None:
        return planned, "pass"
    report = run_opaque(
        code,
        planned.test_source,
        folder,
        expected=planned.required_assertions,
        entry=problem.get("entry_point"),
    )
    return planned, "pass" if report.passed else str(report)


@pytest.fixture
def opaque(tmp_path: Path) -> Callable[..., RunnerReport]:
    """``opaque(code, source, **options)``: the report on one candidate."""

    def run(code: str, source: str, **options: Any) -> RunnerReport:
        return run_opaque(code, source, tmp_path, **options)

    return run


@pytest.fixture
def judge_program(tmp_path: Path) -> Callable[..., tuple[AssertPlan, str]]:
    """``judge_program(problem, code)``: the plan and how the program does."""

    def run(problem: dict[str, Any], code: str) -> tuple[AssertPlan, str]:
        return judged(problem, code, tmp_path)

    return run
