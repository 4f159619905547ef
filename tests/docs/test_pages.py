"""What README.md and docs/ show is run as it stands, in a folder of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from microcoder_eval.cli.parser import completion_parsers
from tests.commands import ENVIRONMENT
from tests.docs.blocks import Block, blocks, pages
from tests.files import ROOT, write_jsonl

EVERY = [block for page in pages() for block in blocks(page)]
SECONDS = 600
PROGRAMS = {
    "microcoder-eval": "microcoder_eval.cli",
    "microcoder-data": "microcoder_data.cli",
    "microcoder-train": "microcoder_train.cli",
}
# What the text before a block speaks of, but no block makes.
GIVEN = {
    "README.md": """
problem = {"problem_id": "sum", "tests": [{"input": "3\\n1 2 3\\n", "output": "6\\n"}]}
solution = {"code": "input()\\nprint(sum(map(int, input().split())))"}
answer = "So:\\n```python\\nprint(6)\\n```"
pairs = [(solution, problem), ({"code": "print(7)"}, problem)]
rewards = [None, None]
"""
}
TESTS = [
    {"problem_id": "sum", "tests": [{"input": "1 2\n", "output": "3\n"}]},
    {"problem_id": "add", "entry_point": "add", "tests": [{"input": [1, 2], "output": 3}]},
]
SOLUTIONS = [
    {"problem_id": "sum", "code": "print(sum(map(int, input().split())))"},
    {"problem_id": "sum", "code": "print(4)"},
    {"problem_id": "add", "code": "def add(a, b):\n    return a + b"},
]
RECIPE = '[run]\ninputs = ["raw/"]\noutput = "made.jsonl"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a page is tried: the files that pages speak of, and the commands on the path."""
    place = tmp_path / "place"
    (place / "raw").mkdir(parents=True)
    write_jsonl(place / "tests.jsonl", *TESTS)
    write_jsonl(place / "solutions.jsonl", *SOLUTIONS)
    samples = (ROOT / "datasets/samples/tests.jsonl").read_text(encoding="utf-8").splitlines(True)
    (place / "raw/problems.jsonl").write_text("".join(samples[:3]), encoding="utf-8")
    (place / "evaluation.jsonl").write_text(samples[-1], encoding="utf-8")
    (place / "recipe.toml").write_text(RECIPE)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python3").symlink_to(sys.executable)
    for name, module in PROGRAMS.items():
        script = tmp_path / "bin" / name
        called = 'if __name__ == "__main__":\n    run_console_script()\n'  # as pip writes it
        script.write_text(f"#!{sys.executable}\nfrom {module} import run_console_script\n{called}")
        script.chmod(0o755)
    return place


def _run(words: list[str], folder: Path, what: str) -> str:
    """Return all it says. Raises AssertionError with that when it fails."""
    environment = {**ENVIRONMENT, "PATH": f"{folder.parent / 'bin'}:{os.environ['PATH']}"}
    result = subprocess.run(
        words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, timeout=SECONDS,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, f"{what}: exit {result.returncode}\n{result.stdout}"
    return result.stdout


def _play(some: list[Block], folder: Path) -> None:
    """Shell blocks and data in their order, then what Python there is, in one process."""
    for block in some:
        if block.language == "bash":
            _run(["bash", "-euo", "pipefail", "-c", block.text], folder, block.place)
        elif block.language == "json":
            shown = folder / "shown.jsonl"
            shown.write_text(block.text)
            convert = ["microcoder-eval", "convert", str(shown), "--to", "native", "-o"]
            _run([*convert, str(folder / "read.jsonl")], folder, block.place)
        elif block.language == "toml":
            tomllib.loads(block.text)
        elif block.language == "yaml":
            pytest.importorskip("yaml", reason=f"{block.place} is YAML").safe_load(block.text)
    python = [block for block in some if block.language == "python"]
    if python:
        given = {"page": "given", "line": 1, "text": GIVEN.get(python[0].page, "")}
        parts = [given, *({"page": b.page, "line": b.line, "text": b.text} for b in python)]
        (folder / "blocks.json").write_text(json.dumps(parts))
        player = str(Path(__file__).with_name("play.py"))
        _run([sys.executable, player, "blocks.json"], folder, python[0].page)


def _list_blocks(mark: str) -> list[Block]:
    return [block for block in EVERY if block.mark == mark]


@pytest.mark.slow
@pytest.mark.parametrize("page", sorted({block.page for block in _list_blocks("")}))
def test_what_a_page_shows_runs(page: str, folder: Path) -> None:
    _play([block for block in blocks(page) if not block.mark], folder)


@pytest.mark.slow
@pytest.mark.parametrize("block", _list_blocks("printed"), ids=lambda block: block.place)
def test_what_a_page_says_a_command_prints_is_what_it_prints(block: Block, folder: Path) -> None:
    before = [b for b in blocks(block.page) if b.language == "bash" and b.line < block.line][-1]
    if before.mark == "ci" and "PRINTED" in os.environ:  # by .ci/run, which has run it
        output = Path(os.environ["PRINTED"], f"{before.why}.txt").read_text(encoding="utf-8")
    else:
        (folder / "datasets").symlink_to(ROOT / "datasets")
        lines = [line for line in before.text.splitlines() if "pip install" not in line]
        script = "\n".join(lines).replace(".venv/bin/", "")
        output = _run(["bash", "-euo", "pipefail", "-c", script], folder, before.place)
    assert _mask_times(block.text).strip() in _mask_times(output)


def _mask_times(text: str) -> str:
    """Return the text without spaces at line ends, and without times and what the machine has."""
    times = re.compile(r"^(took) .*|^(time lost to TLE +)[\d.]+ s")
    lines = (times.sub(r"\1\2", line) for line in text.splitlines())
    return "\n".join(line.rstrip() for line in lines)


@pytest.mark.long
@pytest.mark.parametrize("block", _list_blocks("long"), ids=lambda block: block.place)
def test_what_takes_minutes_runs(block: Block, folder: Path) -> None:
    _play([block], folder)


def test_what_cannot_run_here_says_why() -> None:
    assert [block.place for block in _list_blocks("not run") if len(block.why.split()) <= 3] == []


def test_what_other_tests_run_is_known_to_them() -> None:
    for block in _list_blocks("run by"):
        assert Path(block.page).name in (ROOT / block.why).read_text(encoding="utf-8"), block.place


def test_what_ci_runs_is_known_to_it() -> None:
    steps = re.search(r"^for name in (.*); do$", (ROOT / ".ci/run").read_text(), re.MULTILINE)
    assert steps is not None
    assert {block.why for block in _list_blocks("ci")} == {*steps[1].split()}


def test_verbs_and_options_of_a_usage_exist() -> None:
    parsers = completion_parsers()
    texts = "".join(block.text for block in _list_blocks("usage"))
    lines = [line.split() for line in texts.splitlines() if line.startswith("microcoder-eval")]
    assert lines
    for words in lines:
        parser = parsers.get(words[1]) or parsers[""]
        known = {flag for option in parser.arguments for flag in option.option_strings}
        named = {match for word in words for match in re.findall(r"^\[?(-[a-z-]+)\]?$", word)}
        assert named <= known, words


def test_every_block_says_what_it_is() -> None:
    known = {"bash", "python", "json", "yaml", "toml"}
    assert [b.place for b in EVERY if not b.mark and b.language not in known] == []
