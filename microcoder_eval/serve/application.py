"""The application: every endpoint, their description (OpenAPI), health and metrics."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from microcoder_eval.errors import DataError, JudgeError
from microcoder_eval.version import __version__

from .border import Border
from .metrics import CONTENT_TYPE, Metrics
from .online_judge import OnlineJudge
from .options import Options
from .own import OwnEndpoints
from .reading import (
    Json,
    JsonRoute,
    tell_no_judge,
    tell_status,
    tell_wrong_data,
    tell_wrong_fields,
)
from .sandbox_fusion import Runner
from .service import Service

_ABOUT = """\
Programs are run in a cage and judged test by test. `/judge` is the judge's own; `/run_code` and
`/submit` are SandboxFusion's. A failure of the judge itself is never a wrong answer: 5xx,
`SandboxError`, or a reward of null. 503 and 504 say when to ask again (`Retry-After`)."""


class Home:
    """What watches the server asks for."""

    def __init__(self, service: Service, metrics: Metrics) -> None:
        self._service = service
        self._metrics = metrics
        self.border: Border | None = None

    def add_to(self, app: FastAPI) -> None:
        """Add the endpoints."""
        app.add_api_route("/health", self.health, summary="Whether it serves", tags=["watching"])
        app.add_api_route(
            "/metrics",
            self.metrics,
            response_class=Response,
            summary="For Prometheus",
            tags=["watching"],
        )

    async def health(self) -> dict[str, Any]:
        """That it serves, how well caged, and how busy."""
        judge = self._service.judge
        facts = {"sandbox_level": judge.sandbox_level, "workers": judge.workers}
        if self.border is not None:
            turns = self.border.turns
            facts |= {"running": turns.running, "waiting": turns.waiting}
        return {"status": "ok", "version": __version__, **facts}

    async def metrics(self) -> Response:
        """All metrics."""
        return Response(self._metrics.text(), media_type=CONTENT_TYPE)


def application(service: Service, options: Options, metrics: Metrics) -> Border:
    """Everything, behind its border."""
    app = FastAPI(
        title="MicroCoder judge",
        version=__version__,
        description=_ABOUT,
        default_response_class=Json,
        redoc_url=None,
        redirect_slashes=False,
        exception_handlers={
            HTTPException: tell_status,
            RequestValidationError: tell_wrong_fields,
            DataError: tell_wrong_data,
            JudgeError: tell_no_judge,
        },
    )
    app.router.route_class = JsonRoute
    home = Home(service, metrics)
    for part in (OwnEndpoints(service), Runner(service), OnlineJudge(service), home):
        part.add_to(app)
    paths = frozenset(app.openapi()["paths"])
    home.border = border = Border(app, options, metrics, paths)
    metrics.watch("running", "Requests being read and judged", lambda: border.turns.running)
    metrics.watch("waiting", "Requests waiting for their turn", lambda: border.turns.waiting)
    metrics.watch("held_bytes", "Bytes of bodies being held", lambda: border.store.held)
    metrics.watch("workers", "Judge workers", lambda: service.judge.workers)
    metrics.tell(sandbox_level=str(service.judge.sandbox_level))
    return border
