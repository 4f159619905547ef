"""The page at ``/``: what runs here, how busy it is, and where to go on."""

from __future__ import annotations

import time
from collections.abc import Mapping

from fastapi import FastAPI
from fastapi.responses import HTMLResponse

from microcoder_eval.html import render_page, tag
from microcoder_eval.languages import LANGUAGE_NAMES
from microcoder_eval.version import __version__

from .limiter import RequestLimiter
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


class HomePage:
    """Serves the page."""

    def __init__(self, service: Service, limiter: RequestLimiter) -> None:
        self._service = service
        self._start = time.monotonic()
        self._limiter = limiter

    def add_routes(self, app: FastAPI) -> None:
        """Add the endpoint."""
        app.add_api_route(
            "/", self.show, response_class=HTMLResponse, summary="This server", tags=["watching"]
        )

    async def show(self) -> HTMLResponse:
        """Return the page."""
        return HTMLResponse(render_home(self._list_facts()))

    def _list_facts(self) -> dict[str, str]:
        judge = self._service.judge
        limiter = self._limiter
        return {
            "version": __version__,
            "running for": format_duration(time.monotonic() - self._start),
            "workers": str(judge.workers),
            "isolation": f"level {judge.sandbox_level} of 4",
            "languages": ", ".join(LANGUAGE_NAMES),
            "data sets": ", ".join(self._service.datasets) or "none (--dataset NAME=FILE)",
            "requests now": f"{limiter.running} judged, {limiter.waiting} waiting",
        }


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
    """Format a duration in its largest two units: "2 d 3 h", "5 min 7 s"."""
    units = (("d", 86_400), ("h", 3600), ("min", 60), ("s", 1))
    rest = int(seconds)
    parts: list[str] = []
    for name, length in units:
        count, rest = divmod(rest, length)
        if count or parts:
            parts.append(f"{count} {name}")
    return " ".join(parts[:2]) or "0 s"
