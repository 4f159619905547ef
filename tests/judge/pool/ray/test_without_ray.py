"""Where Ray is not installed, or might as well not be: these run everywhere."""

from __future__ import annotations

import subprocess
import sys
import tomllib

from microcoder_eval.pool.ray import cluster as ray_cluster
from tests.commands import execute
from tests.files import ROOT, SAMPLES

WITHOUT = "import sys; sys.modules['ray'] = None; "


def python(code: str) -> subprocess.CompletedProcess[str]:
    return execute([sys.executable, "-c", code])


def test_the_command_says_what_to_install_and_ends_with_3() -> None:
    words = [str(SAMPLES / "solutions.jsonl"), "--tests", str(SAMPLES / "tests.jsonl")]
    words += ["--engine", "ray"]
    code = f"from microcoder_eval.cli import main; sys.exit(main({words!r}))"
    result = python(WITHOUT + code)
    assert result.returncode == 3
    assert f'pip install "{ray_cluster.REQUIREMENT}"' in result.stderr
    assert "Traceback" not in result.stderr


def test_what_is_to_be_installed_is_what_the_extra_installs() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert extras["optional-dependencies"]["ray"] == [ray_cluster.REQUIREMENT]


def test_the_local_engine_never_imports_ray() -> None:
    code = "import sys\nfrom microcoder_eval import judge\n"
    code += "print(judge('print(1)', [{'input': '', 'output': '1'}]).verdict)\n"
    code += "print([m for m in sys.modules if m.split('.')[0] == 'ray' or '.pool.ray' in m])"
    assert python(code).stdout == "AC\n[]\n"
