"""What the formats' own judges make of the packages in tests/packages (README.md there)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PACKAGES = Path(__file__).resolve().parents[2] / "packages"
VERDICTS = {"RTE": "RE"}


def list_expected() -> Iterator[tuple[str, dict[str, Any]]]:
    """(path below tests/packages, expectation) of each package, those of trees, too."""
    for file in sorted((PACKAGES / "expected").glob("*.json")):
        expected = json.loads(file.read_text())
        problems = expected.get("problems", {})
        yield from ((f"{file.stem}/{name}", problem) for name, problem in problems.items())
        if not problems:
            yield file.stem, expected


EXPECTED = dict(list_expected())
READ = [name for name, expected in EXPECTED.items() if expected["outcome"] == "read"]
REFUSED = [name for name, expected in EXPECTED.items() if expected["outcome"] == "refused"]
