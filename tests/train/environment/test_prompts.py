"""Prompts, their order, what the judge is given, and what is wrong with data, in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from transformers import AutoTokenizer, PreTrainedTokenizerBase

from microcoder_eval.errors import DataError
from microcoder_train.config import Data, Reward
from microcoder_train.environment.prompts import PromptSet, Template, check_overlap, read_prompts
from microcoder_train.errors import ConfigError, TrainError
from microcoder_train.run.trainer import Trainer
from tests.files import write_jsonl
from tests.train.digits import Make, digit_problems, make_sample

CHAT = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}{{ note }}"
)


Read = Callable[..., PromptSet]


@pytest.fixture
def tokenizer(tiny: Path) -> PreTrainedTokenizerBase:
    return AutoTokenizer.from_pretrained(tiny / "model")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the problems of a test are."""
    return tmp_path / "problems.jsonl"


@pytest.fixture
def read(tokenizer: PreTrainedTokenizerBase, file: Path) -> Read:
    """read(problems, name="train", rewards=Reward(), **data): the prompts of these problems, which
    are lines of ``file`` or, as None, what is there."""

    def call(
        problems: Sequence[Any] | None, name: str = "train", rewards: Reward | None = None,
        **data: Any,
    ) -> PromptSet:  # fmt: skip
        if problems is not None:
            write_jsonl(file, *problems)
        settings = Data(**{"template": "completion", name: str(file), **data})
        return read_prompts(name, Template(settings, tokenizer), rewards or Reward())

    return call


@pytest.fixture
def chat_text(tokenizer: PreTrainedTokenizerBase, read: Read) -> Callable[..., str]:
    """chat_text(problem, **data): its prompt in a chat."""
    tokenizer.chat_template = CHAT

    def call(problem: dict[str, Any], **data: Any) -> str:
        (prompt,) = read([problem], template="chat", **data).prompts
        return prompt.text

    return call


def test_a_completion_prompt_is_the_starter_code(read: Read) -> None:
    prompt = read(digit_problems()).prompts[7]
    assert prompt.text == "#7\nprint("
    assert len(prompt.ids) == 3


def test_a_chat_prompt_is_the_models_own_template(chat_text: Callable[..., str]) -> None:
    note = {"note": "!"}
    text = chat_text(digit_problems()[0], assistant_prefix="```python\n", chat_template_kwargs=note)
    assert text.startswith("<user>Write a complete program that reads its input from standard")
    assert "Print the digit of the comment" in text
    assert text.endswith("<assistant>!```python\n")


def test_a_completion_is_judged_up_to_its_first_line_end(
    read: Read, tokenizer: PreTrainedTokenizerBase
) -> None:
    template = Template(Data(template="completion"), tokenizer)
    prompt = template.render(read(digit_problems()).prompts[7].problem)
    seven, close, line = tokenizer.convert_tokens_to_ids(["7", ")", "\n"])
    end = tokenizer.eos_token_id
    for last in (end, line):
        whole = make_sample([seven, close, last], "stop")
        assert template.make_judge_input(whole, prompt) == {"code": "#7\nprint(7)\n"}
    assert template.make_judge_input(make_sample([seven, close], "length"), prompt) == {
        "response": ""
    }


def test_completions_stop_at_every_token_with_a_line_end(
    tokenizer: PreTrainedTokenizerBase,
) -> None:
    stops = Template(Data(template="completion"), tokenizer).find_stop_ids()
    assert stops == {1, *tokenizer.convert_tokens_to_ids(["\n", "\nprint("])}


def test_order_is_a_function_of_seed_and_step(read: Read) -> None:
    prompts = read(digit_problems())

    def names(step: int, seed: int = 0) -> list[str]:
        return [p.problem.problem_id for p in prompts.batch(step, 16, seed)]

    assert names(5) == names(5)
    assert names(5) != names(5, seed=1)
    epoch = [name for step in range(6) for name in names(step)]
    assert len(set(epoch)) == 96
    assert sorted(names(6)) != sorted(names(0))
    assert all(len(set(names(step))) == 16 for step in range(20))


def test_the_fingerprint_sees_tests_and_order(read: Read) -> None:
    problems = digit_problems()
    fingerprint = read(problems).fingerprint
    assert read(problems[::-1]).fingerprint != fingerprint
    problems[3]["tests"][0]["output"] = "9"
    assert read(problems).fingerprint != fingerprint


def test_broken_lines_are_refused_with_their_place(read: Read, file: Path) -> None:
    with pytest.raises(TrainError) as error:
        read([*digit_problems()[:2], "{not json"])
    assert str(error.value).startswith(f"data.train: 1 of its lines cannot be used: {file}:3: ")
    assert str(error.value).endswith("; fix them, or set data.skip_bad_lines=true")
    usable = read(None, skip_bad_lines=True)
    assert len(usable.prompts) == 2
    assert usable.notes[0].startswith(f"data.train: 1 of its lines left out: {file}:3: ")


def test_problems_whose_tests_a_program_can_forge_are_refused_before_the_run(read: Read) -> None:
    forgeable = {
        "problem_id": "p", "kind": "assert", "test_language": "cpp", "statement": "Add one.",
        "entry_point": "f", "starter_code": "int f(int x) {",
        "test_code": "int main() { if (f(1) != 2) return 1; }",
    }  # fmt: skip
    with pytest.raises(DataError, match=r"p: .*reward.allow_in_process_tests=true"):
        read([*digit_problems(), forgeable])
    allowed = read(None, rewards=Reward(allow_in_process_tests=True))
    assert allowed.prompts[-1].problem.problem_id == "p"


def test_prompts_that_are_too_long_are_left_out_aloud(read: Read) -> None:
    problems = digit_problems()[:3]
    problems[1]["starter_code"] = "# 1 2 3\nprint("
    prompts = read(problems, max_prompt_tokens=3)
    assert len(prompts.prompts) == 2
    assert prompts.notes == (
        "data.train: 1 of 3 prompts are longer than data.max_prompt_tokens=3 and left out "
        "(longest: tiny-1-0, 7 tokens)",
    )
    with pytest.raises(TrainError, match="3 of 3 prompts are longer"):
        read(None, max_prompt_tokens=2)


@pytest.mark.parametrize(
    ("template", "missing", "name"),
    [
        ("completion", ["starter_code"], "starter_code"),
        ("chat", ["starter_code", "statement"], "a statement"),
    ],
)
def test_a_problem_says_its_task(
    tokenizer: PreTrainedTokenizerBase, read: Read, template: str, missing: list[str], name: str
) -> None:
    tokenizer.chat_template = CHAT
    problem = {key: value for key, value in digit_problems()[0].items() if key not in missing}
    with pytest.raises(DataError) as error:
        read([problem], template=template)
    assert str(error.value) == f"tiny-0-0: data.template={template} needs {name}"


def test_a_model_without_a_chat_template_is_refused(
    tokenizer: PreTrainedTokenizerBase, tiny: Path
) -> None:
    with pytest.raises(ConfigError) as error:
        Template(Data(template="chat"), tokenizer)
    assert str(error.value) == (
        f"model.path={tiny / 'model'} has no chat template: set data.template=completion, or take "
        "a model that has one"
    )


LONG = "Given a list of whole numbers return the sum of those that are even and above ten"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"statement": LONG.upper() + "!", "tests": [{"input": "x", "output": "x"}]}, "13-grams"),
        ({"statement": "Another text.", "limits": {"time_s": 9}}, "tests"),
        (
            {"statement": "Please: " + LONG, "tests": [{"input": "x", "output": "x"}]},
            "shares 7 of 8 13-grams",
        ),
    ],
)
def test_an_evaluation_set_that_is_trained_on_is_refused(
    read: Read, fields: dict[str, Any], message: str
) -> None:
    problem = {**digit_problems()[0], "statement": LONG, "starter_code": "print(0,"}
    train = read([problem])
    held_out = read([{**problem, "problem_id": "held", **fields}], "eval")
    with pytest.raises(TrainError) as error:
        check_overlap(train, held_out)
    assert str(error.value).startswith("data.eval overlaps data.train in 1 of 1 problems: held ")
    assert message in str(error.value)
    assert str(error.value).endswith("; take them out, or set data.allow_overlap=true")


CALL = {
    "problem_id": "call",
    "kind": "call",
    "entry_point": "add_all",
    "statement": "Add the numbers.",
    "tests": [{"input": [[1, 2], 0], "output": 3}],
}


def test_a_call_without_starter_code_names_its_function(chat_text: Callable[..., str]) -> None:
    text = chat_text(CALL)
    assert "Write the function `add_all` with 2 arguments" in text
    # A statement that already says so, as microcoder-data writes it, says it once.
    problem = CALL | {"statement": "Add the numbers.\n\nWrite the function `add_all`: return it."}
    assert chat_text(problem) == text


def test_a_prompt_file_has_a_system_prompt_and_the_users(
    chat_text: Callable[..., str], tmp_path: Path
) -> None:
    file = tmp_path / "prompt.toml"
    file.write_text('system = "You program."\nuser = "{statement} {x} {instruction}"\n')
    text = chat_text(CALL, prompt_file=str(file))
    assert text.startswith("<system>You program.<user>Add the numbers. {x} Write the function")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('user = "{instruction}"', r"user must be a text with \{statement\} in it"),
        ('user = "{statement}"\ntool = "x"', "has two texts, system and user"),
        ("user = {", "cannot be read"),
    ],
)
def test_a_prompt_file_that_cannot_be_used(
    chat_text: Callable[..., str], tmp_path: Path, content: str, message: str
) -> None:
    file = tmp_path / "prompt.toml"
    file.write_text(content)
    with pytest.raises(DataError, match=message):
        chat_text(CALL, prompt_file=str(file))


def test_problems_are_read_from_parquet(read: Read, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    pyarrow = pytest.importorskip("pyarrow")
    rows = digit_problems()[:3]
    file = str(tmp_path / "problems.parquet")
    parquet.write_table(pyarrow.Table.from_pylist(rows), file)
    assert read(None, train=file).fingerprint == read(rows).fingerprint
    rows[1]["tests"] = []
    parquet.write_table(pyarrow.Table.from_pylist(rows), file)
    with pytest.raises(TrainError) as error:
        read(None, train=file)
    assert f"1 of its lines cannot be used: {file}:2: " in str(error.value)


def test_a_file_that_is_not_there_is_named(read: Read) -> None:
    with pytest.raises(DataError, match=r"problems\.jsonl"):
        read(None)


def test_sets_that_share_only_boilerplate_pass(read: Read) -> None:
    problems = digit_problems()
    check_overlap(read(problems[:50]), read(problems[50:], "eval"))


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["model.path=/no/such/folder"], "model.path=/no/such/folder: there is no such folder"),
        (["model.path=/"], "model.path=/: not a Hugging Face folder: it has no config.json"),
        (["model.device=banana"], "model.device=banana: torch has no such device"),
        (["data.train="], "data.train is not set: a JSONL file of problems (see --preset tiny)"),
        (
            ["train.train_batch_size=128"],
            "data.train has 80 prompts, fewer than train.train_batch_size=128: lower it, and "
            "train.ppo_mini_batch_size, which must divide it",
        ),
        (
            ["log.sinks=['trackio']"],
            "log.sinks needs trackio: pip install '.[trackio]' in the checkout",
        ),
    ],
)
def test_what_a_run_cannot_start_without(
    settings: Make, tmp_path: Path, overrides: list[str], message: str
) -> None:
    with pytest.raises(TrainError) as error:
        Trainer(settings(*overrides), tmp_path)
    assert str(error.value) == message
