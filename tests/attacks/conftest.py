"""Drivers as root and as nobody, at each level, and the table attack × level at the end."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.attacks.rigs import Rig, start_driver
from tests.files import ROOT

# Attacks on a problem's own programs use their time up, so here these have a tenth of it.
_SHORTER = {
    "programs": ("cpu_seconds=10.0", "cpu_seconds=1.0"),
    "checked_outputs": ("_FAILED_CHECKS_BUDGET_S = 9.0", "_FAILED_CHECKS_BUDGET_S = 0.7"),
}


@pytest.fixture(scope="session")
def _place() -> Iterator[Path]:
    """The packages and the driver where every user may read them."""
    place = Path(tempfile.mkdtemp(prefix="for-all-"))
    for part in ("microcoder_eval", "sandbox/microcoder_sandbox"):
        shutil.copytree(ROOT / part, place / part)
    for name, (long, short) in _SHORTER.items():
        path = place / f"microcoder_eval/worker/judge_programs/{name}.py"
        text = path.read_text()
        assert text.count(long) == 1
        path.write_text(text.replace(long, short))
    shutil.copy(ROOT / "tests/attacks/driver.py", place)
    for part in _packages():  # another user may not come to where they are installed
        shutil.copytree(part, place / "site" / part.name)
    for path in [place, *place.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    yield place
    shutil.rmtree(place)


def _packages() -> list[Path]:
    """The folders of the packages that some attacks import."""
    import numpy
    import sortedcontainers

    folders = [Path(module.__file__).parent for module in (numpy, sortedcontainers)]
    libraries = folders[0].with_name("numpy.libs")
    return [*folders, *([libraries] if libraries.is_dir() else [])]


@pytest.fixture(scope="session")
def rigs(_place: Path) -> Iterator[dict[tuple[str, int], Rig]]:
    """Started when first asked for, by (user, level)."""
    drivers: dict[tuple[str, int], Rig] = {}
    yield drivers
    for rig in drivers.values():
        assert rig.process.stdin is not None
        rig.process.stdin.close()
        rig.process.wait(30)
        for stream in (rig.process.stdout, rig.process.stderr):
            assert stream is not None
            stream.close()


@pytest.fixture
def rig(request: pytest.FixtureRequest, rigs: dict[tuple[str, int], Rig], _place: Path) -> Rig:
    """The driver of the (user, level) that the test is for; skipped where it cannot be had."""
    user, level = request.param
    if (user, level) not in rigs:
        rigs[user, level] = start_driver(user, level, _place)
    driver = rigs[user, level]
    if driver.unavailable is not None:
        pytest.skip(f"level {level} as {user}: {driver.unavailable}")
    return driver


_SIGNS = {"passed": "held", "failed": "FAILED", "skipped": "-"}


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The table: one line an attack, a column for each user and level."""
    cells: dict[str, dict[str, str]] = {}
    for outcome, sign in _SIGNS.items():
        for report in terminalreporter.getreports(outcome):
            properties = dict(getattr(report, "user_properties", ()))
            if "attack" in properties:
                shown = properties.get("seen", "") if outcome == "passed" else sign
                cells.setdefault(properties["attack"], {})[properties["where"]] = shown
    if not cells:
        return
    columns = sorted({where for row in cells.values() for where in row}, reverse=True)
    terminalreporter.section("attack x level")
    width = max(map(len, cells))
    terminalreporter.write_line(" ".join([" " * width, *(f"{c:>9}" for c in columns)]))
    for name in sorted(cells):
        row = cells[name]
        line = " ".join([f"{name:{width}}", *(f"{row.get(c, '-'):>9}" for c in columns)])
        terminalreporter.write_line(line)
