"""What Prometheus may read, in a registry of our own: nothing of the process's is touched."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from microcoder_eval.version import __version__

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)


class Metrics:
    """Counters and gauges, all called microcoder_*. Labels have few values: no client makes any."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(namespace="microcoder", registry=self._registry)
        self.requests = Counter(
            "microcoder_requests",
            "Requests answered, by path and HTTP status",
            ("path", "status"),
            registry=self._registry,
        )
        self.seconds = Histogram(
            "microcoder_request_seconds",
            "Time from the end of a request's head to the end of its answer",
            ("path",),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self.refused = Counter(
            "microcoder_refused",
            "Requests refused before they were read, by reason",
            ("reason",),
            registry=self._registry,
        )
        self.judged = Counter(
            "microcoder_judgements",
            "Judgements made, by verdict",
            ("verdict",),
            registry=self._registry,
        )
        self.runs = Counter(
            "microcoder_runs",
            "Programs run by /run_code, by status",
            ("status",),
            registry=self._registry,
        )

    def watch(self, name: str, meaning: str, value: Callable[[], float]) -> None:
        """A gauge that is read when it is asked for."""
        gauge = Gauge(f"microcoder_{name}", meaning, registry=self._registry)
        gauge.set_function(value)

    def tell(self, **facts: str) -> None:
        """What does not change while serving, as labels of one gauge."""
        labels = {"version": __version__, **facts}
        info = Gauge("microcoder_info", "What serves", tuple(labels), registry=self._registry)
        info.labels(**labels).set(1)

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        page: bytes = generate_latest(self._registry)
        return page
