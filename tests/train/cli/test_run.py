"""A small run: what it writes, its page, the evaluation of its model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval.results.lines import judgement_from_json
from microcoder_train.cli import main
from microcoder_train.run.log import read_metrics
from tests.commands import Command
from tests.files import read_jsonl
from tests.train.digits import list_small_words

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


@pytest.fixture(scope="module")
def run_folder(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three steps by the command line."""
    out = tmp_path_factory.mktemp("runs") / "small_s1"
    assert main(["--out", str(out), *list_small_words(tiny), "train.steps=3"]) == 0
    return out


def test_a_line_a_step_with_the_keys_that_were_promised(run_folder: Path) -> None:
    lines = read_metrics(run_folder)
    assert [line["step"] for line in lines] == [0, 1, 2, 3]
    assert "eval/accuracy" in lines[0]
    for line in lines[1:]:
        assert set(KEYS) <= line.keys()
    assert {"eval/accuracy", "eval/pass@2", "eval/accuracy/platform/tiny"} <= lines[3].keys()


def test_whole_groups_are_written_out_for_reading(run_folder: Path) -> None:
    lines = read_jsonl(run_folder / "samples/step_000001.jsonl")
    assert len(lines) == 16  # two groups of eight
    assert {"prompt", "answer", "verdict", "matched_by", "advantage", "masked"} <= lines[0].keys()
    assert lines[0]["prompt"].endswith("\nprint(")


def test_pass_rates_are_kept_by_problem(run_folder: Path) -> None:
    lines = read_jsonl(run_folder / "problems.jsonl")
    assert [line["step"] for line in lines] == [1, 2, 3]
    assert all(count == 8 for passed, count in lines[0]["passed"].values())


def read_page(folder: Path, part: str) -> Any:
    """The data of a part of the page in a folder."""
    page = (folder / "report.html").read_text()
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    return json.loads(page.partition(f'id="{part}">')[2].partition("</script>")[0])


def test_runs_are_drawn_on_one_page(run_folder: Path, tmp_path: Path) -> None:
    assert main(["plot", str(run_folder), str(run_folder), "--out", str(tmp_path)]) == 0
    curves = read_page(tmp_path, "curves")
    rewards = next(chart for chart in curves if chart["name"] == "critic/rewards/mean")
    assert (rewards["title"], rewards["series"][0]["name"]) == ("reward", "small (2 seeds)")


def test_the_page_is_in_the_runs_folder_with_the_samples_behind_each_step(run_folder: Path) -> None:
    assert main(["plot", str(run_folder)]) == 0
    samples = read_page(run_folder, "answers")[run_folder.name]
    assert list(samples) == ["1", "2", "3"]
    assert samples["1"][0]["prompt"].endswith("\nprint(")
    assert {"advantage", "tokens"} <= samples["1"][0]["facts"].keys()


def test_eval_writes_a_judgement_a_line_with_the_response(
    command: Command, run_folder: Path, tiny: Path
) -> None:
    overrides = [w for w in list_small_words(tiny) if not w.startswith("model.path")]
    model = f"model.path={run_folder / 'checkpoints/step_000003/hf'}"
    budgets = "eval.response_length=[2, 4]"
    words = ("eval", "--json", "--samples", "samples.jsonl", *overrides, model, budgets)
    code, output, _ = command(*words)
    assert code == 0
    accuracies = json.loads(output)
    assert set(accuracies) == {"2", "4"}
    assert accuracies["2"]["truncated_frac"] > 0.9
    lines = read_jsonl(Path("samples.jsonl"))
    assert len(lines) == 2 * 2 * 20
    assert all(isinstance(line["meta"]["response"], str) for line in lines)
    assert judgement_from_json(lines[0]).problem_id.startswith("tiny-")


def test_evaluations_of_the_same_model_are_equal(command: Command, tiny: Path) -> None:
    (code, first, _), (_, second, _) = (
        command("eval", "--json", *list_small_words(tiny)) for _ in range(2)
    )
    assert (code, first) == (0, second)


def test_a_run_that_is_done_says_so(command: Command, run_folder: Path, tiny: Path) -> None:
    code, _, error = command("--out", run_folder, *list_small_words(tiny), "train.steps=3")
    assert (code, "all 3 steps are done; a larger train.steps goes on" in error) == (0, True)


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
    words = [*list_small_words(tiny), "data.train=own/problems", "data.eval=", "train.steps=1"]
    assert main(["--out", str(tmp_path / "run"), *words]) == 0
    assert len(read_metrics(tmp_path / "run")) == 1
