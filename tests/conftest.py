"""Tiers by marker, a time limit for every test, timed tests by themselves.

CONTRIBUTING.md lists the tiers; `addopts` in pyproject.toml leaves most out of a plain `pytest`.
"""

from __future__ import annotations

import fcntl
import importlib.util
import re
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from microcoder_eval import Judge

if importlib.util.find_spec("hypothesis"):
    from hypothesis import HealthCheck, settings

    # A crowded machine makes no example wrong: the limit is the test's.
    settings.register_profile(
        "unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.load_profile("unhurried")

ROOT = Path(__file__).resolve().parent
# Run only if `-m` names them or the command line gives the node id of the test.
ON_REQUEST = ("long", "parity", "vllm", "ray")
FOLDER_MARKERS = {
    "attacks": "attacks", "faults": "sandbox", "fuzz": "slow", "long": "long", "train": "train"
}  # fmt: skip
collect_ignore = ["packages", "humaneval_x"]  # programs to be judged
# Seconds a test may take on a machine whose cores are busy; others: `timeout` in pyproject.toml.
TIME_LIMITS = {"long": 4 * 3600, "slow": 1200, "train": 600, "vllm": 1200, "ray": 600}
NEEDED = {
    "tests/train": ("torch", "transformers"),
    "tests/integrations: the run of TRL": ("trl", "torch", "transformers"),
    "tests/serve": ("fastapi", "prometheus_client", "uvicorn"),
}


def pytest_report_header() -> list[str]:
    """Which tests are left out for want of a package."""
    return [
        f"{folder} is left out: {' and '.join(missing)} not installed"
        for folder, names in NEEDED.items()
        if (missing := [name for name in names if importlib.util.find_spec(name) is None])
    ]


def pytest_configure(config: pytest.Config) -> None:
    """Run all tiers of a named folder, and a tier ON_REQUEST only where it is named."""
    arguments = [str(argument) for argument in config.args]
    paths = [config.invocation_params.dir / argument.partition("::")[0] for argument in arguments]
    expression = config.option.markexpr
    if expression in config.getini("addopts") and not any(
        ROOT.is_relative_to(path.resolve()) for path in paths
    ):
        expression = ""
    unnamed = [name for name in ON_REQUEST if not re.search(rf"\b{name}\b", expression)]
    if unnamed and not any("::" in argument for argument in arguments):
        rule = f"not ({' or '.join(unnamed)})"
        expression = f"({expression}) and {rule}" if expression else rule
    config.option.markexpr = expression


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave a folder unread where `-m` refuses its marker: tests/train imports torch, tests/attacks
    has a thousand tests."""
    marker = FOLDER_MARKERS.get(collection_path.name)
    if marker is None or collection_path.parent != ROOT or not config.option.markexpr:
        return None
    expression = config.option.markexpr
    others = sorted({*re.findall(r"\w+", expression)} - {"and", "or", "not", marker})
    values = product((False, True), repeat=len(others))
    chosen = ({marker: True, **dict(zip(others, each, strict=True))} for each in values)
    return None if any(eval(expression, {}, names) for names in chosen) else True


@pytest.hookimpl(tryfirst=True)  # before pytest applies -m
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark by folder, mark what is not sampled, set time limits, put timed tests last."""
    order: Counter[tuple[str, str]] = Counter()
    for item in items:
        if sampled := item.get_closest_marker("sampled"):
            every, tier = sampled.args
            test = (item.nodeid.partition("[")[0], tier)
            if order[test] % every:
                item.add_marker(tier)
            order[test] += 1
        folder = item.path.relative_to(ROOT).parts[0]
        if folder in FOLDER_MARKERS:
            item.add_marker(FOLDER_MARKERS[folder])
        limits = [
            TIME_LIMITS[mark.name] for mark in item.iter_markers() if mark.name in TIME_LIMITS
        ]
        if limits and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(max(limits)))
    items.sort(key=lambda item: item.get_closest_marker("timed") is not None)


@pytest.hookimpl(wrapper=True, tryfirst=True)  # around pytest-timeout: waiting is not the test's
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Let no test of another xdist worker run beside one marked `timed`."""
    if not hasattr(item.config, "workerinput"):
        return (yield)
    timed = item.get_closest_marker("timed") is not None
    # Two locks on files that every worker can open. The first makes all wait in line, so that
    # tests that may overlap cannot keep a timed one out forever.
    with Path(__file__).open("rb") as line, (ROOT.parent / "pyproject.toml").open("rb") as room:
        fcntl.flock(line, fcntl.LOCK_EX)
        fcntl.flock(room, fcntl.LOCK_EX if timed else fcntl.LOCK_SH)
        fcntl.flock(line, fcntl.LOCK_UN)
        try:
            return (yield)
        finally:
            fcntl.flock(room, fcntl.LOCK_UN)  # closing is not enough where a test has forked


@pytest.fixture(scope="module")
def judge() -> Judge:
    """One worker, for the tests of a file that need no options of their own."""
    from tests.judges import SharedJudge

    return SharedJudge(workers=1)
