"""The application: all endpoints with their OpenAPI description, health and metrics."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Response
from fastapi.responses import StreamingResponse

from microcoder_eval.version import __version__

from .access_log import AccessLog
from .admission import AdmissionMiddleware
from .connections import Connections
from .error_responses import ERRORS, respond_to_error
from .json_body import AsciiJsonResponse, JsonRoute
from .judge_endpoints import NDJSON, JudgeEndpoints
from .metrics import CONTENT_TYPE
from .online_judge import OnlineJudge
from .options import Options
from .request_bounds import RequestSlots
from .run_code import RunCodeEndpoints
from .sandbox_fusion_messages import RunCodeResponse
from .service import Service

_DESCRIPTION = """\
The server runs programs in a sandbox and judges them test by test. `/judge` is the judge's own
endpoint; `/run_code` and `/submit` are SandboxFusion's. A failure of the judge itself is never
reported as a wrong answer, but as 5xx, `SandboxError`, or a reward of null. Responses 503 and 504
say when to retry (`Retry-After`)."""


def create_application(
    service: Service,
    options: Options,
    connections: Connections,
    access_log: AccessLog | None,
) -> AdmissionMiddleware:
    """Make the application with all endpoints, behind admission control."""
    app = FastAPI(
        title="MicroCoder judge",
        version=__version__,
        description=_DESCRIPTION,
        default_response_class=AsciiJsonResponse,
        redoc_url=None,
        redirect_slashes=False,
        exception_handlers=dict.fromkeys(ERRORS, respond_to_error),
    )
    app.router.route_class = JsonRoute
    slots = RequestSlots(options.at_once, options.queue, options.wait_s)
    _add_routes(app, service, slots)
    metrics = service.metrics
    for name, text, read_value in (
        ("running", "Requests being read and judged", lambda: slots.running),
        ("waiting", "Requests waiting for their turn", lambda: slots.waiting),
        ("held_bytes", "Bytes of bodies being held", lambda: connections.memory.used_bytes),
        ("connections", "Connections", lambda: connections.count),
    ):
        metrics.add_gauge(name, text, read_value)
    metrics.add_info(sandbox_level=str(service.judge.sandbox_level))
    paths = frozenset(app.openapi()["paths"])
    return AdmissionMiddleware(app, options, slots, connections, paths, access_log)


_LINE = {
    200: {"description": "The result line", "content": {"application/json": {}}},
    500: {"description": "The judge failed: the result line, verdict JE"},
}
_LINES = {200: {"description": "Result lines with index", "content": {NDJSON: {}}}}


def _add_routes(app: FastAPI, service: Service, slots: RequestSlots) -> None:
    """Add all endpoints; their docstrings describe them under /docs."""

    async def health() -> dict[str, Any]:
        """Return the isolation level, the number of workers, and the requests in progress."""
        return {
            "status": "ok",
            "version": __version__,
            "sandbox_level": service.judge.sandbox_level,
            "workers": service.judge.workers,
            "running": slots.running,
            "waiting": slots.waiting,
        }

    async def metrics() -> Response:
        """Return all metrics in Prometheus' text format."""
        return Response(service.metrics.render(), media_type=CONTENT_TYPE)

    judge, online = JudgeEndpoints(service), OnlineJudge(service)
    runs, run_model = RunCodeEndpoints(service), {"response_model": RunCodeResponse}
    line: dict[str, Any] = {"response_class": Response, "responses": _LINE}
    lines: dict[str, Any] = {"response_class": StreamingResponse, "responses": _LINES}
    for path, method, endpoint, summary, settings in (
        ("/judge", "POST", judge.judge, "Judge one solution", line),
        ("/judge/batch", "POST", judge.batch, "Judge many; results come as they finish", lines),
        ("/run_code", "POST", runs.run_code, "Run a program", run_model),
        ("/v1/ping", "GET", runs.ping, "pong", {}),
        ("/get_prompts", "POST", online.get_prompts, "List statements of a dataset", {}),
        ("/get_prompt_by_id", "POST", online.get_prompt_by_id, "The statement of a problem", {}),
        ("/submit", "POST", online.submit, "Judge a model's answer", {}),
        ("/health", "GET", health, "State of the server", {}),
        ("/metrics", "GET", metrics, "For Prometheus", {"response_class": Response}),
    ):
        app.add_api_route(path, endpoint, methods=[method], summary=summary, **settings)
