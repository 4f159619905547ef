"""Tab completion: the scripts, in the shells they are for."""

from __future__ import annotations

import io
import os
import shlex
import shutil
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import lru_cache
from pathlib import Path

import pytest

import microcoder_data.cli
import microcoder_eval.cli
import microcoder_train.cli
from tests.commands import execute, run

COMMANDS = {
    "microcoder-eval": microcoder_eval.cli.main,
    "microcoder-data": microcoder_data.cli.main,
    "microcoder-train": microcoder_train.cli.main,
}


def skip_without(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")


@lru_cache
def print_script(command: str, shell: str) -> str:
    with redirect_stdout(io.StringIO()) as out, pytest.raises(SystemExit, match="0"):
        COMMANDS[command](["--print-completion", shell])
    return out.getvalue()


def complete_in_bash(folder: Path, *words: str) -> set[str]:
    """What bash offers for the last word."""
    name = words[0]
    line = (
        f"COMP_WORDS=({' '.join(repr(word) for word in words)}); COMP_CWORD={len(words) - 1}\n"
        f"_shtab_{name.replace('-', '_')}\n"
        '[[ ${#COMPREPLY[@]} == 0 ]] || printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    return run_shell(["bash", "--norc", "-u"], print_script(name, "bash") + line, folder)


def complete_in_fish(folder: Path, *words: str) -> set[str]:
    source = print_script(words[0], "fish") + f"complete -C '{' '.join(words)}'\n"
    return {said.partition("\t")[0] for said in run_shell(["fish", "--no-config"], source, folder)}


def run_shell(shell: list[str], source: str, folder: Path) -> set[str]:
    file = folder / ".script"
    file.write_text(source)
    result = execute(
        [*shell, file],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C.UTF-8"},
    )
    assert result.stderr == ""
    return set(result.stdout.splitlines())


@pytest.fixture(
    params=[
        pytest.param(complete_in_bash, marks=skip_without("bash"), id="bash"),
        pytest.param(complete_in_fish, marks=skip_without("fish"), id="fish"),
    ]
)
def complete(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., set[str]]:
    return lambda *words: request.param(tmp_path, *words)


def test_a_verb_is_completed(complete: Callable[..., set[str]]) -> None:
    assert complete("microcoder-eval", "au") == {"audit"}
    assert complete("microcoder-data", "deco") == {"decontaminate"}
    assert "probe" in complete("microcoder-train", "pr")


def test_options_are_those_of_the_verb(complete: Callable[..., set[str]]) -> None:
    assert "--resume" in complete("microcoder-eval", "--re")
    assert "--resume" not in complete("microcoder-eval", "serve", "--re")
    assert "--max-body-mb" in complete("microcoder-eval", "serve", "--max")
    assert "--against" in complete("microcoder-data", "decontaminate", "--ag")


def test_an_option_with_few_values_offers_them(complete: Callable[..., set[str]]) -> None:
    assert complete("microcoder-eval", "s.jsonl", "--stop", "") >= {"never", "first-failure"}
    assert complete("microcoder-eval", "s.jsonl", "--compare", "calib") == {"calibrated"}
    assert complete("microcoder-eval", "convert", "--format", "livec") == {"livecodebench"}
    assert complete("microcoder-data", "process", "--for", "j") == {"judging"}
    assert complete("microcoder-train", "--preset", "ti") == {"tiny"}


def test_a_file_takes_the_place_of_a_verb_or_follows_an_option(
    complete: Callable[..., set[str]], tmp_path: Path
) -> None:
    (tmp_path / "solutions.jsonl").touch()
    assert complete("microcoder-eval", "s.jsonl", "--tests", "sol") == {"solutions.jsonl"}
    assert complete("microcoder-eval", "audit", "sol") == {"solutions.jsonl"}
    assert "--resume" in complete("microcoder-eval", "s.jsonl", "--re")


@skip_without("bash")
def test_bash_completes_files_itself_where_no_verb_fits(tmp_path: Path) -> None:
    assert complete_in_bash(tmp_path, "microcoder-eval", "sol") == set()
    assert " -o default " in print_script("microcoder-eval", "bash").splitlines()[-1]


@skip_without("fish")
def test_fish_offers_files_beside_verbs(tmp_path: Path) -> None:
    (tmp_path / "solutions.jsonl").touch()
    assert complete_in_fish(tmp_path, "microcoder-eval", "sol") == {"solutions.jsonl"}


@skip_without("zsh")
@pytest.mark.parametrize("command", COMMANDS)
def test_zsh_can_read_its_script(command: str, tmp_path: Path) -> None:
    loading = (
        f"autoload -U compinit; compinit -u -D\neval {shlex.quote(print_script(command, 'zsh'))}"
    )
    assert run_shell(["zsh", "-f"], loading, tmp_path) == set()


def test_another_shell_is_refused() -> None:
    result = run("--print-completion", "tcsh")
    assert result.returncode == 2
    assert "bash" in result.stderr
