"""The wheel and the source archive, as somebody who installs them meets them."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.files import ROOT, make_once, read_jsonl, write_jsonl

PACKAGES = {"microcoder_data", "microcoder_eval", "microcoder_sandbox", "microcoder_train"}
TOOLS = ("build", "hatchling", "twine", "mypy")
SECONDS = 600
missing = [name for name in TOOLS if importlib.util.find_spec(name) is None]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)} (extra dev)"),
]


def ask(*words: object, cwd: Path) -> str:
    """What a command prints. Raises AssertionError when it fails."""
    variables = ("PYTHONPATH", "VIRTUAL_ENV", "PIP_REQUIRE_VIRTUALENV")
    result = subprocess.run(
        [str(word) for word in words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        cwd=cwd,
        env={name: value for name, value in os.environ.items() if name not in variables},
        check=False,
    )
    assert result.returncode == 0, result.stdout
    return result.stdout


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source archive and the wheel that was built out of it."""

    def make(place: Path) -> None:
        source = place / "source"
        for name in list_tracked_files():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
        build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", place / "dist"]
        ask(*build, source, cwd=place)

    return make_once(tmp_path_factory, "built", make) / "dist"


@pytest.fixture(scope="session")
def scripts(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment in which there is the wheel and what it needs."""

    def make(place: Path) -> None:
        ask(sys.executable, "-m", "venv", "--without-pip", place / "venv", cwd=place)
        pip = [sys.executable, "-m", "pip", "--python", place / "venv/bin/python"]
        ask(*pip, "install", "--quiet", next(dist.glob("*.whl")), cwd=place)

    return make_once(tmp_path_factory, "installed", make) / "venv/bin"


def list_tracked_files() -> list[str]:
    """The repository's files, as git knows them."""
    names = ask("git", "ls-files", "-z", cwd=ROOT).split("\0")
    return [name for name in names if name and (ROOT / name).is_file()]


def test_the_wheel_holds_three_packages_and_nothing_else(dist: Path) -> None:
    with zipfile.ZipFile(next(dist.glob("*.whl"))) as wheel:
        names = wheel.namelist()
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == PACKAGES
    assert {f"{package}/py.typed" for package in PACKAGES} <= set(names)
    assert [name for name in names if "/tests/" in name or name.endswith((".pyc", ".so"))] == []
    ours = {name.removeprefix("sandbox/") for name in list_tracked_files()}
    assert {name for name in ours if name.partition("/")[0] in PACKAGES} == {
        name for name in names if name.partition("/")[0] in PACKAGES
    }


def test_the_wheel_runs_everywhere(dist: Path) -> None:
    assert next(dist.glob("*.whl")).name.endswith("-py3-none-any.whl")


def test_the_source_archive_holds_what_tests_and_docs_need(dist: Path) -> None:
    with tarfile.open(next(dist.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = set(list_tracked_files())
    outside = (".ci/", ".gitignore")
    assert {name for name in wanted - names if not name.startswith(outside)} == set()
    assert names - wanted == {"PKG-INFO"}


def test_an_index_would_take_both(dist: Path) -> None:
    files = [*dist.glob("*.whl"), *dist.glob("*.tar.gz")]
    assert len(files) == 2
    output = ask(sys.executable, "-m", "twine", "check", "--strict", *files, cwd=dist)
    assert output.count("PASSED") == 2


def test_the_samples_are_judged_by_what_was_installed(scripts: Path, tmp_path: Path) -> None:
    samples = ROOT / "datasets/samples"
    # One of each verdict of a problem. Those that do not end take six seconds each.
    solutions = {
        (line["problem_id"], line["expected_verdict"]): line
        for line in read_jsonl(samples / "solutions.jsonl")
        if line["expected_verdict"] != "TLE"
    }
    write_jsonl(tmp_path / "solutions.jsonl", *solutions.values())
    ask(
        scripts / "microcoder-eval", "solutions.jsonl",
        "--tests", samples / "tests.jsonl", "-o", "results.jsonl", cwd=tmp_path,
    )  # fmt: skip
    output = ask(sys.executable, ROOT / "tests/check_samples.py", "results.jsonl", cwd=tmp_path)
    assert f"{len(solutions)} of {len(solutions)} samples as labelled" in output


def test_what_was_installed_tells_its_version(scripts: Path, tmp_path: Path) -> None:
    facts = json.loads(ask(scripts / "microcoder-eval", "doctor", "--json", cwd=tmp_path))
    for name in ("microcoder-eval", "microcoder-data", "microcoder-train"):
        assert facts["version"] in ask(scripts / name, "--version", cwd=tmp_path)


def test_an_extra_that_is_missing_is_named(scripts: Path, tmp_path: Path) -> None:
    result = subprocess.run(
        [scripts / "microcoder-train", "--preset", "tiny", "--out", "run"],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        cwd=tmp_path,
        check=False,
    )
    assert result.returncode == 2
    assert "pip install '.[train]' in the checkout" in result.stderr


def test_a_users_program_is_checked_strictly(scripts: Path, tmp_path: Path) -> None:
    shutil.copy(Path(__file__).with_name("user.py"), tmp_path)
    mypy = [sys.executable, "-m", "mypy", "--strict", "--python-executable", scripts / "python"]
    ask(*mypy, "--cache-dir", tmp_path / "cache", "user.py", cwd=tmp_path)


def test_no_hint_asks_an_index_for_a_package_that_it_has_not() -> None:
    """While MicroCoder is on no index, that name there could be anybody's."""
    folders = ["microcoder_eval", "microcoder_data", "microcoder_train", "sandbox", "docs"]
    files = [ROOT / "README.md"]
    for folder in folders:
        files += [*(ROOT / folder).rglob("*.py"), *(ROOT / folder).rglob("*.md")]
    asks = re.compile(r"microcoder\[|pip install (-\w+ )?[\"']?microcoder\b")
    assert [str(file) for file in files if asks.search(file.read_text())] == []
