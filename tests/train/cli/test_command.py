"""The verbs and what may follow them: what is shown, chosen, and refused in a line."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands import Command, execute
from tests.files import ROOT
from tests.train.digits import list_small_words


def test_without_arguments_the_way_to_a_first_run_is_shown(command: Command) -> None:
    code, output, _ = command()
    assert code == 0
    assert "microcoder-train --preset tiny --out runs/tiny" in output


def test_the_package_can_be_run_as_a_module() -> None:
    command = [sys.executable, "-m", "microcoder_train", "--show-config", "--preset", "tiny"]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert process.returncode == 0
    assert 'path = "tiny"' in process.stdout


@pytest.mark.slow
def test_settings_are_shown_without_a_model_library(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['transformers'] = None\n"
        "from microcoder_train.cli import main; main(['--show-config', '--preset', 'paper'])\n"
    )
    process = execute([sys.executable, "-c", code], cwd=tmp_path)
    assert process.returncode == 0, process.stderr
    assert "temperature = 1.2 " in process.stdout
    assert "# preset paper" in process.stdout


def test_settings_may_stand_between_the_options(command: Command) -> None:
    words = "train.seed=7 --preset dapo loss.beta=0.5 --show-config train.steps=3"
    code, output, _ = command(*words.split())
    assert code == 0
    for line in ("seed = 7 ", "beta = 0.5 ", "steps = 3 ", 'mode = "none" '):
        assert line in output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["plot", "."], ". is not a run: it has no metrics.jsonl"),
        (["--out", ".", "loss.eps_hihg=1"],
         "loss.eps_hihg: no such setting; did you mean loss.eps_high?"),
        (["run", "--out", ".", "data.train=/nope.jsonl"], "data.train: /nope.jsonl: no such file"),
        (["run", "--out", ".", "data.train=tiny", "data.eval=/nope.jsonl"],
         "data.eval: /nope.jsonl: no such file"),
    ],
)  # fmt: skip
def test_what_cannot_begin_ends_with_exit_2_and_one_line(
    command: Command, words: list[str], message: str
) -> None:
    assert command(*words) == (2, "", f"microcoder-train: {message}\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [(["run", "--out", "."], "data.train is not set: give a file"),
     (["eval", "model.path=x"], "data.eval is not set: give a file"),
     (["--steps", "4"], "there is no --steps, did you mean train.steps=…?"),
     (["--learning-rate", "4"], "there is no --learning-rate, did you mean optim.lr=…?"),
     (["--model", "4"], "there is no --model, did you mean model.path=…?"),
     (["--batch-size", "4"], "there is no --batch-size, did you mean train.train_batch_size=…?"),
     (["--oout", "4"], "there is no --oout, did you mean --out?")],
)  # fmt: skip
def test_what_is_missing_or_meant_is_said(command: Command, words: list[str], message: str) -> None:
    code, _, error = command(*words)
    assert code == 2
    assert message in error


@pytest.mark.parametrize("verb", [["run", "--out"], ["eval", "--samples"], ["probe", "--out"]])
def test_a_place_that_cannot_be_written_is_named_before_the_work(
    command: Command, tiny: Path, verb: list[str]
) -> None:
    Path("file").touch()
    code, _, error = command(*verb, "file/x", *list_small_words(tiny))
    assert code == 2
    assert error.splitlines()[-1] == "microcoder-train: file/x: Not a directory"


@pytest.mark.parametrize("verb", ["probe", "eval"])
def test_probe_and_eval_under_torchrun_are_refused_before_anything_is_loaded(
    verb: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    message = f"microcoder-train: {verb} is for one process: start it without torchrun\n"
    assert command(verb, "model.path=./absent", "data.eval=absent.jsonl") == (2, "", message)


@pytest.mark.parametrize("verb", [["probe", "--out", "."], ["eval"]])
def test_probe_and_eval_sample_with_the_configured_engine(
    verb: list[str], command: Command, tiny: Path
) -> None:
    server = ["rollout.backend=server", 'rollout.servers=["http://127.0.0.1:9"]']  # nobody there
    code, _, error = command(*verb, *list_small_words(tiny), *server)
    assert (code, "rollout.servers: http://127.0.0.1:9" in error) == (2, True)


@pytest.mark.slow
def test_probe_shows_a_table_and_says_what_it_chooses_and_what_to_doubt(
    command: Command, tiny: Path
) -> None:
    code, output, _ = command("probe", "--out", ".", *list_small_words(tiny))
    assert code == 0
    assert "fewer than half the responses have 16 tokens" in output
    assert "chosen: T " in output
    assert len(json.loads(Path("probe.json").read_text())["rows"]) == 6


@pytest.mark.slow
def test_doctor_tries_everything(command: Command) -> None:
    code, output, _ = command("doctor")
    assert code == 0
    assert [line.partition(":")[0] for line in output.splitlines()] == [
        "ok    versions",
        "ok    device",
        "ok    judge",
        "ok    one step on a tiny model",
    ]


def test_a_fault_of_ours_ends_with_exit_3_and_where_it_was(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "microcoder_train.cli.commands", None)
    code, _, error = command("--preset", "tiny")
    assert (code, "ModuleNotFoundError" in error) == (3, True)


def test_the_file_that_a_full_disk_does_not_take_is_named(
    start: Callable[..., tuple[int, str]],
) -> None:
    file = Path("run/samples/step_000001.jsonl")
    file.parent.mkdir(parents=True)
    file.symlink_to("/dev/full")
    code, error = start("train.steps=1", "data.eval=")
    assert code == 2
    assert error.splitlines()[-1].startswith(f"microcoder-train: {file}: No space left on device.")


def test_a_full_disk_is_told_as_one(tmp_path: Path) -> None:
    """A tmpfs: full while the tiny model is written, and in the first checkpoint."""
    places = {tmp_path / "small": 100, tmp_path / "larger": 900}  # KiB
    for place in places:
        place.mkdir()
    mounts = [f"mount -t tmpfs -o size={size}k tmpfs {place}" for place, size in places.items()]
    options = ["train.steps=1", "data.eval=", "reward.workers=1", "train.train_batch_size=8"]
    code = (
        "import sys; from microcoder_train.cli import main\n"
        "from microcoder_train.run import tiny; tiny.WARM_UP_STEPS = 0\n"
        "for place in sys.argv[1:]:\n"
        f"    code = main(['--preset=tiny', '--out', place + '/run', *{options}])\n"
        "    print('exit', code, file=sys.stderr)\n"
    )
    command = [sys.executable, "-c", code, *map(str, places)]
    words = ["unshare", "--user", "--map-root-user", "--mount", "bash", "-c"]
    if subprocess.run([*words, mounts[0]], capture_output=True).returncode:
        pytest.skip("this machine mounts nothing in a namespace of a user")
    process = execute([*words, f"{' && '.join(mounts)} && {shlex.join(command)}"], timeout=None)
    last_lines = re.findall("(.*)\nexit 2\n", process.stderr)
    assert len(last_lines) == len(places), process.stderr
    assert all(re.search("No space left on device|is full", line) for line in last_lines)
