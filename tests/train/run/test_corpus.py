"""What microcoder-data writes is what microcoder-train reads: nothing in between."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from transformers import AutoTokenizer

from microcoder_data.cli import main as make_corpus
from microcoder_data.process.instruction import STDIN
from microcoder_train.cli import main as train
from microcoder_train.config import Data, Reward
from microcoder_train.environment.prompts import Template, read_prompts
from microcoder_train.run.log import read_metrics
from tests.data.clean import problems
from tests.train.digits import SETTINGS, digit_problems

CHAT = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<assistant>"


@pytest.fixture(autouse=True)
def _the_extra_data() -> None:
    for name in ("bs4", "ftfy"):
        pytest.importorskip(name, reason=f"{name} is missing: pip install '.[data]'")


def corpus(folder: Path, rows: list[dict[str, Any]], recipe: str) -> Path:
    """All stages of the pipeline over some problems."""
    (folder / "raw.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "recipe.toml").write_text(
        f'[run]\ninputs = ["raw.jsonl"]\noutput = "corpus.jsonl.gz"\n{recipe}'
    )
    assert make_corpus(["run", str(folder / "recipe.toml"), "--workers", "1"]) == 0
    return folder / "corpus.jsonl.gz"


@pytest.mark.slow
def test_the_trainer_trains_on_the_corpus_as_it_is(tiny: Path, tmp_path: Path) -> None:
    # The tiny model's problems are one line with one test each: alike by any measure.
    recipe = (
        '[process]\nkeep = ["trivial_tests"]\n'
        "[filter]\nnear_duplicate = 0\nexact_duplicates = false\n"
    )
    corpus_file = corpus(tmp_path, digit_problems(), recipe)
    out = tmp_path / "run"
    overrides = ["--preset=tiny", f"model.path={tiny / 'model'}", f"data.train={corpus_file}",
             "data.eval=", "train.train_batch_size=4", "train.ppo_mini_batch_size=4",
             "reward.workers=1", "train.steps=2", *SETTINGS]  # fmt: skip
    assert train(["--out", str(out), *overrides]) == 0
    assert [row["step"] for row in read_metrics(out)][-1] == 2


@pytest.mark.slow
def test_a_chat_asks_what_the_corpus_states(tiny: Path, tmp_path: Path) -> None:
    rows = problems(6)
    corpus_file = corpus(tmp_path, rows, "[verify]\nmutants = 0\n")
    tokenizer = AutoTokenizer.from_pretrained(tiny / "model")
    tokenizer.chat_template = CHAT
    settings = Data(template="chat", train=str(corpus_file))
    read = read_prompts("train", Template(settings, tokenizer), Reward())
    assert len(read.prompts) == len(rows)
    programs = [prompt.text for prompt in read.prompts if prompt.problem.kind == "stdin"]
    assert programs
    assert all(STDIN in text for text in programs)
