"""SandboxFusion's endpoint ``/run_code``, answered by our cage.

It limits what it calls run_timeout by the clock; we limit CPU time by it, and the clock by as much
again as the request leaves for compiling, so that a busy machine fails nobody.
"""

from __future__ import annotations

from fastapi import FastAPI, Response

from microcoder_eval.api import RunResult
from microcoder_eval.errors import JudgeError
from microcoder_eval.records import DEFAULT_MEMORY_MB, DEFAULT_TIME_S, Limits

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
        limits = limits_of(request).over(self._service.judge.settings.limits)
        try:
            done = await self._service.run(request.code, request.stdin or "", limits)
        except JudgeError as error:
            answer = RunCodeResponse(status="SandboxError", message=f"the judge failed: {error}")
        else:
            answer = response_of(done, limits, self._service.judge.settings.time_scale)
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


def response_of(done: RunResult, limits: Limits, time_scale: float) -> RunCodeResponse:
    """What a program did, in SandboxFusion's words."""
    hit = limit_hit(done, limits, time_scale)
    late = hit == "time"
    ran = {
        "status": "TimeLimitExceeded" if late else "Finished",
        "execution_time": done.wall_s,
        "cpu_time": done.cpu_s,
        "memory_mb": done.memory_mb,
        "return_code": None if late else done.exit,
        "stdout": done.stdout,
        "stderr": done.stderr,
    }
    return RunCodeResponse.model_validate(
        {
            "status": "Success" if done.exit == 0 and hit is None else "Failed",
            "message": "" if hit is None else f"the program went beyond its {hit} limit",
            "run_result": ran,
        }
    )


def limit_hit(done: RunResult, limits: Limits, time_scale: float) -> str | None:
    """Which limit it went beyond; a short program can, and end before anybody stops it."""
    if done.killed in ("cpu", "wall"):
        return "time"
    if done.killed is not None:
        return done.killed
    if done.memory_mb > (limits.memory_mb or DEFAULT_MEMORY_MB):
        return "memory"
    return "time" if done.cpu_s > (limits.time_s or DEFAULT_TIME_S) * time_scale else None
