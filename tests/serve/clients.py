"""Asks a server through the clients that trainers have, unchanged; run by test_clients.py.

In an environment of theirs: reads jobs (JSON) from standard input, writes answers as JSON. Its
own prints and logs go to standard error, so that the answers stand alone.
"""

from __future__ import annotations

import contextlib
import json
import sys
import threading
from typing import Any


def verl_score(job: dict[str, Any]) -> Any:
    """verl's reward for code with a sandbox: [score, the status of each test]."""
    from verl.utils.reward_score import sandbox_fusion

    score, metadata = sandbox_fusion.compute_score(
        job["url"],
        threading.Semaphore(8),
        job.get("memory_mb", 1024),
        job["completion"],
        job["tests"],
        continuous=job.get("continuous", False),
        timeout=job.get("timeout", 10),
    )
    return [score, [entry.get("status", entry.get("error")) for entry in metadata]]


def verl_default_score(job: dict[str, Any]) -> Any:
    """The function that verl's reward manager calls, as its configuration has it call."""
    from verl.utils.reward_score import default_compute_score

    return default_compute_score(
        "codecontests",
        job["completion"],
        json.dumps(job["tests"]),
        sandbox_fusion_url=job["url"],
        concurrent_semaphore=threading.Semaphore(64),
        memory_limit_mb=1024,
    )


def fusion_run(job: dict[str, Any]) -> Any:
    """SandboxFusion's own client: run_code."""
    import sandbox_fusion

    request = sandbox_fusion.RunCodeRequest(code=job["code"], language="python", stdin="5\n")
    done = sandbox_fusion.run_code(request, endpoint=job["url"])
    named = sandbox_fusion.SummaryMapping(RunFailed="failed", RunTimeout="late")
    return [done.run_result.stdout, sandbox_fusion.summary_run_code_result(done, named)]


def fusion_submit(job: dict[str, Any]) -> Any:
    """SandboxFusion's own client: submit, and the statement."""
    import sandbox_fusion

    config = sandbox_fusion.TestConfig(language="python")
    named = {"dataset": job["dataset"], "id": job["id"], "config": config}
    request = sandbox_fusion.SubmitRequest(completion=job["completion"], **named)
    result = sandbox_fusion.submit(request, endpoint=job["url"])
    prompt = sandbox_fusion.get_prompt_by_id(
        sandbox_fusion.GetPromptByIdRequest(**named), endpoint=job["url"]
    )
    return [result.accepted, len(result.tests), bool(prompt.prompt)]


def main() -> None:
    """All jobs, in order."""
    jobs = json.load(sys.stdin)
    with contextlib.redirect_stdout(sys.stderr):
        answers = [globals()[job["client"]](job) for job in jobs]
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
