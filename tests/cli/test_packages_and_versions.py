"""What a result says of the programs and packages that it was made with."""

from __future__ import annotations

import json
import platform
from importlib import metadata
from pathlib import Path

import pytest

from microcoder_eval import Judge
from microcoder_eval.results.lines import judgement_from_line, judgement_to_line
from microcoder_sandbox.toolchains.toolchain import find_toolchain, how_to_install
from tests.commands import run
from tests.files import read_jsonl, write_jsonl

PROBLEM = {"problem_id": "p", "tests": [{"input": "", "output": "1\n"}] * 2}
PROGRAMS = {
    "missing": "import nosuchpackage\nprint(1)",
    "missing too": "def f():\n    from nosuchpackage.part import g\nf()",
    "not allowed": "import pytest\nprint(1)",
    "caught": "try:\n    import nosuchpackage\nexcept ImportError:\n    print(1)",
    "right": "print(1)",
}


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, ...]:
    """The solutions, the tests, and where the results go."""
    solutions = [
        {"problem_id": "p", "solution_id": name, "code": code} for name, code in PROGRAMS.items()
    ]
    programs = write_jsonl(tmp_path / "solutions.jsonl", *solutions)
    tests = write_jsonl(tmp_path / "tests.jsonl", PROBLEM)
    return (str(programs), "--tests", str(tests), "-o", str(tmp_path / "out.jsonl"))


def test_an_allowed_package_that_is_not_installed_is_told(files: tuple[str, ...]) -> None:
    result = run(*files, "--packages", "numpy, nosuchpackage other", "--workers", "1")
    assert result.returncode == 0, result.stderr
    summary = " ".join(result.stdout.split())
    assert "2 programs failed to import nosuchpackage: not installed here" in summary
    assert "pip install nosuchpackage" in summary
    flags = {line["solution_id"]: line["flags"] for line in read_jsonl(Path(files[-1]))}
    flagged = [name for name in PROGRAMS if flags[name] == ["missing_package:nosuchpackage"]]
    assert flagged == ["missing", "missing too"]


def test_results_name_what_the_programs_ran_with(files: tuple[str, ...]) -> None:
    assert run(*files, "--workers", "1").returncode == 0
    assert [line["versions"] for line in read_jsonl(Path(files[-1]))] == len(PROGRAMS) * [
        {
            "Python": platform.python_version(),
            "numpy": metadata.version("numpy"),
            "sortedcontainers": metadata.version("sortedcontainers"),
        }
    ]


def test_results_name_the_compiler() -> None:
    toolchain = find_toolchain("gcc")
    if toolchain is None:
        pytest.skip(f"this machine has no toolchain for it: {how_to_install('gcc')}")
    with Judge(workers=1) as judge:
        judgement = judge.judge({"code": "int main(void) {}"}, PROBLEM, language="c")
    assert judgement.versions == {"gcc": toolchain.version.removeprefix("gcc ")}
    assert judgement_from_line(judgement_to_line(judgement)) == judgement


def test_results_of_an_older_version_are_resumed(files: tuple[str, ...]) -> None:
    assert run(*files, "--workers", "1").returncode == 0
    lines = read_jsonl(Path(files[-1]))
    for line in lines:
        del line["versions"]
    older = write_jsonl(Path(files[-1]), *lines).read_text()
    resumed = run(*files, "--workers", "1", "--resume", "--json")
    assert json.loads(resumed.stdout)["resumed"] == len(PROGRAMS)
    assert Path(files[-1]).read_text() == older
