"""An update: the same whatever the micro-batches, the skipped rows and the number of processes."""

from __future__ import annotations

import functools
import itertools
import math
import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
import torch
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoTokenizer,
    MambaConfig,
    MambaForCausalLM,
)
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

from microcoder_train.config_layers import Settings
from microcoder_train.learner.advantages import split_by_cost
from microcoder_train.learner.batching import (
    Layout,
    Sequences,
    TrainingSample,
    make_batch,
    split_micro_batches,
)
from microcoder_train.learner.flops import count_forward_flops, read_clock
from microcoder_train.learner.policy import Policy
from microcoder_train.learner.update import update
from microcoder_train.rollout.sync import score_rows
from microcoder_train.run.alarms import find_mismatch_alarms
from tests.train.digits import Make
from tests.train.learner.one_step import policy_of, rows, weights

ROOT = Path(__file__).parents[3]
ONE_RANK = [sys.executable, "-m", "tests.train.learner.one_rank"]


def take_step(
    settings: Settings, order: list[int] | None = None
) -> tuple[Policy, dict[str, float]]:
    policy = policy_of(settings)
    minis = rows(policy)
    if order is not None:
        minis = [[mini[i] for i in order] for mini in minis]
    metrics = update(policy, minis, settings.config, 0, 4)
    return policy, metrics


def test_times_are_read_after_the_kernels_of_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    devices: list[torch.device] = []
    monkeypatch.setattr(torch.cuda, "synchronize", devices.append)
    read_clock(torch.device("cpu"))
    assert devices == []
    read_clock(torch.device("cuda:0"))
    assert devices == [torch.device("cuda:0")]


@pytest.mark.parametrize("tokens", [1, 20, 64])
@pytest.mark.parametrize("aggregation", ["token-mean", "seq-mean-token-mean"])
def test_micro_batches_change_nothing(settings: Make, tokens: int, aggregation: str) -> None:
    mode = f"loss.aggregation={aggregation}"
    reference, expected = take_step(settings(mode))
    parts, metrics = take_step(
        settings(mode, f"train.tokens_per_micro_batch={tokens}", "train.logits_chunk=3"),
        [3, 1, 0, 2, 7, 5, 6, 4],
    )
    assert metrics["actor/pg_loss"] == pytest.approx(expected["actor/pg_loss"], abs=1e-9)
    assert metrics["actor/grad_norm"] == pytest.approx(expected["actor/grad_norm"], rel=1e-6)
    torch.testing.assert_close(weights(parts), weights(reference), rtol=0, atol=1e-7)


def test_the_learning_rate_rises_for_the_warmup_steps(settings: Make) -> None:
    policy = policy_of(settings("optim.lr=.04", "optim.warmup_steps=3"))
    assert [policy.compute_learning_rate(step) for step in range(5)] == pytest.approx(
        [0.01, 0.02, 0.03, 0.04, 0.04]
    )


def test_weights_decay_by_their_share_of_the_learning_rate(settings: Make) -> None:
    start = weights(policy_of(settings()))
    plain, decayed = (
        weights(take_step(settings("optim.lr=1e-3", f"optim.weight_decay={decay}"))[0])
        for decay in (0, 100)
    )
    steps = {"rtol": 0, "atol": 5e-3}  # two, of the learning rate each
    torch.testing.assert_close(plain, start, **steps)
    torch.testing.assert_close(decayed, 0.9**2 * start, **steps)


def test_clipped_gradients_move_nothing_beyond_their_norm(settings: Make) -> None:
    start = weights(policy_of(settings()))
    mode = ("optim.lr=1e-2", "optim.weight_decay=0")
    free, clipped = (
        weights(take_step(settings(*mode, f"optim.grad_clip={norm}"))[0]) for norm in (1, 1e-12)
    )
    assert (free - start).abs().max() > 1e-3
    torch.testing.assert_close(clipped, start, rtol=0, atol=1e-5)


def test_rows_without_advantage_count_but_need_not_be_forwarded(settings: Make) -> None:
    skipping_policy, metrics = take_step(settings())
    full_policy, expected = take_step(settings("train.skip_zero_advantages=false"))
    assert metrics["actor/pg_loss"] == pytest.approx(expected["actor/pg_loss"], abs=1e-9)
    torch.testing.assert_close(weights(skipping_policy), weights(full_policy), rtol=0, atol=1e-7)
    for name in ("entropy", "ppo_kl", "clipfrac_low", "clipfrac_high"):
        over_rows_with_advantage = f"actor/{name}_with_advantage"
        assert metrics[over_rows_with_advantage] == pytest.approx(
            expected[over_rows_with_advantage], abs=1e-6
        )


def test_figures_under_verls_names_are_of_all_rows_or_missing(settings: Make) -> None:
    _, skipping = take_step(settings("optim.lr=1e-2", "loss.eps_low=.001", "loss.eps_high=.001"))
    _, full = take_step(
        settings(
            "optim.lr=1e-2", "loss.eps_low=.001", "loss.eps_high=.001",
            "train.skip_zero_advantages=false",
        )
    )  # fmt: skip
    assert math.isnan(skipping["actor/entropy"])
    assert math.isnan(skipping["actor/ppo_kl"])
    assert full["actor/entropy"] != pytest.approx(full["actor/entropy_with_advantage"], rel=1e-6)
    # A token without advantage is never clipped: that needs no forward pass.
    shares = ("actor/clipfrac_low", "actor/clipfrac_high")
    assert sum(full[name] for name in shares) > 0
    for name in shares:
        assert skipping[name] == pytest.approx(full[name], abs=1e-6)
        assert full[name] <= full[f"{name}_with_advantage"]


def test_an_attention_without_float32_starts_under_autocast(settings: Make) -> None:
    def attend(module: Any, query: Tensor, *rest: Any, **options: Any) -> Any:
        assert query.dtype is torch.bfloat16, "as flash-attention"
        return sdpa_attention_forward(module, query, *rest, **options)

    ALL_ATTENTION_FUNCTIONS.register("like_flash", attend)
    options = ("model.attention=like_flash", "model.autocast=bfloat16")
    policy = policy_of(settings(*options))
    metrics = update(policy, rows(policy), settings(*options).config, 0, 4)
    assert metrics["actor/grad_norm"] > 0
    row = TrainingSample((1, 2), (3, 4), (0.0, 0.0), 1.0, 0.0)
    assert score_rows(policy.scorer, [row]).shape == (2,)  # the check of every weight push


def test_a_batch_without_signal_still_moves_by_momentum(settings: Make) -> None:
    policy = policy_of(settings())
    minis = rows(policy)
    update(policy, minis, settings().config, 0, 4)
    before = weights(policy)
    zero_rows = [[replace(row, advantage=0.0) for row in mini] for mini in minis]
    metrics = update(policy, zero_rows, settings().config, 1, 4)
    assert metrics["actor/grad_norm"] == 0.0
    assert not torch.equal(weights(policy), before)


def test_the_first_ratio_is_one_and_later_mini_batches_see_a_moved_policy(settings: Make) -> None:
    policy = policy_of(settings("optim.lr=1e-2"))
    minis = rows(policy)
    first = update(policy, minis[:1], settings("optim.lr=1e-2").config, 0, 4)
    assert first["actor/ppo_kl_with_advantage"] == 0.0
    _, later = take_step(settings("optim.lr=1e-2"))
    assert later["actor/ppo_kl_with_advantage"] != 0.0


def test_the_update_raises_what_was_good_and_lowers_what_was_bad(settings: Make) -> None:
    policy = policy_of(settings())
    minis = rows(policy)
    update(policy, minis, settings().config, 0, 4)
    gains = []
    for row in (row for mini in minis for row in mini if row.advantage):
        with torch.no_grad():
            logp_BT, _ = policy.score(make_batch([row], policy.device))
        gains.append((logp_BT.sum().item() - sum(row.rollout_logps)) * row.advantage)
    assert sum(gains) > 0


def gradients(policy: Policy) -> torch.Tensor:
    return torch.cat([p.grad.flatten() for p in policy.parameters if p.grad is not None])


@pytest.mark.parametrize("shares_prompts", [True, False])
def test_checkpointed_activations_change_no_gradient(settings: Make, shares_prompts: bool) -> None:
    reference_policy, _ = take_step(settings("train.share_prompts=false"))
    saving, _ = take_step(
        settings(
            "model.activation_checkpointing=true", f"train.share_prompts={shares_prompts}".lower()
        )
    )
    assert saving.shares_prompts == shares_prompts
    torch.testing.assert_close(gradients(saving), gradients(reference_policy), rtol=0, atol=1e-12)
    torch.testing.assert_close(weights(saving), weights(reference_policy), rtol=0, atol=1e-9)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of torch, about its own calls while it compiles
def test_compiled_layers_change_no_gradient(
    settings: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Traced and differentiated as always, but without two minutes of torch's C++ compiler."""
    traced = functools.partialmethod(torch.nn.Module.compile, backend="aot_eager")
    monkeypatch.setattr(torch.nn.Module, "compile", traced)
    torch._dynamo.reset()
    words = (
        "rollout.backend=server",
        'rollout.servers=["http://127.0.0.1:1"]',
        "model.activation_checkpointing=true",  # as where there is CUDA
    )
    eager, compiled = (
        policy_of(settings(*words, word))
        for word in ("train.share_prompts=false", "model.compile=true")
    )
    minis = rows(eager)
    for policy in (eager, compiled):
        policy.model.float()
        update(policy, minis, policy._config, 0, 4)
    assert torch._dynamo.utils.counters["frames"]["ok"] > 0
    torch.testing.assert_close(gradients(compiled), gradients(eager), rtol=0, atol=1e-5)


def test_a_checkpointed_layer_is_computed_again_for_its_gradients(settings: Make) -> None:
    def count_attention(*overrides: str) -> int:
        policy, calls = policy_of(settings(*overrides)), []
        policy.model.model.layers[0].self_attn.register_forward_hook(lambda *_: calls.append(1))
        logp_BT, _ = policy.score(make_batch(rows(policy)[0], policy.device, "shared"))
        calls.clear()
        logp_BT.sum().backward()
        return len(calls)

    assert count_attention() == 0
    assert count_attention("model.activation_checkpointing=true") == 2  # prompts and rows


def test_rows_masked_out_of_the_loss_leave_the_denominator(settings: Make) -> None:
    policy = policy_of(settings())
    mini = rows(policy)[0]
    hidden = [replace(row, advantage=0.0, counted=False) for row in mini[:4]]
    loss = update(policy, [[*hidden, *mini[4:]]], settings().config, 0, 4)["actor/pg_loss"]
    alone = update(policy_of(settings()), [mini[4:]], settings().config, 0, 4)["actor/pg_loss"]
    assert loss == pytest.approx(alone, abs=1e-9)


def test_kl_pulls_towards_the_reference(settings: Make) -> None:
    options = settings("loss.beta=5.0")
    policy = policy_of(options)
    policy.reference = policy_of(options).model
    with torch.no_grad():
        for parameter in policy.parameters:
            parameter.add_(0.02 * torch.randn_like(parameter))
    zero_rows = [[replace(row, advantage=0.0) for row in rows(policy)[0]]]
    losses = [update(policy, zero_rows, options.config, 0, 4)["actor/pg_loss"] for _ in range(20)]
    assert losses[-1] < 0.5 * losses[0]


def test_a_gradient_that_is_not_finite_changes_nothing(settings: Make) -> None:
    policy = policy_of(settings())
    minis = rows(policy)
    broken = [replace(row, advantage=math.nan) for row in minis[0]]
    before = weights(policy)
    metrics = update(policy, [broken, broken], settings().config, 0, 4)
    assert metrics["actor/skipped"] == 2
    assert policy.consecutive_skips == 2
    assert torch.equal(weights(policy), before)
    assert policy.optimizer.state == {}
    assert policy.find_non_finite().startswith("gradient of ")


def count_computed(some: list[TrainingSample], layout: Layout) -> int:
    """Tokens that the model computes, padding included."""
    inputs = make_batch(some, torch.device("cpu"), layout).inputs
    if isinstance(inputs, Sequences):
        return inputs.ids_BS.numel() + (len(some) if layout != "packed" else 0)
    return inputs.prompt_ids_PS.numel() + inputs.input_ids_BT.numel()


@pytest.mark.parametrize("layout", ["rows", "packed", "shared"])
def test_micro_batches_hold_every_row_once_within_the_budget(layout: Layout) -> None:
    all_rows = [
        TrainingSample((1,) * (1 + i * 7 % 11), (2,) * (1 + i % 3), (0.0,), 1.0, 1.0)
        for i in range(30)
    ]
    batches = split_micro_batches(all_rows, 24, layout)
    assert sorted(i for batch in batches for i in batch) == list(range(30))
    for batch in batches:
        assert count_computed([all_rows[i] for i in batch], layout) <= 24
    alone = split_micro_batches(all_rows, 1, layout)
    assert sorted(alone) == [[i] for i in range(30)]


def test_rows_of_a_long_prompt_are_put_together_and_of_a_short_one_by_length() -> None:
    def batches(prompt: int, tokens: int) -> list[list[int]]:
        lengths = [9, 1, 9, 1]
        all_rows = [
            TrainingSample((i // 2,) * prompt, (2,) * n, (), 1.0, 1.0)
            for i, n in enumerate(lengths)
        ]
        return sorted(sorted(batch) for batch in split_micro_batches(all_rows, tokens))

    assert batches(50, 70) == [[0, 1], [2, 3]]
    assert batches(1, 20) == [[0, 2], [1, 3]]


def test_a_model_without_keys_and_values_shares_no_prompts(settings: Make, tiny: Path) -> None:
    size = {"hidden_size": 16, "num_hidden_layers": 1, "state_size": 4, "vocab_size": 24}
    tokenizer = AutoTokenizer.from_pretrained(tiny / "model")
    policy = Policy(settings().config, MambaForCausalLM(MambaConfig(**size)), tokenizer)
    assert not policy.shares_prompts
    assert policy_of(settings()).shares_prompts


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, pytest.param(4, marks=pytest.mark.long)])
def test_several_processes_take_the_step_of_one(
    settings: Make, tiny: Path, tmp_path: Path, count: int
) -> None:
    """In bfloat16 but for rounding: the sharded weights themselves stay as wide as they were, and
    so do all ranks' sums."""
    before = weights(policy_of(settings()))
    alone, metrics = take_step(settings())
    words = ["", "model.activation_checkpointing=true", "model.autocast=bfloat16"]
    *exact, rounded = take_steps_together(tiny, tmp_path, count, words)
    for gains, loss in itertools.chain(*exact):
        assert loss == pytest.approx(metrics["actor/pg_loss"], abs=1e-9)
        torch.testing.assert_close(gains, weights(alone), rtol=0, atol=1e-7)
    for gains, loss in rounded:
        assert torch.equal(gains, rounded[0][0])
        assert gains.dtype == before.dtype
        assert loss != metrics["actor/pg_loss"]
        assert loss == pytest.approx(metrics["actor/pg_loss"], abs=0.05)
        steps = (gains - before, weights(alone) - before)
        assert torch.cosine_similarity(*steps, dim=0) > 0.8


def take_steps_together(
    tiny: Path, tmp_path: Path, count: int, words: list[str]
) -> list[list[tuple[torch.Tensor, float]]]:
    """For each of the settings the weights and the loss of each of some processes after a step."""
    meeting, results = tmp_path / "meeting", [tmp_path / f"{rank}.pt" for rank in range(count)]
    ranks = [
        subprocess.Popen(
            [*ONE_RANK, str(rank), str(count), tiny / "model", meeting, results[rank], *words],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": "sandbox", "GLOO_SOCKET_IFNAME": "lo"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for rank in range(count)
    ]
    outputs = [rank.communicate()[0] for rank in ranks]
    assert [rank.returncode for rank in ranks] == [0] * count, "\n".join(outputs)
    return [list(step) for step in zip(*map(torch.load, results), strict=True)]


def make_disagreeing(policy: Policy, gap: float) -> list[TrainingSample]:
    """Rows whose engine gave every third one's tokens ``gap`` too little probability."""
    apart = []
    for i, row in enumerate(rows(policy)[0]):
        logps = tuple(logp - gap * (i % 3 == 0) for logp in row.rollout_logps)
        apart.append(replace(row, rollout_logps=logps, advantage=1.0))
    return apart


@pytest.mark.parametrize("old_logp", ["trainer", "rollout"])
def test_a_step_says_how_far_engine_and_trainer_are_apart(settings: Make, old_logp: str) -> None:
    options = settings(f"loss.old_logp={old_logp}")
    policy = policy_of(options)
    apart = make_disagreeing(policy, 0.5)
    share = sum(len(row.ids) for row in apart[::3]) / sum(len(row.ids) for row in apart)
    metrics = update(policy, [apart], options.config, 0, 4)
    assert metrics["rollout/logp_diff_mean"] == pytest.approx(0.5 * share, abs=1e-6)
    assert metrics["rollout/logp_diff_max"] == pytest.approx(0.5, abs=1e-6)
    expected = share * math.exp(0.5) + 1 - share
    assert metrics["rollout/is_ratio_mean"] == pytest.approx(expected, abs=1e-6)
    messages = find_mismatch_alarms(metrics, options.config.guard)
    assert list(messages) == ["difference", "ratio"]
    agreeing = update(
        policy_of(options), [make_disagreeing(policy_of(options), 0.0)], options.config, 0, 4
    )
    assert find_mismatch_alarms(agreeing, options.config.guard) == {}


@pytest.mark.parametrize("mode", ["token_truncate", "sequence_mask", "off"])
def test_corrected_tokens_are_counted(settings: Make, mode: str) -> None:
    options = settings(f"loss.correction={mode}", "loss.correction_cap=1.5")
    policy = policy_of(options)
    apart = make_disagreeing(policy, 0.5)  # e^.5 is above the cap, for a token and for a row
    hit = sum(len(row.ids) for row in apart[::3])
    metrics = update(policy, [apart], options.config, 0, 4)
    share = hit / sum(len(row.ids) for row in apart)
    assert metrics["rollout/is_clipped_frac"] == pytest.approx(share)


def test_a_masked_sequence_gives_no_gradient(settings: Make) -> None:
    options = settings("loss.correction=sequence_mask", "loss.correction_cap=1.5")
    policy = policy_of(options)
    metrics = update(policy, [make_disagreeing(policy, 0.5)[:1]], options.config, 0, 4)
    assert metrics["actor/grad_norm"] == 0.0


GROUPED = {
    "vocab_size": 24, "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 1, "head_dim": 8,
}  # fmt: skip
MANY = [
    TrainingSample(prompt, ids, (-1.0,) * len(ids), 1.1, 1.0)
    for prompt, ids in (
        ((12, 5, 22), (3, 9, 4, 7, 1)),
        ((12, 5, 22), (5,)),
        ((7,), (6, 2, 8)),
        ((4, 9, 13, 2, 6, 11), (1, 2)),
    )
]


@pytest.mark.parametrize(
    ("family", "attention", "checkpointed"),
    [
        *itertools.product(["qwen3", "llama", "mistral"], ["sdpa", "eager"], [False]),
        *itertools.product(["qwen3", "mistral", "gemma"], ["sdpa"], [True]),
    ],
)
def test_no_layout_of_the_rows_changes_a_gradient(
    settings: Make, tiny: Path, family: str, attention: str, checkpointed: bool
) -> None:
    """With grouped heads of another width, keys with norms and a window of three tokens; packed
    rows go by transformers' own detection."""
    torch.manual_seed(0)
    window = {"sliding_window": 3} if family == "mistral" and checkpointed else {}
    config = AutoConfig.for_model(family, **GROUPED, **window)
    model = AutoModelForCausalLM.from_config(config, attn_implementation=attention)
    options = settings(f"model.activation_checkpointing={str(checkpointed).lower()}")
    policy = Policy(options.config, model, AutoTokenizer.from_pretrained(tiny / "model"))
    assert policy.shares_prompts

    def take_gradients(batches: list[list[TrainingSample]], layout: Layout) -> Tensor:
        policy.optimizer.zero_grad()
        for batch in batches:
            logp_BT, _ = policy.score(make_batch(batch, policy.device, layout))
            (logp_BT.sum() / len(MANY)).backward()
        return gradients(policy)

    alone = take_gradients([[row] for row in MANY], "rows")
    for layout in get_args(Layout):
        torch.testing.assert_close(take_gradients([MANY], layout), alone, rtol=0, atol=1e-6)


def test_rows_reach_attention_without_a_mask(settings: Make, tiny: Path) -> None:
    masks = []

    def attend(module: Any, query: Tensor, key: Tensor, value: Tensor, mask: Any, **kw: Any) -> Any:
        masks.append(mask)
        return sdpa_attention_forward(module, query, key, value, mask, **kw)

    ALL_ATTENTION_FUNCTIONS.register("seen", attend)
    ALL_MASK_ATTENTION_FUNCTIONS.register("seen", ALL_MASK_ATTENTION_FUNCTIONS["sdpa"])
    config = AutoConfig.for_model("llama", **GROUPED)
    model = AutoModelForCausalLM.from_config(config, attn_implementation="seen")
    policy = Policy(settings().config, model, AutoTokenizer.from_pretrained(tiny / "model"))
    masks.clear()
    policy.score(make_batch(MANY, policy.device))
    assert masks == [None, None]  # one a layer


def test_the_speed_is_that_of_what_was_computed(settings: Make) -> None:
    """Rows without advantage are not forwarded, and a shared prompt is computed once."""
    policy = policy_of(settings())
    samples = [replace(row, advantage=float(i % 2)) for i, row in enumerate(MANY)]
    metrics = update(policy, [samples], settings().config, 0, 4)
    seconds = metrics["timing_s/update"] + metrics["timing_s/old_logp"]
    tokens = sum(row.length for row in samples if row.advantage)
    assert metrics["perf/train_tok_s"] * seconds == pytest.approx(tokens, rel=1e-6)
    lengths = [row.length for row in samples if row.advantage]
    flops = 3 * count_forward_flops(policy.model, lengths)
    assert metrics["perf/tflops"] * 1e12 * seconds == pytest.approx(flops, rel=1e-6)
    assert 0 < metrics["perf/mfu"] < 1
    assert sum(make_batch(MANY[:2], policy.device, "shared").lengths) == 3 + 5 + 1


def test_operations_are_two_a_weight_and_token() -> None:
    model = AutoModelForCausalLM.from_config(
        AutoConfig.for_model("llama", **GROUPED), attn_implementation="eager"
    )
    with FlopCounterMode(display=False) as counter:
        model(input_ids=torch.zeros(1, 64, dtype=torch.long))
    # This attention computes the upper half, too, which causal kernels leave out.
    upper_half = 2 * 2 * 32 * 64**2
    counted = counter.get_total_flops() - upper_half
    assert count_forward_flops(model, [64]) == pytest.approx(counted, rel=0.05)


def test_groups_are_dealt_by_tokens() -> None:
    """Sums of lengths as they are late in a run: many short answers, a few at the limit."""
    noise = random.Random(0)
    for _ in range(20):
        costs = [int(min(noise.lognormvariate(7, 1.2), 8192) * 8) for _ in range(32)]
        hands = split_by_cost(costs, 8)
        assert sorted(i for hand in hands for i in hand) == list(range(32))
        totals = [sum(costs[i] for i in hand) for hand in hands]
        by_position = [sum(costs[rank::8]) for rank in range(8)]
        assert max(totals) <= max(max(by_position), max(costs))
        assert max(totals) <= max(max(costs), 1.1 * sum(costs) / 8)
    assert split_by_cost([0, 0, 0, 0], 2) == [[0, 2], [1, 3]]
