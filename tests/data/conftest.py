"""What the tests of the dataset pipeline share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.execution import RunConfig, run_stage
from microcoder_data.stage import Stage
from tests.data.lines import Row, read, write


@pytest.fixture(autouse=True)
def _the_extra_data() -> None:
    for name in (
        "bs4", "ftfy", "markdownify", "py3langid", "pyarrow", "yaml",
    ):  # fmt: skip
        pytest.importorskip(name, reason=f"{name} is missing: pip install '.[data]'")


Ran = tuple[list[Row], dict[str, str], Row]


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Ran]:
    """Runs a stage on rows: (rows kept, reason by name of those dropped, manifest)."""

    def act(stage: Stage, *rows: Any, **options: Any) -> Ran:
        source = write(tmp_path / "in.jsonl", list(rows))
        out = tmp_path / f"{stage.name}.jsonl"
        manifest = run_stage(stage, RunConfig([str(source)], str(out), force=True, **options))
        dropped = read(tmp_path / f"{stage.name}.dropped.jsonl")
        return read(out), {str(one["problem_id"]): one["reason"] for one in dropped}, manifest

    return act
