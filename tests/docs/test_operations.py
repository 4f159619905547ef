"""The files of examples/operations are valid, and name what the server has."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval.cli.parser import make_parser
from tests.files import ROOT

FOLDER = ROOT / "examples/operations"
UNIT = (FOLDER / "microcoder.service").read_text(encoding="utf-8")
METRIC = re.compile(r"microcoder_\w+")
USER = 65532  # of Containerfile


def read_yaml(name: str) -> list[dict[str, Any]]:
    yaml = pytest.importorskip("yaml")
    return list(yaml.safe_load_all((FOLDER / name).read_text(encoding="utf-8")))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / "microcoder.service"
    unit.write_text(UNIT.replace("/opt/microcoder/bin/microcoder-eval", shutil.which("true") or ""))
    result = subprocess.run(
        ["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stderr) == (0, "")


def test_every_option_of_a_command_exists() -> None:
    known = set(make_parser("serve")._option_string_actions)
    command = re.search(r"^ExecStart=(.*)$", UNIT, re.MULTILINE)
    assert command is not None
    judge = read_yaml("compose.yaml")[0]["services"]["judge"]
    pod = read_yaml("kubernetes.yaml")[0]["spec"]["template"]["spec"]
    words = [*command[1].split(), *judge["command"], *pod["containers"][0]["args"]]
    assert {word for word in words if word.startswith("--")} <= known


def test_every_stop_waits_longer_than_the_server_takes() -> None:
    grace = make_parser("serve").parse_args([]).grace
    stop = re.search(r"^TimeoutStopSec=(\d+)$", UNIT, re.MULTILINE)
    assert stop is not None
    judge = read_yaml("compose.yaml")[0]["services"]["judge"]
    pod = read_yaml("kubernetes.yaml")[0]["spec"]["template"]["spec"]
    assert int(stop[1]) > grace
    assert int(judge["stop_grace_period"].removesuffix("s")) > grace
    assert pod["terminationGracePeriodSeconds"] > grace


def test_the_pod_keeps_to_the_restricted_standard() -> None:
    pod = read_yaml("kubernetes.yaml")[0]["spec"]["template"]["spec"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] == USER
    assert pod["securityContext"]["seccompProfile"]["type"] == "RuntimeDefault"
    rights = pod["containers"][0]["securityContext"]
    assert rights["allowPrivilegeEscalation"] is False
    assert rights["capabilities"]["drop"] == ["ALL"]


@pytest.mark.skipif(
    importlib.util.find_spec("kubernetes_validate") is None,
    reason="pip install kubernetes-validate",
)
def test_the_manifests_fit_the_schema_of_kubernetes() -> None:
    command = [sys.executable, "-m", "kubernetes_validate", "--strict"]
    subprocess.run([*command, FOLDER / "kubernetes.yaml"], check=True)


def test_the_board_shows_metrics_that_the_server_has() -> None:
    board = json.loads((FOLDER / "grafana.json").read_text(encoding="utf-8"))
    expressions = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    board_metrics = {
        re.sub(r"_(bucket|count|sum)$", "", name)
        for text in expressions
        for name in METRIC.findall(text)
    }
    page = (ROOT / "docs/serve.md").read_text(encoding="utf-8")  # tests/serve compares it
    page_metrics = set(METRIC.findall(page)) | {"microcoder_process_resident_memory_bytes"}
    assert len(board_metrics) > 8
    assert board_metrics <= page_metrics
