"""What the tests of the dataset pipeline share."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.cli import main
from microcoder_data.execution import RunConfig, run_stage
from microcoder_data.stage import Stage
from tests.commands import command_fixture
from tests.data.lines import Ran, Run, read, write
from tests.data.model import Model
from tests.judges import SharedJudge


@pytest.fixture(autouse=True)
def _the_extra_data() -> None:
    for name in (
        "bs4", "ftfy", "markdownify", "py3langid", "pyarrow", "yaml",
    ):  # fmt: skip
        pytest.importorskip(name, reason=f"{name} is missing: pip install '.[data]'")


@pytest.fixture(autouse=True)
def _shared_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("verify.program_stage", "cli.check"):
        monkeypatch.setattr(f"microcoder_data.{module}.Judge", SharedJudge)


command = command_fixture(main)


@pytest.fixture
def model() -> Iterator[tuple[type[Model], str]]:
    """(handler to script, address)."""
    state = {"headers_sent": {}, "asked": [], "together": 0, "most_together": 0}
    handler = type("Handler", (Model,), {**state, "lock": threading.Lock()})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield handler, f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs a stage on rows: (rows kept, reason by name of those dropped, manifest)."""

    def act(stage: Stage, *rows: Any, **options: Any) -> Ran:
        source = write(tmp_path / "in.jsonl", list(rows))
        out = tmp_path / f"{stage.name}.jsonl"
        run_stage(stage, RunConfig([str(source)], str(out), force=True, **options))
        manifest = json.loads((tmp_path / f"{stage.name}.manifest.json").read_text())
        dropped = read(tmp_path / f"{stage.name}.dropped.jsonl")
        return read(out), {str(one["problem_id"]): one["reason"] for one in dropped}, manifest

    return act
