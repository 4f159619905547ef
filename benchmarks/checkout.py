"""This checkout, which every benchmark measures, and environments for its peers."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent
ENVIRONMENTS = HERE / ".envs"
# Whoever imports this module measures this checkout.
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "sandbox")]


class BenchmarkError(RuntimeError):
    """A run without valid figures: it failed, hung or gave wrong verdicts."""


def run_script(main: Callable[[], int]) -> NoReturn:
    """End as ``main`` says, or with the name of the script and what went wrong."""
    try:
        sys.exit(main())
    except BenchmarkError as error:
        sys.exit(f"{Path(sys.argv[0]).name}: {error}")


def read_table(script: str) -> dict[str, Any]:
    """The table beside a script, where programs stand as programs."""
    return tomllib.loads(Path(script).with_suffix(".toml").read_text(encoding="utf-8"))


def read_commit() -> str:
    """Return the commit of the working tree, with "+" if it was changed; "unknown" without git."""
    command = ("git", "-C", str(REPOSITORY), "describe", "--always", "--dirty=+", "--abbrev=12")
    return subprocess.run(command, capture_output=True, text=True).stdout.strip() or "unknown"


def read_versions(python: str, names: Sequence[str]) -> dict[str, str]:
    """Return the versions of installed packages for the interpreter ``python``."""
    code = (
        "import importlib.metadata as m, json, sys\n"
        "print(json.dumps({d.name: d.version for d in m.distributions() if d.name in sys.argv}))"
    )
    process = subprocess.run(
        [python, "-c", code, *names], capture_output=True, text=True, check=True, timeout=60
    )
    return dict(json.loads(process.stdout))


def make_environment(name: str, requirements: Sequence[str], *pip_options: str) -> str:
    """The Python of a virtual environment under .envs/, made on first use.

    A peer gets an environment of its own, so that its pins are never ours. Raises
    BenchmarkError when the packages cannot be had (no network, for instance).
    """
    folder = ENVIRONMENTS / name
    python, marker = folder / "bin" / "python", folder / "complete"
    contents = "\n".join([*requirements, *pip_options])
    if marker.exists() and marker.read_text() == contents:
        return str(python)
    print(f"making {folder.relative_to(REPOSITORY)} ...", file=sys.stderr)
    steps = (
        [sys.executable, "-m", "venv", "--clear", str(folder)],
        [str(python), "-m", "pip", "install", "-q", *pip_options, *requirements],
    )
    for step in steps:
        ended = subprocess.run(step, capture_output=True, text=True, timeout=600)
        if ended.returncode != 0:
            raise BenchmarkError(f"cannot make the environment {name}: {ended.stderr[-400:]}")
    marker.write_text(contents)
    return str(python)
