"""SandboxFusion's endpoint ``/run_code``.

SandboxFusion's run_timeout limits wall time. Here it limits CPU time, and wall time may be longer
by compile_timeout. So a program does not fail because the machine is busy.
"""

from __future__ import annotations

from fastapi import Response

from microcoder_eval.api import RunResult
from microcoder_eval.errors import JudgeError
from microcoder_eval.languages import find_language
from microcoder_eval.records import HIGHEST_LIMIT, Limits, choose_wall_s

from .body import ANSWER_COPIES, measure_json
from .json_body import AsciiJsonResponse
from .request_bounds import charge_memory
from .sandbox_fusion_messages import CommandRunResult, RunCodeRequest, RunCodeResponse
from .service import Service


class RunCodeEndpoints:
    """Runs programs for clients of SandboxFusion."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def run_code(self, request: RunCodeRequest) -> Response:
        """Run a program in the sandbox. A program's failure is not an HTTP error."""
        limits = read_limits(request).fill_from(self._service.judge.options.limits)
        try:
            result = await self._service.run(
                request.code, request.stdin or "", limits, request.language
            )
        except JudgeError as error:
            response = RunCodeResponse(status="SandboxError", message=f"the judge failed: {error}")
        else:
            size = measure_json(result.stdout) + measure_json(result.stderr)
            charge_memory(ANSWER_COPIES * size)
            time_scale = self._service.judge.options.get_time_scale(request.language)
            response = _make_response(result, limits, time_scale, request.language)
        self._service.metrics.runs.labels(response.status).inc()
        return AsciiJsonResponse(response.model_dump())

    async def ping(self) -> str:
        """Return "pong"."""
        return "pong"


def read_limits(request: RunCodeRequest) -> Limits:
    """Return the limits that a request asks for."""
    time_s = request.run_timeout
    memory_mb = request.memory_limit_mb
    return Limits(
        time_s=time_s,
        wall_s=min(time_s + request.compile_timeout, choose_wall_s(time_s), HIGHEST_LIMIT),
        memory_mb=memory_mb if memory_mb > 0 else None,
    )


def _make_response(
    result: RunResult, limits: Limits, time_scale: float, language: str
) -> RunCodeResponse:
    """Make SandboxFusion's response from the result of a run."""
    compile_result = _make_compile_result(result, language)
    if compile_result is not None and compile_result.return_code:
        return RunCodeResponse(
            status="Failed",
            message="the program does not compile",
            compile_result=compile_result,
        )
    limit_name = _find_exceeded_limit(result, limits, time_scale)
    timed_out = limit_name == "time"
    run_result = CommandRunResult(
        status="TimeLimitExceeded" if timed_out else "Finished",
        execution_time=result.wall_s,
        cpu_time=result.cpu_s,
        memory_mb=result.memory_mb,
        return_code=None if timed_out else result.exit,
        stdout=result.stdout,
        stderr=result.stderr,
    )
    succeeded = result.exit == 0 and limit_name is None
    return RunCodeResponse(
        status="Success" if succeeded else "Failed",
        message="" if limit_name is None else f"the program exceeded its {limit_name} limit",
        compile_result=compile_result,
        run_result=run_result,
    )


def _make_compile_result(result: RunResult, language: str) -> CommandRunResult | None:
    """Make the result of compiling; None for languages that are not compiled.

    Wall time above 0 shows that the program ran; a program that did not compile has none.
    """
    known_language = find_language(language)
    if known_language is None or not known_language.compiled:
        return None
    if result.wall_s > 0:
        return CommandRunResult(status="Finished", return_code=0, stdout="", stderr="")
    return CommandRunResult(
        status="Finished", return_code=result.exit, stdout=result.stdout, stderr=result.stderr
    )


def _find_exceeded_limit(result: RunResult, limits: Limits, time_scale: float) -> str | None:
    """Return the limit that the program exceeded; it may have ended before it was killed."""
    if result.killed in ("cpu", "wall"):
        return "time"
    if result.killed is not None:
        return result.killed
    if result.memory_mb > limits.effective_memory_mb:
        return "memory"
    return "time" if result.cpu_s > limits.effective_time_s * time_scale else None
