"""Verdicts as lines of a file, and how two such files differ."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from microcoder_eval import Judgement


def verdict_line(name: str, judgement: Judgement) -> str:
    """What must not shift: no times, no texts."""
    return json.dumps(
        {
            "pair": name,
            "verdict": str(judgement.verdict),
            "status": str(judgement.status),
            "flags": list(judgement.flags),
            "tests": [
                " ".join(filter(None, (str(test.verdict), test.matched_by)))
                if test.verdict
                else None
                for test in judgement.tests
            ],
        },
        ensure_ascii=False,
    )


def read_lines(file: Path) -> dict[str, str]:
    """The lines of a file by the name of their pair."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return {json.loads(line)["pair"]: line for line in lines}


def write_lines(file: Path, lines: Iterable[str]) -> None:
    """Write the file, whole or not at all."""
    scratch = file.with_name(f"{file.name}.part")
    scratch.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    os.replace(scratch, file)


def shifts(expected: Mapping[str, str], actual: Mapping[str, str]) -> list[str]:
    """A readable line for each pair whose line differs."""
    return [
        f"{name}: {_difference(expected.get(name), actual.get(name))}"
        for name in [*expected, *(name for name in actual if name not in expected)]
        if expected.get(name) != actual.get(name)
    ]


def _difference(expected: str | None, actual: str | None) -> str:
    if expected is None:
        return f"is new: {actual}"
    if actual is None:
        return "no such pair any more"
    before, after = json.loads(expected), json.loads(actual)
    return "; ".join(
        f"{key} was {_brief(before[key])}, is {_brief(after[key])}"
        for key in before
        if before[key] != after[key]
    )


def _brief(value: Any) -> str:
    return ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)
