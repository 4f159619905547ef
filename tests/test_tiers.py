"""Which tests a command line runs, how long they may take, and that timed ones run alone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.conftest import CI_TIERS, ON_REQUEST, named_markers

pytest_plugins = ("pytester",)

ROOT = Path(__file__).resolve().parents[1]
MIXED = """
import pytest
def test_unit(): pass
@pytest.mark.sandbox
def test_sandbox(): pass
@pytest.mark.slow
def test_slow(): pass
@pytest.mark.slow
@pytest.mark.attacks
def test_attack(): pass
@pytest.mark.long
@pytest.mark.attacks
def test_long(): pass
@pytest.mark.long
@pytest.mark.parity
def test_two(): pass
"""
ALL_OF_CI = " or ".join(CI_TIERS)

pytestmark = pytest.mark.slow


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project with our settings, our conftest.py and a few tests of several tiers."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # each costs a second a run
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p pytest_timeout -p xdist.plugin")
    # Not called `tests`: this process has a module tests.conftest already.
    settings = (ROOT / "pyproject.toml").read_text().replace('["tests"]', '["suite"]')
    (pytester.path / "pyproject.toml").write_text(settings)
    shutil.copy(ROOT / "tests/conftest.py", pytester.mkdir("suite"))
    for folder in ("judge", "train"):
        pytester.mkdir(f"suite/{folder}")
    (pytester.path / "suite/judge/test_mixed.py").write_text(MIXED)
    (pytester.path / "suite/train/test_loop.py").write_text(
        "import pytest\ndef test_step(): pass\n@pytest.mark.slow\ndef test_run(): pass\n"
    )
    return pytester


def collected(suite: pytest.Pytester, *arguments: str) -> set[str]:
    """The names of the tests that would run."""
    result = suite.runpytest("--collect-only", "-q", *arguments)
    return {line.rpartition("::test_")[2] for line in result.outlines if "::test_" in line}


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        ("", set()),
        ("slow", {"slow"}),
        ("not slow", set()),
        ("slow and not long", {"slow"}),
        ("slow or (attacks and not sandbox)", {"slow", "attacks"}),
        ("not (slow or long)", set()),
        ("not (slow and not long)", {"long"}),
        ("timeout(method='thread') or ray", {"timeout", "ray"}),
        ("slow or", set()),
    ],
)
def test_a_marker_counts_as_named_outside_not_only(expression: str, names: set[str]) -> None:
    assert named_markers(expression) == names


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ([], "unit"),
        (["suite"], "unit"),
        (["."], "unit"),
        (["-m", ""], "unit"),
        (["-m", "not attacks"], "unit"),
        (["-m", "not slow and not long"], "unit"),
        (["-m", "slow"], "slow attack run"),
        (["-m", "slow and not train"], "slow attack"),
        (["-m", "attacks"], "attack"),
        (["-m", "train"], "step run"),
        (["-m", "train and not slow"], "step"),
        (["-m", "not long or slow"], "unit slow attack run"),
        (["-m", ALL_OF_CI], "sandbox slow attack step run"),
        (["-m", "long"], "long"),
        (["-m", "long or attacks"], "attack long"),
        (["-m", "long and parity"], "two"),
        (["suite/train"], "step run"),
        (["suite/judge"], "unit sandbox slow attack"),
        (["suite/judge/test_mixed.py"], "unit sandbox slow attack"),
        (["suite/judge", "-m", "sandbox"], "sandbox"),
        (["suite/judge", "-m", "not slow"], "unit sandbox"),
        (["suite/judge/test_mixed.py::test_long"], "long"),
        (["suite/judge/test_mixed.py::test_slow", "suite"], "unit slow"),
        (["-k", "slow"], ""),
    ],
)  # fmt: skip
def test_a_tier_runs_where_it_is_named(
    suite: pytest.Pytester, arguments: list[str], names: str
) -> None:
    assert collected(suite, *arguments) == set(names.split())


def test_of_a_sampled_test_the_default_tier_runs_every_nth_parameter(
    suite: pytest.Pytester,
) -> None:
    (suite.path / "suite/judge/test_mixed.py").write_text(
        "import pytest\n@pytest.mark.sampled(3, 'slow')\n"
        "@pytest.mark.parametrize('n', range(7))\ndef test_of(n): pass\n"
    )
    assert collected(suite) == {"of[0]", "of[3]", "of[6]"}
    assert collected(suite, "-m", "slow and not train") == {"of[1]", "of[2]", "of[4]", "of[5]"}


def test_every_tier_is_a_declared_marker(pytestconfig: pytest.Config) -> None:
    declared = {line.partition(":")[0] for line in pytestconfig.getini("markers")}
    assert declared >= {*CI_TIERS, *ON_REQUEST}


@pytest.mark.parametrize("workers", ["0", "2"])
def test_what_is_left_out_is_one_line(suite: pytest.Pytester, workers: str) -> None:
    result = suite.runpytest_subprocess("-n", workers)
    result.assert_outcomes(passed=1, deselected=0 if workers == "2" else 7)
    lines = [line for line in result.outlines if line.startswith("left out: ")]
    assert [line.partition(";")[0] for line in lines] == [
        "left out: 1 attacks, 2 long, 1 sandbox, 1 slow, 2 train"
    ]


@pytest.mark.slow
def test_a_test_has_a_time_limit_and_a_slow_one_a_larger(suite: pytest.Pytester) -> None:
    (suite.path / "suite/judge/test_mixed.py").write_text(
        "import time, pytest\n"
        "def test_usual(): time.sleep(1)\n"
        "@pytest.mark.slow\ndef test_slow(): time.sleep(1)\n"
        "@pytest.mark.slow\n@pytest.mark.timeout(0.3)\ndef test_its_limit(): time.sleep(1)\n"
    )
    result = suite.runpytest_subprocess("-o", "timeout=0.3", "suite/judge")
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["FAILED *test_usual*Timeout*", "FAILED *test_its_limit*Timeout*"])


def test_no_other_test_runs_beside_a_timed_one(suite: pytest.Pytester) -> None:
    (suite.path / "suite/judge/test_mixed.py").write_text(
        "import time, pytest\nfrom pathlib import Path\n"
        "def span(name):\n"
        "    start = time.monotonic()\n"
        "    time.sleep(0.05)\n"
        "    Path(name).write_text(f'{start} {time.monotonic()}')\n"
        "@pytest.mark.timed\n@pytest.mark.parametrize('n', range(6))\n"
        "def test_timed(n): span(f'timed{n}.span')\n"
        "@pytest.mark.parametrize('n', range(30))\n"
        "def test_usual(n): span(f'usual{n}.span')\n"
    )
    suite.runpytest_subprocess("-n", "3", "suite/judge").assert_outcomes(passed=36)
    spans = {
        path.stem: tuple(map(float, path.read_text().split())) for path in suite.path.glob("*.span")
    }
    assert len(spans) == 36
    overlaps = [
        (timed, other)
        for timed in spans
        for other in spans
        if timed.startswith("timed")
        and other != timed
        and spans[timed][0] < spans[other][1]
        and spans[other][0] < spans[timed][1]
    ]
    assert overlaps == []
