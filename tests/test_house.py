"""The house rules that a machine can check: imports, folders, import cost, bundled samples.

See design.md section 1 for the layers: train -> eval -> sandbox, and never upwards.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import Judge
from microcoder_eval.settings import JudgeOptions

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {
    "microcoder_sandbox": ROOT / "sandbox" / "microcoder_sandbox",
    "microcoder_eval": ROOT / "microcoder_eval",
    "microcoder_train": ROOT / "microcoder_train",
}
# Which of our packages each may import; a package may always import itself.
BELOW = {
    "microcoder_sandbox": set(),
    "microcoder_eval": {"microcoder_sandbox"},
    "microcoder_train": {"microcoder_eval", "microcoder_sandbox"},
}
# The one import of the cage that is not standard library: a fork server that was told to lend
# numpy to programs seeds its generator anew after a fork. Any other needs a reason as good.
LENT = {("sandbox/microcoder_sandbox/server.py", "numpy")}
# What importing the judge must not pull in: each of these alone costs more than it may (100 ms
# in all), starts threads, or is only needed by the command line.
HEAVY = {"pydantic", "numpy", "rich", "torch", "asyncio", "multiprocessing", "psutil", "zstandard"}
STACKS = {"trl", "verl", "verifiers", "lm_eval", "inspect_ai", "openrlhf"}
# OpenRLHF's rewards are tensors.
WANTS_TENSORS = {"microcoder_eval/integrations/openrlhf.py"}
VERDICTS = {"AC", "WA", "TLE", "MLE", "OLE", "RE", "CE", "JE"}
SAMPLES = ROOT / "datasets" / "samples"


def imports_of(file: Path) -> Iterator[tuple[int, str]]:
    """(line, top-level package) of each import statement, wherever it stands in the file."""
    for node in ast.walk(ast.parse(file.read_bytes(), str(file))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module.partition(".")[0]


def imports_in(package: str) -> list[tuple[str, str]]:
    """("file:line", top-level package) of every import in a package's files."""
    found = [
        (f"{file.relative_to(ROOT)}:{line}", name)
        for file in sorted(PACKAGES[package].rglob("*.py"))
        for line, name in imports_of(file)
    ]
    assert found, f"no import found in {package}: is the folder where this test looks?"
    return found


def tree() -> Iterator[Path]:
    """Folders of the repository but for hidden ones, builds and virtual environments."""
    for name, below, files in os.walk(ROOT):
        if "pyvenv.cfg" in files:
            below.clear()
            continue
        below[:] = [child for child in below if not child.startswith(".") and child != "build"]
        yield Path(name)


@pytest.mark.parametrize("package", [name for name in PACKAGES if name != "microcoder_train"])
def test_imports_point_down_only(package: str) -> None:
    above = set(PACKAGES) - BELOW[package] - {package}
    assert [use for use in imports_in(package) if use[1] in above] == []


def test_the_cage_imports_the_standard_library_only() -> None:
    allowed = sys.stdlib_module_names | {"microcoder_sandbox"}
    uses = {(place.partition(":")[0], name) for place, name in imports_in("microcoder_sandbox")}
    assert {use for use in uses - LENT if use[1] not in allowed} == set()


def test_the_judge_never_imports_torch() -> None:
    uses = [use for use in imports_in("microcoder_eval") if use[1] == "torch"]
    assert {place.partition(":")[0] for place, _ in uses} == WANTS_TENSORS


def test_other_stacks_are_imported_by_their_own_adapter_only() -> None:
    uses = [use for use in imports_in("microcoder_eval") if use[1] in STACKS]
    own = [(f"microcoder_eval/integrations/{name}.py", name) for _, name in uses]
    assert [(place.partition(":")[0], name) for place, name in uses] == own


def test_only_its_users_import_an_adapter() -> None:
    ours = [file for name in PACKAGES for file in PACKAGES[name].rglob("*.py")]
    text = "integrations"
    assert [
        str(file.relative_to(ROOT))
        for file in ours
        if file.parent.name != text and text in file.read_text(encoding="utf-8")
    ] == []


def test_nobody_imports_the_source_root_as_a_package() -> None:
    files = [file for folder in tree() for file in folder.glob("*.py")]
    assert files
    wrong = [
        (str(file), line) for file in files for line, name in imports_of(file) if name == "sandbox"
    ]
    assert wrong == []


def test_datasets_holds_data_only() -> None:
    files = [file for file in (ROOT / "datasets").rglob("*") if file.is_file()]
    assert files
    assert [file for file in files if file.suffix in {".py", ".pyi", ".pyc", ".so"}] == []


def test_no_package_is_called_datasets_or_sandbox() -> None:
    folders = [folder for folder in tree() if folder.name in {"datasets", "sandbox"}]
    assert {ROOT / "datasets", ROOT / "sandbox"} <= set(folders)
    assert [folder for folder in folders if (folder / "__init__.py").exists()] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_the_package_says_that_it_is_typed(package: str) -> None:
    assert (PACKAGES[package] / "py.typed").is_file()


def fresh_interpreter(code: str) -> Any:
    """What ``code`` prints as JSON in a new interpreter that finds this checkout first."""
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'sandbox'}"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=ROOT,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_importing_the_judge_loads_nothing_heavy_and_starts_nothing() -> None:
    # The difference, since .pth files of the environment may load modules before us.
    code = (
        "import json, sys, threading\n"
        "before = set(sys.modules)\n"
        "import microcoder_eval\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(json.dumps([sorted(new), threading.active_count()]))"
    )
    loaded, threads = fresh_interpreter(code)
    assert "microcoder_eval" in loaded
    assert HEAVY & set(loaded) == set()
    assert threads == 1


def test_public_names_are_sorted_and_can_be_imported() -> None:
    # In a fresh interpreter: names are lazy, and a test before this one may have made them.
    code = (
        "import json, microcoder_eval as package\n"
        "names = list(package.__all__)\n"
        "missing = [name for name in names if not hasattr(package, name)]\n"
        "print(json.dumps([names, missing]))"
    )
    names, missing = fresh_interpreter(code)
    assert names
    assert names == sorted(set(names))
    assert missing == []


def test_judge_takes_the_keywords_of_the_pool() -> None:
    taken = list(inspect.signature(Judge).parameters)
    assert sorted(JudgeOptions.__annotations__) == sorted(taken)


def sample_lines(name: str) -> list[dict[str, Any]]:
    with (SAMPLES / name).open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def test_sample_problems_are_complete_and_of_every_kind() -> None:
    problems = sample_lines("tests.jsonl")
    ids = [problem["problem_id"] for problem in problems]
    assert len(ids) == len(set(ids)) >= 12
    assert {problem["kind"] for problem in problems} == {"stdin", "call", "assert"}
    for problem in problems:
        assert problem["statement"], problem["problem_id"]
        assert problem["difficulty"], problem["problem_id"]
        assert problem["platform"] == "microcoder-samples", problem["problem_id"]
        if problem["kind"] == "assert":
            assert "assert " in problem["test_code"], problem["problem_id"]
        else:
            assert problem["tests"], problem["problem_id"]
            assert all(test.keys() == {"input", "output"} for test in problem["tests"])


def test_sample_solutions_name_their_problem_and_their_verdict() -> None:
    known = {problem["problem_id"] for problem in sample_lines("tests.jsonl")}
    solutions = sample_lines("solutions.jsonl")
    ids = Counter((line["problem_id"], line["solution_id"]) for line in solutions)
    assert [key for key, count in ids.items() if count > 1] == []
    assert {line["problem_id"] for line in solutions} == known
    for line in solutions:
        assert ("code" in line) != ("response" in line), line["solution_id"]
    # All letters but JE: a judge that fails on its own samples is no sample.
    assert {line["expected_verdict"] for line in solutions} == VERDICTS - {"JE"}
