"""Which tests run: tiers by marker, a time limit for every test, timed tests by themselves.

CONTRIBUTING.md lists the tiers; `tests/test_tiers.py` specifies this file.
"""

from __future__ import annotations

import ast
import fcntl
import importlib.util
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

if importlib.util.find_spec("hypothesis"):
    from hypothesis import HealthCheck, settings

    # A crowded machine makes no example wrong: the limit is the test's.
    settings.register_profile(
        "unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.load_profile("unhurried")

ROOT = Path(__file__).resolve().parent
# Part of CI, not of a plain `pytest`: run by `-m NAME` or by naming their folder, file or test.
CI_TIERS = ("sandbox", "attacks", "train", "stacks", "slow")
# Run only where `-m` names them or the command line gives the node id of the test.
ON_REQUEST = ("long", "parity", "vllm", "ray")
FOLDER_MARKERS = {"faults": "sandbox", "fuzz": "slow", "long": "long", "train": "train"}
collect_ignore = ["packages", "humaneval_x"]  # programs to be judged
# Seconds a test may take on a machine whose cores are busy; others: `timeout` in pyproject.toml.
TIME_LIMITS = {"long": 4 * 3600, "slow": 1200, "train": 600, "vllm": 1200, "ray": 600}
NEEDED = {
    "tests/train": ("torch", "transformers"),
    "tests/integrations: the run of TRL": ("trl", "torch", "transformers"),
    "tests/serve": ("fastapi", "prometheus_client", "uvicorn"),
}
LEFT_OUT = pytest.StashKey[dict[str, int]]()


def pytest_report_header() -> list[str]:
    """Which tests are left out for want of a package."""
    return [
        f"{folder} is left out: {' and '.join(missing)} not installed"
        for folder, names in NEEDED.items()
        if (missing := [name for name in names if importlib.util.find_spec(name) is None])
    ]


def named_markers(expression: str) -> set[str]:
    """The markers that a `-m` expression names other than under `not`."""

    def visit(node: ast.AST, positive: bool) -> Iterator[str]:
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield from visit(operand, not positive)
            case ast.BoolOp(values=values):
                for value in values:
                    yield from visit(value, positive)
            case ast.Name(id=name) | ast.Call(func=ast.Name(id=name)) if positive:
                yield name

    try:
        return set(visit(ast.parse(expression.strip(), mode="eval").body, True))
    except SyntaxError:  # empty, or an expression that pytest itself refuses
        return set()


def named_paths(config: pytest.Config) -> list[tuple[Path, str]]:
    """(path, names after `::`) of each argument, but for the folder that holds all tests."""
    split = [str(argument).partition("::") for argument in config.args]
    paths = [((config.invocation_params.dir / path).resolve(), names) for path, _, names in split]
    return [(path, names) for path, names in paths if not ROOT.is_relative_to(path)]


def is_selected(item: pytest.Item, markers: set[str], paths: list[tuple[Path, str]]) -> bool:
    """Whether the command line asks for the tier of this test; `-m` itself is applied by pytest."""
    tiers = {marker.name for marker in item.iter_markers()}
    names = item.nodeid.partition("::")[2]
    if any(path == item.path and asked and names.startswith(asked) for path, asked in paths):
        return True
    if on_request := tiers.intersection(ON_REQUEST):
        return on_request <= markers
    if ci := tiers.intersection(CI_TIERS):
        named = any(item.path.is_relative_to(path) for path, asked in paths if not asked)
        return named or bool(ci & markers)
    return True


def tier_of(item: pytest.Item) -> str:
    """The marker that keeps a test out of the default run."""
    return next(name for name in (*ON_REQUEST, *CI_TIERS) if item.get_closest_marker(name))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark by folder, set time limits, deselect the tiers nobody asked for, timed tests last."""
    markers, paths = named_markers(config.option.markexpr), named_paths(config)
    selected, left_out = [], []
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
        (selected if is_selected(item, markers, paths) else left_out).append(item)
    items[:] = sorted(selected, key=lambda item: item.get_closest_marker("timed") is not None)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        config.stash[LEFT_OUT] = counts = dict(Counter(map(tier_of, left_out)))
        if hasattr(config, "workeroutput"):  # xdist: the controller collects nothing itself
            config.workeroutput["left_out"] = counts


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Take the counts from an xdist worker; all workers collect the same tests."""
    if counts := getattr(node, "workeroutput", {}).get("left_out"):
        node.config.stash[LEFT_OUT] = counts


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """One line: how many tests of which tier were left out."""
    if counts := config.stash.get(LEFT_OUT, None):
        numbers = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
        terminalreporter.write_line(f"left out: {numbers}; `-m NAME` runs them (CONTRIBUTING.md)")


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
