"""SandboxFusion's endpoint ``/run_code``, answered by our cage.

It limits what it calls run_timeout by the clock; we limit CPU time by it, and the clock by as much
again as the request leaves for compiling, so that a busy machine fails nobody.
"""

from __future__ import annotations

from fastapi import FastAPI, Response

from microcoder_eval.api import RunResult
from microcoder_eval.errors import JudgeError
from microcoder_eval.records import Limits

from .messages import RunCodeRequest, RunCodeResponse
from .reading import Json
from .service import Service


class Runner:
    """Runs programs for clients of SandboxFusion."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def add_to(self, app: FastAPI) -> None:
        """Add the endpoints."""
        app.add_api_route(
            "/run_code",
            self.run_code,
            methods=["POST"],
            response_model=RunCodeResponse,
            summary="Run a program",
            tags=["SandboxFusion"],
        )
        app.add_api_route("/v1/ping", self.ping, summary="pong", tags=["SandboxFusion"])

    async def run_code(self, request: RunCodeRequest) -> Response:
        """Run a program in the cage. What it does is never an HTTP error."""
        try:
            done = await self._service.run(request.code, request.stdin or "", limits_of(request))
        except JudgeError as error:
            answer = RunCodeResponse(status="SandboxError", message=f"the judge failed: {error}")
        else:
            answer = response_of(done)
        self._service.metrics.runs.labels(answer.status).inc()
        return Json(answer.model_dump())

    async def ping(self) -> str:
        """Whether somebody is there."""
        return "pong"


def limits_of(request: RunCodeRequest) -> Limits:
    """The limits that a request asks for."""
    time_s = request.run_timeout
    memory = request.memory_limit_mb
    return Limits(
        time_s=time_s,
        wall_s=min(time_s + request.compile_timeout, max(3 * time_s, time_s + 2)),
        memory_mb=memory if memory > 0 else None,
    )


def response_of(done: RunResult) -> RunCodeResponse:
    """What a program did, in SandboxFusion's words."""
    late = done.killed in ("cpu", "wall")
    well = done.exit == 0 and done.killed is None
    reason = "" if done.killed is None or late else f"stopped at its {done.killed} limit"
    ran = {
        "status": "TimeLimitExceeded" if late else "Finished",
        "execution_time": done.wall_s,
        "cpu_time": done.cpu_s,
        "memory_mb": done.memory_mb,
        "return_code": None if late else done.exit,
        "stdout": done.stdout,
        "stderr": done.stderr,
    }
    status = "Success" if well else "Failed"
    return RunCodeResponse.model_validate({"status": status, "message": reason, "run_result": ran})
