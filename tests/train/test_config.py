"""Settings: where they come from, what is refused, with which words."""

from __future__ import annotations

from pathlib import Path

import pytest

from microcoder_eval.errors import DataError
from microcoder_train.config import Config
from microcoder_train.config_layers import load_settings
from microcoder_train.errors import ConfigError
from microcoder_train.presets import PRESETS

SETTINGS = 92  # more need a reason: every one is a question to the user


def test_the_number_of_settings_is_a_decision() -> None:
    sections = Config().model_dump()
    assert sum(len(section) for section in sections.values()) == SETTINGS


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_valid(preset: str) -> None:
    assert load_settings(None, preset).config


def test_presets_differ_as_the_papers_algorithms_do() -> None:
    grpo, dapo, ours, paper = (
        load_settings(None, name).config for name in ("grpo", "dapo", "microcoder", "paper")
    )
    assert (grpo.loss.beta, grpo.loss.eps_high, grpo.mask.mode) == (0.001, 0.2, "none")
    assert (dapo.loss.beta, dapo.loss.eps_high, dapo.mask.mode) == (0.0, 0.28, "none")
    assert (ours.mask.mode, ours.mask.rho, ours.loss.correction) == (
        "conditional",
        0.2,
        "token_truncate",
    )
    assert (paper.mask.mode, paper.rollout.temperature) == ("conditional", 1.2)


def test_presets_of_algorithms_change_nothing_else() -> None:
    algorithm = {
        "loss.beta", "loss.eps_high", "mask.mode", "rollout.temperature",
    }  # fmt: skip
    for name in ("grpo", "dapo", "microcoder", "paper"):
        assert PRESETS[name].keys() <= algorithm


def test_presets_for_gpus_are_the_papers_run_and_what_a_gpu_needs() -> None:
    needs = {
        "rollout.backend": "vllm", "model.activation_checkpointing": True, "model.compile": True,
        "guard.honeypots": 0.01,
    }  # fmt: skip
    size = {"model.path", "rollout.response_length", "train.tokens_per_micro_batch"}
    for name in ("qwen3_1.7b", "qwen3_4b", "qwen3_4b_32k"):
        others = {key: value for key, value in PRESETS[name].items() if key not in size}
        assert others == {**PRESETS["paper"], **needs}
    longest = load_settings(None, "qwen3_4b_32k").config
    assert longest.rollout.response_length == 32_768
    # A row of the longest prompt and answer is one micro-batch.
    assert longest.train.tokens_per_micro_batch >= 32_768 + longest.data.max_prompt_tokens


def test_later_layers_win_and_are_named(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text('preset = "grpo"\n[loss]\nbeta = 0.01\neps_low = 0.1\n')
    settings = load_settings(str(file), None, ["loss.eps_low=0.3"])
    assert (settings.config.loss.beta, settings.config.loss.eps_low) == (0.01, 0.3)
    assert settings.sources["loss.beta"] == str(file)
    assert settings.sources["loss.eps_low"] == "command line"
    assert settings.sources["loss.eps_high"] == "preset grpo"
    assert settings.sources["rollout.n"] == "paper"


def test_what_is_shown_can_be_read_back(tmp_path: Path) -> None:
    settings = load_settings(None, "paper", ["data.chat_template_kwargs.enable_thinking=false"])
    file = tmp_path / "shown.toml"
    file.write_text(settings.to_toml())
    assert load_settings(str(file), "microcoder").config == settings.config


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["loss.eps_hihg=1"], "loss.eps_hihg: no such setting; did you mean loss.eps_high?"),
        (["eps_high=1"], "eps_high: no such setting; did you mean loss.eps_high?"),
        (["qqq=1"], "qqq: no such setting; --show-config lists them"),
        (["run"], "'run' is neither a TOML file nor key=value; a verb is the first word"),
        (
            ["train.train_batch_size=10", "train.ppo_mini_batch_size=3"],
            "train.train_batch_size=10 is not a multiple of train.ppo_mini_batch_size=3",
        ),
        (
            ["model.master_dtype=bfloat16"],
            "bfloat16 master weights lose updates of optim.lr=1e-06 in rounding: set "
            "model.master_dtype=float32",
        ),
        (
            ["rollout.temperature=[[0,0.6],[10,0.7],[20,0.8]]"],
            "rollout.temperature=[[0, 0.6], [10, 0.7], [20, 0.8]]: three stages within 40 steps "
            "are a ramp: continuous changes, even brief ones, change diversity for good (paper, "
            "2.4); use one to three long stages",
        ),
        (["rollout.temperature=2.5"], "rollout.temperature must be above 0 and at most 2"),
        (
            ["rollout.temperature=hot"],
            "rollout.temperature='hot': must be a number or stages such as [[0, 0.6], [140, 1.2]]",
        ),
        (
            ["rollout.temperature=[0, 1]"],
            "rollout.temperature=[0, 1]: must be a number or stages such as [[0, 0.6], [140, 1.2]]",
        ),
        (
            ["rollout.temperature=true"],
            "rollout.temperature=True: must be a number or stages such as [[0, 0.6], [140, 1.2]]",
        ),
        *(
            (
                [f"rollout.response_length={length}"],
                "rollout.response_length must be whole numbers of tokens, 1 or more",
            )
            for length in ("0", "-1", "2.5", "[[0, 4], [100, 0]]")
        ),
        (
            ["optim.learning_rate=1e-5"],
            "optim.learning_rate: no such setting; did you mean optim.lr?",
        ),
        (["eval.response_length=0"], "eval.response_length=0: Input should be greater than 0"),
        (["optim.betas=[0.9, 1]"], "optim.betas=1: Input should be less than 1"),
        (["optim.lr=inf"], "optim.lr=inf: Input should be a finite number"),
        (
            ["rollout.backend=server", 'rollout.servers=["10.0.0.1:8001"]'],
            "rollout.servers='10.0.0.1:8001': String should match pattern '^https?://\\S+$'",
        ),
        (["rollout.n=1"], "rollout.n=1: Input should be greater than or equal to 2"),
    ],
)
def test_bad_settings_are_refused_with_what_to_write(overrides: list[str], message: str) -> None:
    with pytest.raises(ConfigError) as error:
        load_settings(None, None, overrides)
    assert str(error.value) == message


def test_a_key_of_a_table_has_its_own_source() -> None:
    settings = load_settings(None, None, ["rollout.engine.swap_space=1"])
    assert settings.sources["rollout.engine"] == "command line"
    assert settings.config.rollout.engine == {"swap_space": 1}


def test_an_end_in_a_slash_makes_no_other_server() -> None:
    urls = '["http://10.0.0.1:8001/", "http://10.0.0.1:8001"]'
    overrides = ["rollout.backend=server", f"rollout.servers={urls}"]
    assert set(load_settings(None, None, overrides).config.rollout.servers) == {
        "http://10.0.0.1:8001"
    }


def test_bf16_master_weights_are_allowed_at_a_rate_they_can_hold() -> None:
    assert load_settings(None, None, ["model.master_dtype=bfloat16", "optim.lr=1e-4"])


def test_a_preset_that_does_not_exist_is_answered_with_those_that_do() -> None:
    with pytest.raises(ConfigError) as error:
        load_settings(None, "ppo")
    assert str(error.value) == f"preset 'ppo' does not exist; choose {', '.join(PRESETS)}"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"run\.toml: no such file"):
        load_settings(str(tmp_path / "run.toml"))


@pytest.mark.parametrize(
    ("overrides", "warnings"),
    [
        (
            ["rollout.temperature=0.6", "rollout.response_length=[[0,4096],[300,8192]]"],
            ["rollout.temperature below 0.8", "rollout.response_length starts short",
             "rollout.response_length is extended after step 260"],
        ),
        (["rollout.temperature=1.2"], []),
        (["loss.old_logp=rollout"], ["loss.correction"]),
        (["loss.old_logp=rollout", "loss.correction=off"], []),
        (["rollout.engine.swap_space=1"], ["rollout.engine is passed to vLLM alone"]),
        (["rollout.engine.swap_space=1", "rollout.backend=vllm"], []),
    ],
)  # fmt: skip
def test_what_the_paper_found_and_what_has_no_effect_is_warned_of(
    overrides: list[str], warnings: list[str]
) -> None:
    texts = load_settings(None, None, overrides).config.list_warnings()
    assert [text[: len(start)] for text, start in zip(texts, warnings, strict=True)] == warnings


def test_the_papers_preset_warns_of_nothing() -> None:
    assert load_settings(None, "paper").config.list_warnings() == []
