"""The application: all endpoints with their OpenAPI description, health and metrics."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from microcoder_eval.errors import DataError, JudgeError
from microcoder_eval.version import __version__

from .access_log import AccessLog
from .admission import AdmissionMiddleware
from .home import HomePage
from .json_body import (
    AsciiJsonResponse,
    JsonRoute,
    respond_to_data_error,
    respond_to_http_exception,
    respond_to_invalid_fields,
    respond_to_judge_error,
    respond_to_refusal,
)
from .judge_endpoints import JudgeEndpoints
from .limiter import RefusedError, RequestLimiter
from .metrics import CONTENT_TYPE, Metrics
from .online_judge import OnlineJudge
from .options import Options
from .sandbox_fusion import RunCodeEndpoints
from .service import Service

_DESCRIPTION = """\
The server runs programs in a sandbox and judges them test by test. `/judge` is the judge's own
endpoint; `/run_code` and `/submit` are SandboxFusion's. A failure of the judge itself is never
reported as a wrong answer, but as 5xx, `SandboxError`, or a reward of null. Responses 503 and 504
say when to retry (`Retry-After`)."""


class MonitoringEndpoints:
    """Endpoints for monitoring the server."""

    def __init__(self, service: Service, metrics: Metrics, limiter: RequestLimiter) -> None:
        self._service = service
        self._metrics = metrics
        self._limiter = limiter

    def add_routes(self, app: FastAPI) -> None:
        """Add the endpoints."""
        app.add_api_route("/health", self.health, summary="State of the server", tags=["watching"])
        app.add_api_route(
            "/metrics",
            self.metrics,
            response_class=Response,
            summary="Metrics for Prometheus",
            tags=["watching"],
        )

    async def health(self) -> dict[str, Any]:
        """Return the isolation level, the number of workers, and the requests in progress."""
        judge = self._service.judge
        return {
            "status": "ok",
            "version": __version__,
            "sandbox_level": judge.sandbox_level,
            "workers": judge.workers,
            "running": self._limiter.running,
            "waiting": self._limiter.waiting,
        }

    async def metrics(self) -> Response:
        """Return all metrics in Prometheus' text format."""
        return Response(self._metrics.render(), media_type=CONTENT_TYPE)


def create_application(
    service: Service, options: Options, metrics: Metrics, access_log: AccessLog | None
) -> AdmissionMiddleware:
    """Make the application with all endpoints, behind admission control."""
    app = FastAPI(
        title="MicroCoder judge",
        version=__version__,
        description=_DESCRIPTION,
        default_response_class=AsciiJsonResponse,
        redoc_url=None,
        redirect_slashes=False,
        exception_handlers={
            HTTPException: respond_to_http_exception,
            RequestValidationError: respond_to_invalid_fields,
            DataError: respond_to_data_error,
            JudgeError: respond_to_judge_error,
            RefusedError: respond_to_refusal,
        },
    )
    app.router.route_class = JsonRoute
    limiter = RequestLimiter(options.at_once, options.queue, options.wait_s)
    for endpoints in (
        JudgeEndpoints(service),
        RunCodeEndpoints(service),
        OnlineJudge(service),
        MonitoringEndpoints(service, metrics, limiter),
        HomePage(service, limiter),
    ):
        endpoints.add_routes(app)
    paths = frozenset(app.openapi()["paths"])
    admission = AdmissionMiddleware(app, options, limiter, metrics, paths, access_log)
    metrics.add_gauge("running", "Requests being read and judged", lambda: limiter.running)
    metrics.add_gauge("waiting", "Requests waiting for their turn", lambda: limiter.waiting)
    metrics.add_gauge(
        "held_bytes", "Bytes of bodies being held", lambda: admission.budget.used_bytes
    )
    metrics.add_judge(service.judge.stats)
    metrics.add_info(sandbox_level=str(service.judge.sandbox_level))
    return admission
