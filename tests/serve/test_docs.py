"""docs/serve.md says what is so: its commands are run as they stand."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from tests.files import ROOT
from tests.serve.conftest import SECONDS, Server

PAGE = (ROOT / "docs" / "serve.md").read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("curl") is None, reason="the page's examples are curl's")
def test_the_examples_of_the_page_are_answered(server: Server) -> None:
    block = PAGE.partition("```bash\ncurl")[2].partition("```")[0]
    block = f"curl{block}"
    commands = block.replace("localhost:8080", f"127.0.0.1:{server.port}").split("\n\n")
    outputs = [
        subprocess.run(
            ["bash", "-c", command], capture_output=True, text=True, timeout=SECONDS, check=True
        ).stdout
        for command in commands
    ]
    ran, judged, batch = outputs
    assert json.loads(ran)["run_result"]["stdout"] == "cba\n"
    assert json.loads(judged)["reward"] == 1.0
    rewards = [json.loads(line)["reward"] for line in batch.splitlines()]
    assert sorted(rewards) == [0.0, 1.0]


def test_every_endpoint_and_metric_is_on_the_page(server: Server) -> None:
    assert [path for path in server.get("/openapi.json").json["paths"] if path not in PAGE] == []
    text = server.get("/metrics").content.decode()
    names = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE microcoder")}
    names = {name for name in names if not name.endswith("_created")}
    assert [n for n in names if n not in PAGE and not n.startswith("microcoder_process_")] == []
