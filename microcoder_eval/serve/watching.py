"""What watches the server: a page for people, health and metrics for programs."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from fastapi import FastAPI, Response
from fastapi.responses import HTMLResponse

from microcoder_eval.html import render_page, tag
from microcoder_eval.languages import LANGUAGE_NAMES
from microcoder_eval.version import __version__

from .json_body import AsciiJsonResponse
from .metrics import CONTENT_TYPE, Metrics
from .request_slots import RequestSlots
from .service import Service

_STYLE = """\
pre { padding: 8px 12px; white-space: pre-wrap; }
th { white-space: nowrap; padding-right: 16px; overflow-wrap: normal; }
"""
_ENDPOINTS = (
    ("/docs", "every endpoint, with its fields; loads its scripts from the network"),
    ("/openapi.json", "the same for programs"),
    ("/health", "state as JSON; needs no token"),
    ("/metrics", "counters and latencies for Prometheus"),
)
_EXAMPLE = """\
curl -s URL/judge -H 'Content-Type: application/json' \\
  -d '{"problem": {"tests": [{"input": "2\\n", "output": "4\\n"}]},
       "solution": {"code": "print(int(input()) ** 2)"}}'"""


class WatchingEndpoints:
    """The page at ``/`` for people, ``/health`` and ``/metrics`` for programs."""

    def __init__(self, service: Service, metrics: Metrics, slots: RequestSlots) -> None:
        self._service = service
        self._start = time.monotonic()
        self._metrics = metrics
        self._slots = slots

    def add_routes(self, app: FastAPI) -> None:
        """Add the endpoints."""
        routes: list[tuple[str, Any, Any, str]] = [
            ("/", self.show, HTMLResponse, "This server"),
            ("/health", self.health, AsciiJsonResponse, "State of the server"),
            ("/metrics", self.metrics, Response, "Metrics for Prometheus"),
        ]
        for path, endpoint, response, summary in routes:
            app.add_api_route(
                path, endpoint, response_class=response, summary=summary, tags=["watching"]
            )

    async def health(self) -> dict[str, Any]:
        """Return the isolation level, the number of workers, and the requests in progress."""
        judge = self._service.judge
        return {
            "status": "ok",
            "version": __version__,
            "sandbox_level": judge.sandbox_level,
            "workers": judge.workers,
            "running": self._slots.running,
            "waiting": self._slots.waiting,
        }

    async def metrics(self) -> Response:
        """Return all metrics in Prometheus' text format."""
        return Response(self._metrics.render(), media_type=CONTENT_TYPE)

    async def show(self) -> HTMLResponse:
        """Return the page."""
        health = await self.health()
        facts = {
            "version": __version__,
            "running for": format_duration(time.monotonic() - self._start),
            "workers": str(health["workers"]),
            "isolation": f"level {health['sandbox_level']} of 4",
            "languages": ", ".join(LANGUAGE_NAMES),
            "data sets": ", ".join(self._service.datasets) or "none (--dataset NAME=FILE)",
            "requests now": f"{health['running']} judged, {health['waiting']} waiting",
        }
        return HTMLResponse(render_home(facts))


def render_home(facts: Mapping[str, str]) -> str:
    """Render the page. facts: what the table shows, by name."""
    fact_rows = [tag("tr", tag("th", name), tag("td", value)) for name, value in facts.items()]
    link_rows = [
        tag("tr", tag("th", tag("a", path, href=path)), tag("td", text))
        for path, text in _ENDPOINTS
    ]
    token_note = "With a token, add -H 'Authorization: Bearer TOKEN'."
    body = (
        tag("header", tag("h1", "MicroCoder judge")),
        tag(
            "main",
            tag("p", "Runs programs in a sandbox and judges them test by test, over HTTP."),
            tag("section", tag("table", *fact_rows), class_="card"),
            tag("section", tag("h2", "Links"), tag("table", *link_rows), class_="card"),
            tag("section", tag("h2", "Judge a program"), tag("pre", _EXAMPLE),
                tag("p", f"URL is the address of this page. {token_note}"), class_="card"),
        ),
    )  # fmt: skip
    return "".join(render_page("MicroCoder judge", body, style=_STYLE))


def format_duration(seconds: float) -> str:
    """Format a duration: "2 days, 3:05:07"."""
    return str(timedelta(seconds=int(seconds)))
