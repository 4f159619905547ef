"""What programs ask to watch the server: health and metrics."""

from __future__ import annotations

from typing import Any

from fastapi import Response

from microcoder_eval.version import __version__

from .metrics import CONTENT_TYPE, Metrics
from .request_slots import RequestSlots
from .service import Service


class WatchingEndpoints:
    """``/health`` and ``/metrics``."""

    def __init__(self, service: Service, metrics: Metrics, slots: RequestSlots) -> None:
        self._service = service
        self._metrics = metrics
        self._slots = slots

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
