"""The command line: a first run from nothing, its figures, and what it says when it cannot."""

from __future__ import annotations

import gc
import itertools
import json
import math
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.profiler import ProfilerActivity, profile
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer, PreTrainedModel

from microcoder_eval.results.lines import judgement_from_json
from microcoder_train.algorithm.grpo import chunked_logprobs
from microcoder_train.cli import main
from microcoder_train.cli.estimate import estimate
from microcoder_train.cli.memory import LEARNING, cache_bytes, pass_bytes
from microcoder_train.config import Config, load
from microcoder_train.errors import NoSignalError, TrainError
from microcoder_train.learner.advantages import Advantages
from microcoder_train.learner.memory import memory_hint
from microcoder_train.learner.scorer import checkpoint_layers
from microcoder_train.rollout.vllm import GPU_SHARE
from microcoder_train.run.console import sparkline
from microcoder_train.run.log import read_metrics
from microcoder_train.run.trainer import MEMORY_SETTINGS, Trainer
from microcoder_train.samples import Episode
from tests.commands import ROOT, Command, call_main, execute, jsonl, results
from tests.train.digits import SETTINGS, Make, of_folder

KEYS = (
    "critic/rewards/mean",
    "response_length/mean",
    "response_length/clip_ratio",
    "diversity/d4",
    "diversity/slope",
    "reward/correct_frac",
    "reward/error_frac",
    "reward/flagged_frac",
    "group/mixed_frac",
    "mask/truncated_frac",
    "mask/applied_frac",
    "actor/pg_loss",
    "actor/grad_norm",
    "actor/entropy_with_advantage",
    "actor/ppo_kl_with_advantage",
    "actor/clipfrac_high",
    "actor/lr",
    "actor/skipped",
    "rollout/logp_diff_max",
    "timing_s/gen",
    "timing_s/reward_wait",
    "timing_s/update",
    "perf/gen_tok_s",
    "sched/temperature",
    "sched/max_tokens",
    "mem/rss_gb",
)


def small(tiny: Path) -> list[str]:
    return [
        "--preset=tiny",
        *of_folder(tiny),
        "train.train_batch_size=4",
        "train.ppo_mini_batch_size=4",
        "eval.n=2",
        *SETTINGS,
    ]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """command(*words): exit code, standard output and error, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return partial(call_main, main)


@pytest.fixture
def start(command: Command, tiny: Path) -> Callable[..., tuple[int, str]]:
    """start(*words): exit code and standard error of a small run in the folder "run"."""

    def call(*words: str) -> tuple[int, str]:
        code, _, error = command("--out", "run", *small(tiny), *words)
        return code, error

    return call


@pytest.fixture(scope="module")
def run(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three steps by the command line."""
    out = tmp_path_factory.mktemp("runs") / "small_s1"
    assert main(["--out", str(out), *small(tiny), "train.steps=3"]) == 0
    return out


def test_without_arguments_the_way_to_a_first_run_is_shown(command: Command) -> None:
    code, output, _ = command()
    assert code == 0
    assert "microcoder-train --preset tiny --out runs/tiny" in output


def test_the_package_can_be_run_as_a_module() -> None:
    command = [sys.executable, "-m", "microcoder_train", "--show-config", "--preset", "tiny"]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert process.returncode == 0
    assert 'path = "tiny"' in process.stdout


def test_a_line_a_step_with_the_keys_that_were_promised(run: Path) -> None:
    lines = read_metrics(run)
    assert [line["step"] for line in lines] == [0, 1, 2, 3]
    assert "eval/accuracy" in lines[0]
    for line in lines[1:]:
        assert set(KEYS) <= line.keys()
    assert {"eval/accuracy", "eval/pass@2", "eval/accuracy/platform/tiny"} <= lines[3].keys()


def test_whole_groups_are_written_out_for_reading(run: Path) -> None:
    lines = results(run / "samples/step_000001.jsonl")
    assert len(lines) == 16  # two groups of eight
    assert {"prompt", "answer", "verdict", "matched_by", "advantage", "masked"} <= lines[0].keys()
    assert lines[0]["prompt"].endswith("\nprint(")


def test_pass_rates_are_kept_by_problem(run: Path) -> None:
    lines = results(run / "problems.jsonl")
    assert [line["step"] for line in lines] == [1, 2, 3]
    assert all(count == 8 for passed, count in lines[0]["passed"].values())


def read_page(folder: Path, part: str) -> Any:
    """The data of a part of the page in a folder."""
    page = (folder / "report.html").read_text()
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    return json.loads(page.partition(f'id="{part}">')[2].partition("</script>")[0])


def test_runs_are_drawn_on_one_page(run: Path, tmp_path: Path) -> None:
    assert main(["plot", str(run), str(run), "--out", str(tmp_path)]) == 0
    curves = read_page(tmp_path, "curves")
    rewards = next(chart for chart in curves if chart["name"] == "critic/rewards/mean")
    assert (rewards["title"], rewards["series"][0]["name"]) == ("reward", "small (2 seeds)")


def test_the_page_is_in_the_runs_folder_with_the_samples_behind_each_step(run: Path) -> None:
    assert main(["plot", str(run)]) == 0
    samples = read_page(run, "answers")[run.name]
    assert list(samples) == ["1", "2", "3"]
    assert samples["1"][0]["prompt"].endswith("\nprint(")
    assert {"advantage", "tokens"} <= samples["1"][0]["facts"].keys()


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


def test_eval_writes_a_judgement_a_line_with_the_response(
    command: Command, run: Path, tiny: Path
) -> None:
    overrides = [w for w in small(tiny) if not w.startswith("model.path")]
    model = f"model.path={run / 'checkpoints/step_000003/hf'}"
    budgets = "eval.response_length=[2, 4]"
    words = ("eval", "--json", "--samples", "samples.jsonl", *overrides, model, budgets)
    code, output, _ = command(*words)
    assert code == 0
    accuracies = json.loads(output)
    assert set(accuracies) == {"2", "4"}
    assert accuracies["2"]["truncated_frac"] > 0.9
    lines = results(Path("samples.jsonl"))
    assert len(lines) == 2 * 2 * 20
    assert all(isinstance(line["meta"]["response"], str) for line in lines)
    assert judgement_from_json(lines[0]).problem_id.startswith("tiny-")


def test_evaluations_of_the_same_model_are_equal(command: Command, tiny: Path) -> None:
    (code, first, _), (_, second, _) = (command("eval", "--json", *small(tiny)) for _ in range(2))
    assert (code, first) == (0, second)


@pytest.mark.slow
def test_probe_shows_a_table_and_says_what_it_chooses_and_what_to_doubt(
    command: Command, tiny: Path
) -> None:
    code, output, _ = command("probe", "--out", ".", *small(tiny))
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
    code, shown, _ = command(*words.split())
    assert code == 0
    for line in ("seed = 7 ", "beta = 0.5 ", "steps = 3 ", 'mode = "none" '):
        assert line in shown


def test_problems_are_those_of_a_data_set_of_the_hub(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A data set by its name, which the hub's cache holds."""
    constants = pytest.importorskip("huggingface_hub.constants")
    cache = tmp_path / "datasets--own--problems"
    for folder, name, text in (("refs", "main", "1234"), ("snapshots/1234", "a.jsonl", None)):
        (cache / folder).mkdir(parents=True)
        (cache / folder / name).write_text(text or (tiny / "train.jsonl").read_text())
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    words = [*small(tiny), "data.train=own/problems", "data.eval=", "train.steps=1"]
    assert main(["--out", str(tmp_path / "run"), *words]) == 0
    assert len(read_metrics(tmp_path / "run")) == 1


@pytest.mark.parametrize("verb", [["run", "--out"], ["eval", "--samples"], ["probe", "--out"]])
def test_a_place_that_cannot_be_written_is_named_before_the_work(
    command: Command, tiny: Path, verb: list[str]
) -> None:
    Path("file").touch()
    code, _, error = command(*verb, "file/x", *small(tiny))
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
    code, _, error = command(*verb, *small(tiny), *server)
    assert (code, "rollout.servers: http://127.0.0.1:9" in error) == (2, True)


def scalar_loss(logp: torch.Tensor, *_: object) -> tuple[torch.Tensor, torch.Tensor]:
    """A loss that takes the mean itself."""
    return logp.mean(), logp.exp()


def undefined_loss(logp: torch.Tensor, *_: object) -> tuple[torch.Tensor, torch.Tensor]:
    """A loss of numbers without a logarithm."""
    return logp.log(), logp.exp()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["loss.function=tests.train.cli.test_command:scalar_loss"],
            r"must return \(loss, ratio\) of each token: .* it returned \[\[\], \[2, 3\]\]",
        ),
        (
            ["loss.function=tests.train.cli.test_command:small"],
            r"test_command:small fails on 2 rows of 3 tokens: TypeError: small\(\) takes",
        ),
        (
            ["loss.function=tests.train.cli.test_command:undefined_loss"],
            r"its loss is not finite where every logp is -1",
        ),
        (
            ["model.attention=flash_attention_2"],
            r"model.attention=flash_attention_2, model.path=.*",
        ),
        (
            ["rollout.response_length=1000"],
            r"responses of 1000 tokens .* the model's 256 positions",
        ),
    ],
)
def test_what_cannot_work_ends_with_a_sentence_before_anything_is_sampled(
    start: Callable[..., tuple[int, str]], words: list[str], message: str
) -> None:
    code, error = start(*words)
    assert code == 2
    assert re.search(rf"^microcoder-train: .*{message}", error, re.MULTILINE)
    assert "Traceback" not in error
    assert not Path("run/metrics.jsonl").exists()


def test_a_step_whose_update_fails_leaves_its_samples(
    start: Callable[..., tuple[int, str]],
) -> None:
    code, error = start("loss.function=tests.train.learner.test_loss:broken_backward")
    assert code == 2
    assert re.search(r"broken_backward fails in its backward pass: .*\(test_loss.py:\d+\)", error)
    assert results(Path("run/samples/step_000001.jsonl"))
    assert not Path("run/problems.jsonl").exists()


def test_a_model_with_torn_weights_or_without_a_tokenizer_is_refused(
    start: Callable[..., tuple[int, str]], tiny: Path
) -> None:
    model = shutil.copytree(tiny / "model", Path("model"))
    weights = model / "model.safetensors"

    def assert_refused(reason: str) -> None:
        code, error = start("model.path=model")
        assert (code, f"model.path=model: {reason}" in error) == (2, True), error

    weights.write_bytes(weights.read_bytes()[:1000])
    assert_refused("cannot be loaded: Error while ")
    (model / "tokenizer.json").unlink()
    assert_refused("cannot be loaded: Couldn't instantiate the backend tokenizer from one of: (1) ")
    shutil.copy(tiny / "model" / weights.name, weights)
    for name in ("Qwen2Tokenizer", "GemmaTokenizer"):  # no token at all; an unknown one
        (model / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": name}))
        assert_refused("it has no tokenizer (")


def test_a_model_that_is_neither_here_nor_on_the_hub_is_told_in_one_line(
    start: Callable[..., tuple[int, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The address of a hub that nobody answers at."""
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr(time, "sleep", lambda _seconds: None)  # between the hub's ten attempts
    code, error = start("model.path=own/model")
    first, second = error.splitlines()
    assert (code, first) == (2, "microcoder-train: loading the model")
    assert "model.path=own/model: cannot be loaded: no such folder here, and on the " in second


def test_a_tokenizer_of_another_model_is_refused(
    start: Callable[..., tuple[int, str]], tiny: Path
) -> None:
    model = shutil.copytree(tiny / "model", Path("model"))
    tokenizer = AutoTokenizer.from_pretrained(model)
    tokenizer.add_tokens([f"<{i}>" for i in range(30)])
    tokenizer.save_pretrained(model)
    code, error = start("model.path=model")
    assert (code, "they are of different models" in error) == (2, True)


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


def test_a_fault_of_ours_ends_with_exit_3_and_where_it_was(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "microcoder_train.cli.commands", None)
    code, _, error = command("--preset", "tiny")
    assert (code, "ModuleNotFoundError" in error) == (3, True)


def test_a_run_that_is_done_says_so(command: Command, run: Path, tiny: Path) -> None:
    code, _, error = command("--out", run, *small(tiny), "train.steps=3")
    assert (code, "all 3 steps are done; a larger train.steps goes on" in error) == (0, True)


def test_groups_that_are_all_equal_end_the_run_with_what_to_change(
    settings: Make, tiny: Path, tmp_path: Path
) -> None:
    problems = results(tiny / "train.jsonl")
    for problem in problems:
        problem["tests"][0]["output"] = "never"
    options = settings(
        f"data.train={jsonl(tmp_path / 'impossible.jsonl', *problems)}",
        "data.eval=",
        "guard.no_signal_steps=2",
        "train.train_batch_size=4",
        "train.ppo_mini_batch_size=4",
    )
    trainer = Trainer(options, tmp_path / "run")
    with pytest.raises(NoSignalError) as error:
        trainer.run()
    assert str(error.value) == (
        "no learning signal for 2 steps: in every group all rewards are equal (100% of groups all "
        "wrong, 0% all right or not judged). All wrong: easier problems, a longer "
        "rollout.response_length, another data.template; all right: harder problems; either: a "
        "higher rollout.temperature, a larger rollout.n"
    )
    assert (tmp_path / "run/checkpoints/step_000002/hf").is_dir()


class Broken(Trainer):
    """Every weight of the last layer turns into NaN before the second step."""

    def learn(
        self, groups: Sequence[Sequence[Episode]], advantages: Advantages
    ) -> dict[str, float]:
        if self.step == 1:
            with torch.no_grad():
                self.policy.parameters[-1].fill_(float("nan"))
        return super().learn(groups, advantages)


def test_gradients_that_stay_non_finite_end_the_run_by_name(settings: Make, tmp_path: Path) -> None:
    options = settings("guard.max_skipped=2", "data.eval=")
    with pytest.raises(TrainError) as error:
        Broken(options, tmp_path).run()
    text = str(error.value)
    assert text.startswith("step 1: 2 updates in a row had no finite gradient; first non-finite ")
    assert "tensor: weight model.norm.weight" in text
    assert (tmp_path / "non_finite_000001.json").exists()


def test_running_out_of_memory_names_the_knobs() -> None:
    with pytest.raises(TrainError) as error, memory_hint("updating", MEMORY_SETTINGS):
        torch.empty(1 << 50)
    assert str(error.value) == (
        "out of memory while updating: lower train.tokens_per_micro_batch or train.logits_chunk, "
        "or set model.activation_checkpointing=true"
    )


def test_the_estimate_says_steps_time_and_memory(settings: Make, tmp_path: Path) -> None:
    trainer = Trainer(settings("train.steps=40"), tmp_path)
    trainer.reward_judge.close()
    before = [parameter.clone() for parameter in trainer.policy.parameters]
    text = estimate(trainer)
    assert text.startswith("40 steps take at most about ")
    assert text.endswith(" GB")
    assert all(map(torch.equal, before, trainer.policy.parameters))


AUTOCASTS = ("none", "bfloat16")
CHECKPOINTING: tuple[list[str], ...] = ([], ["model.activation_checkpointing=true"])
SHAPES = {
    "qwen3": {"hidden_size": 128, "intermediate_size": 384, "num_key_value_heads": 2},
    "llama": {"hidden_size": 192, "intermediate_size": 512, "num_key_value_heads": 4},
    "gemma": {"hidden_size": 96, "intermediate_size": 640, "num_key_value_heads": 1},
}


# Each pair of a family, a setting and a type of numbers once.
PASSES = [
    (family, words, AUTOCASTS[(number + number // 2) % 2])
    for number, (family, words) in enumerate(itertools.product(SHAPES, CHECKPOINTING))
]


def pass_over(model: PreTrainedModel, ids: torch.Tensor, config: Config) -> None:
    """A forward and backward pass as an update makes it."""
    use_bfloat16 = config.model.autocast == "bfloat16"
    with torch.autocast("cpu", torch.bfloat16, enabled=use_bfloat16):
        hidden = model.base_model(input_ids=ids, use_cache=False).last_hidden_state
        logps, _ = chunked_logprobs(
            model.get_output_embeddings(), hidden.flatten(0, 1), ids.flatten(),
            torch.ones(ids.numel()), config.train.logits_chunk,
        )  # fmt: skip
    logps.sum().backward()


@pytest.mark.filterwarnings("ignore:.*Profiler clears events")  # of torch 2.11, once
@pytest.mark.parametrize(("family", "words", "autocast"), PASSES)
def test_the_estimate_of_a_pass_is_what_torch_allocates(
    family: str, words: list[str], autocast: str
) -> None:
    """Told from shapes alone; torch's own record of a real pass is within 5 %."""
    shape = AutoConfig.for_model(
        family, **SHAPES[family], vocab_size=999, num_hidden_layers=2, num_attention_heads=4,
        head_dim=32,
    )  # fmt: skip
    settings = [f"model.autocast={autocast}", "train.logits_chunk=100", *words]
    config = load(None, "grpo", settings).config
    model = AutoModelForCausalLM.from_config(shape)
    if config.model.activation_checkpointing:
        checkpoint_layers(model)
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)
    gc.collect()  # what earlier tests left is not freed during the pass
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as record:
        pass_over(model, torch.zeros(2, 120, dtype=torch.long), config)
    events = record.profiler.kineto_results.events()  # type: ignore[union-attr]
    changes = [event for event in events if event.name() == "[memory]"]
    changes.sort(key=lambda event: event.start_ns())
    peak = max(itertools.accumulate(event.nbytes() for event in changes))
    assert pass_bytes(config, shape, 2, 120) == pytest.approx(peak, rel=0.05)


def test_a_dry_run_tells_memory_and_time_before_anything_is_loaded(command: Command) -> None:
    """Of Qwen3-4B's configuration alone: there are no weights in the folder."""
    AutoConfig.for_model(
        "qwen3", vocab_size=151_936, hidden_size=2560, intermediate_size=9728,
        num_hidden_layers=36, num_attention_heads=32, num_key_value_heads=8, head_dim=128,
        tie_word_embeddings=True,
    ).save_pretrained(".")  # fmt: skip
    words = ("--preset=qwen3_4b", "model.path=.", "--dry-run", "--gpus=8")
    code, output, _ = command(*words)
    assert code == 0
    sizes = dict(re.findall(r"^(\S.*?)  +([\d.]+) GB$", output, re.MULTILINE))
    assert float(sizes["weights"]) == pytest.approx(4.02 * 4 / 8, rel=0.02)
    assert float(sizes["optimizer"]) == pytest.approx(4.02 * 8 / 8, rel=0.02)
    # Weights in bfloat16 to read, and an eighth of those in float32 with their moments.
    host_size = float(sizes["a checkpoint, in host memory"])
    assert host_size == pytest.approx(4.02 * (2 + 12 / 8), rel=0.02)
    # Of 64 answers at once these are 97 GB, more than vLLM's share of a GPU of 150 GB.
    engine_sizes = [float(sizes[f"the engine's {name}"]) for name in ("weights", "keys and values")]
    assert sum(engine_sizes) == pytest.approx(GPU_SHARE * 150, abs=0.2)
    assert "a step at most: update" in output
    # vLLM sleeps while the model learns, so its cache and what learning needs are never both there.
    peaks = [float(re.findall(r"at the peak +([\d.]+) GB", output)[0])]
    awake = command(*words, "rollout.engine.enable_sleep_mode=false")[1]
    peaks += map(float, re.findall(r"at the peak +([\d.]+) GB", awake))
    learning = sum(float(sizes.get(name, 0)) for name in LEARNING)  # zeros are not listed
    assert peaks[1] - peaks[0] == pytest.approx(learning, abs=0.3)


def test_the_estimate_counts_the_keys_and_values_of_what_is_sampled() -> None:
    # Qwen3-4B: 36 layers of 8 heads of 128, 2 bytes, keys and values: 147,456 bytes a token.
    model = AutoConfig.for_model(
        "qwen3", hidden_size=2560, num_hidden_layers=36, num_attention_heads=32,
        num_key_value_heads=8, head_dim=128,
    )  # fmt: skip
    config = load(None, None, ["rollout.max_sequences=128"]).config
    assert cache_bytes(config, model, 10240, 1) == 128 * 10240 * 147_456  # 193 GB


def test_an_evaluation_that_the_judge_failed_is_never_the_best(
    settings: Make, tmp_path: Path
) -> None:
    trainer = Trainer(settings("data.eval="), tmp_path)
    trainer.reward_judge.close()
    scores = [0.9, math.nan, 0.2, 0.5, 0.4]  # before the first step, and after each
    trainer.history = [{"step": i, "eval/accuracy": score} for i, score in enumerate(scores)]
    assert trainer._best_step() == 3


def test_sparklines_fit_their_width() -> None:
    assert sparkline([0, 1, 2, 3, 4, 5, 6, 7]) == "▁▂▃▄▅▆▇█"
    assert sparkline([1.0] * 3) == "▁▁▁"
    assert len(sparkline(list(map(float, range(1000))))) == 48
