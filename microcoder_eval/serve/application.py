"""The application: all endpoints with their OpenAPI description, health and metrics."""

from __future__ import annotations

from fastapi import FastAPI

from microcoder_eval.version import __version__

from .access_log import AccessLog
from .admission import AdmissionMiddleware
from .connections import Connections
from .json_body import ERRORS, AsciiJsonResponse, JsonRoute, respond_to_error
from .judge_endpoints import JudgeEndpoints
from .metrics import Metrics
from .online_judge import OnlineJudge
from .options import Options
from .request_slots import RequestSlots
from .sandbox_fusion import RunCodeEndpoints
from .service import Service
from .watching import WatchingEndpoints

_DESCRIPTION = """\
The server runs programs in a sandbox and judges them test by test. `/judge` is the judge's own
endpoint; `/run_code` and `/submit` are SandboxFusion's. A failure of the judge itself is never
reported as a wrong answer, but as 5xx, `SandboxError`, or a reward of null. Responses 503 and 504
say when to retry (`Retry-After`)."""


def create_application(
    service: Service,
    options: Options,
    metrics: Metrics,
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
    for endpoints in (
        JudgeEndpoints(service),
        RunCodeEndpoints(service),
        OnlineJudge(service),
        WatchingEndpoints(service, metrics, slots),
    ):
        endpoints.add_routes(app)
    for name, text, read_value in (
        ("running", "Requests being read and judged", lambda: slots.running),
        ("waiting", "Requests waiting for their turn", lambda: slots.waiting),
        ("held_bytes", "Bytes of bodies being held", lambda: connections.used_bytes),
        ("connections", "Connections", lambda: connections.count),
    ):
        metrics.add_gauge(name, text, read_value)
    metrics.add_judge(service.judge.stats)
    metrics.add_info(sandbox_level=str(service.judge.sandbox_level))
    paths = frozenset(app.openapi()["paths"])
    return AdmissionMiddleware(app, options, slots, connections, paths, access_log)
