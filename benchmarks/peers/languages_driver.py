"""Judge compiled programs, or build and run them as they are: for workloads.py.

Runs as: python languages_driver.py JOB RESULT. The job: {"language", "codes", "tests", "how"}; how:
"judge", or "bare": the compiler alone, with the options of "prepared", and a process a test.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

BENCHMARKS = Path(__file__).resolve().parents[1]
# Measure this checkout, even if the package is installed.
sys.path[:0] = [str(BENCHMARKS.parent), str(BENCHMARKS.parent / "sandbox")]


def judge(job: dict[str, Any]) -> list[bool]:
    """Have this judge judge all programs, one after the other."""
    from microcoder_eval import Judge

    with Judge(workers=1) as one_judge:
        return [
            one_judge.judge({"code": code}, job["tests"], language=job["language"]).passed
            for code in job["codes"]
        ]


def run_bare(job: dict[str, Any]) -> list[bool]:
    """Compile each program by the judge's own command, and start it once a test."""
    from microcoder_eval.languages import find_language
    from microcoder_sandbox import require_toolchain

    language = find_language(job["language"])
    assert language is not None
    tools = require_toolchain(language.toolchain)
    passes = []
    for code in job["codes"]:
        with tempfile.TemporaryDirectory() as folder:
            file = language.file or "Main.java"
            Path(folder, file).write_text(code)
            command = [tools.compiler, *language.command, *language.static, file, *job["prepared"]]
            subprocess.run(command, cwd=folder, check=True, capture_output=True)
            program = [f"{folder}/{language.product}"]
            if language.runtime is not None:
                arguments = [a.replace("{memory}", "1024") for a in language.runtime.arguments]
                program = [tools.runtime, *arguments[:-1], *program, "Main"]
            passes.append(all(_passes(program, test) for test in job["tests"]))
    return passes


def _passes(program: list[str], test: dict[str, str]) -> bool:
    ended = subprocess.run(program, input=test["input"], capture_output=True, text=True)
    return ended.stdout.split() == test["output"].split()


def main(job_path: str, result_path: str) -> None:
    """Do the job; write which programs passed."""
    job = json.loads(Path(job_path).read_text())
    passed = judge(job) if job["how"] == "judge" else run_bare(job)
    Path(result_path).write_text(json.dumps({"passed": passed}))


if __name__ == "__main__":
    main(*sys.argv[1:])
