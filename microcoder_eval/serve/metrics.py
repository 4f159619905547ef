"""Prometheus metrics in a registry of their own, not in the global one of the process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    Metric,
    SummaryMetricFamily,
)
from prometheus_client.registry import Collector

from microcoder_eval.pool.stats import JudgeStats
from microcoder_eval.version import __version__

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)


class _JudgeCollector(Collector):
    """The statistics of a judge, read whenever the metrics are read."""

    def __init__(self, read_stats: Callable[[], JudgeStats]) -> None:
        self._read_stats = read_stats

    def collect(self) -> Iterator[Metric]:
        """Yield each statistic as a metric."""
        stats = self._read_stats()
        for name, text, value in (
            ("workers", "Judge workers", stats.workers),
            ("busy_workers", "Judge workers that have a task", stats.busy_workers),
            ("queue_depth", "Tasks that wait for a judge worker", stats.queue_depth),
        ):
            yield GaugeMetricFamily(f"microcoder_{name}", text, value)
        for name, text, total in (
            ("judge_failures", "Judgements that are JE", stats.failures),
            ("tle_seconds", "Wall time of tests that exceeded their limit", stats.tle_s),
        ):
            yield CounterMetricFamily(f"microcoder_{name}", text, total)
        yield SummaryMetricFamily(
            "microcoder_judgement_seconds",
            "Time from a submission to its judgement",
            stats.judgements,
            stats.latency_s,
        )


class Metrics:
    """Counters and gauges named microcoder_*. Clients cannot add values of labels. read_stats:
    returns what ``Judge.stats`` says."""

    def __init__(self, read_stats: Callable[[], JudgeStats]) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(_JudgeCollector(read_stats))
        ProcessCollector(namespace="microcoder", registry=self._registry)
        counter = partial(Counter, namespace="microcoder", registry=self._registry)
        by_status = "Requests answered, by path and HTTP status"
        self.requests = counter("requests", by_status, ("path", "status"))
        self.seconds = Histogram(
            "microcoder_request_seconds",
            "Time from the end of a request's head to the end of its response",
            ("path",),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self.refused = counter(
            "refused", "Requests refused before they were read, by reason", ("reason",)
        )
        self.judgements = counter("judgements", "Judgements made, by verdict", ("verdict",))
        self.runs = counter("runs", "Programs run by /run_code, by status", ("status",))

    def add_gauge(self, name: str, help_text: str, read_value: Callable[[], float]) -> None:
        """Add a gauge whose value ``read_value`` returns."""
        gauge = Gauge(f"microcoder_{name}", help_text, registry=self._registry)
        gauge.set_function(read_value)

    def add_info(self, **values: str) -> None:
        """Add a gauge whose labels hold constant facts about the server."""
        labels = {"version": __version__, **values}
        info = Gauge("microcoder_info", "The server", tuple(labels), registry=self._registry)
        info.labels(**labels).set(1)

    def render(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        exposition: bytes = generate_latest(self._registry)
        return exposition
