"""What a judge tells of itself."""

from __future__ import annotations

import pytest

from microcoder_eval import Judge
from tests.processes import wait_until

TESTS = [{"input": "", "output": "1\n"}]
SLOW = "while True: pass"


def test_the_counts_are_those_of_the_judgements() -> None:
    with Judge(workers=1, limits={"time_s": 0.2}) as judge:
        first = judge.stats()
        assert (first.workers, first.busy_workers) == (1, 0)
        assert (first.queue_depth, first.judgements) == (0, 0)
        judgements = list(judge.map([("print(1)", TESTS), (SLOW, TESTS), ("print(2)", TESTS)]))
        stats = judge.stats()
    assert (stats.judgements, stats.failures) == (3, 0)
    assert stats.tle_s == sum(test.wall_s for test in judgements[1].tests)
    assert stats.latency_s >= 0.2


def test_what_runs_and_what_waits_is_counted() -> None:
    with Judge(workers=1, limits={"time_s": 60}) as judge:
        try:
            for number in range(3):
                judge.submit(f"{SLOW} # {number}", TESTS)
            assert wait_until(lambda: judge.stats().queue_depth == 2)
            stats = judge.stats()
            assert (stats.busy_workers, stats.queue_depth, stats.judgements) == (1, 2, 0)
        finally:
            judge.close(cancel=True)


def test_a_failure_of_the_judge_is_counted() -> None:
    problem = {"entry_point": "f", "tests": [{"input": [1], "output": 1}]}  # calls need Python
    with Judge(workers=1) as judge:
        assert judge.judge({"code": "int f;", "language": "c"}, problem).verdict == "JE"
        assert judge.stats().failures == 1


def test_other_options_of_a_judge_count_together() -> None:
    with Judge(workers=1) as judge:
        judge.with_changes(stop="never").judge("print(1)", TESTS)
        assert judge.stats().judgements == 1


def test_the_metrics_of_the_server_are_the_same() -> None:
    pytest.importorskip("prometheus_client")
    from microcoder_eval.serve.metrics import Metrics

    with Judge(workers=1, limits={"time_s": 0.2}) as judge:
        list(judge.map([("print(1)", TESTS), (SLOW, TESTS)]))
        metrics, stats = Metrics(judge.stats), judge.stats()
        text = metrics.render().decode()
    values = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert float(values["microcoder_queue_depth"]) == stats.queue_depth == 0
    assert float(values["microcoder_busy_workers"]) == stats.busy_workers
    assert float(values["microcoder_judge_failures_total"]) == stats.failures
    assert float(values["microcoder_tle_seconds_total"]) == stats.tle_s
    assert float(values["microcoder_judgement_seconds_count"]) == stats.judgements == 2
    assert float(values["microcoder_judgement_seconds_sum"]) == stats.latency_s
