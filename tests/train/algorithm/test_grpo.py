"""The mathematics, against values worked out by hand and against its own invariances."""

from __future__ import annotations

import itertools
import math

import pytest
import torch
from torch import Tensor

from microcoder_train.algorithm import counter
from microcoder_train.algorithm.grpo import (
    Aggregation,
    Clipping,
    Totals,
    aggregate,
    compute_importance_weights,
    compute_kl_penalty,
    compute_logprobs,
    compute_token_logprobs,
    count_clipped,
    ends_in_repetition,
    group_advantages,
    make_truncation_mask,
    policy_loss,
)

PAPER = Clipping(0.2, 0.28)


def compute_advantages(rewards: list[float | None], **options: object) -> list[float]:
    values = torch.tensor([[0.0 if r is None else r for r in rewards]], dtype=torch.float64)
    valid = torch.tensor([[r is not None for r in rewards]])
    result: list[float] = group_advantages(values, valid, **options)[0].tolist()  # type: ignore[arg-type]
    return result


@pytest.mark.parametrize(
    ("rewards", "advantages"),
    [([1, 0, 0, 0], [1.5] + [-0.5] * 3), ([1] + [0] * 7, [2.474874] + [-0.353553] * 7)],
)
def test_advantages_are_rewards_less_their_mean_in_standard_deviations(
    rewards: list[float], advantages: list[float]
) -> None:
    assert compute_advantages(rewards) == pytest.approx(advantages, abs=1e-5)


@pytest.mark.parametrize("normalise_std", [True, False])
def test_each_group_is_measured_by_itself(normalise_std: bool) -> None:
    groups: list[list[float | None]] = [[1, 0, 0, 0], [0.5, 0.25, 0, 1], [1, None, 0, 1]]
    values = torch.tensor([[r or 0.0 for r in group] for group in groups], dtype=torch.float64)
    valid = torch.tensor([[r is not None for r in group] for group in groups])
    advantages = group_advantages(values, valid, normalise_std=normalise_std).tolist()
    for advantages_of_group, group in zip(advantages, groups, strict=True):
        alone = compute_advantages(group, normalise_std=normalise_std)
        assert advantages_of_group == pytest.approx(alone, abs=1e-12)
    square = group_advantages(values[:, :3], valid[:, :3], normalise_std=normalise_std)
    assert square[0].tolist() == pytest.approx(
        compute_advantages([1, 0, 0], normalise_std=normalise_std)
    )


@pytest.mark.parametrize("reward", [0.0, 1.0, 0.1, 1 / 3])
def test_equal_rewards_give_exactly_zero(reward: float) -> None:
    for size in (1, 2, 3, 8):
        assert compute_advantages([reward] * size) == [0.0] * size


def test_a_judges_failure_neither_moves_the_mean_nor_gets_a_gradient() -> None:
    with_failure = compute_advantages([1, None, 0, 0])
    assert with_failure[1] == 0.0
    assert [with_failure[i] for i in (0, 2, 3)] == compute_advantages([1, 0, 0])


def test_a_failure_is_not_a_zero() -> None:
    assert compute_advantages([1, None, 1, 1]) == [0.0] * 4


def test_one_scored_sample_is_no_group() -> None:
    assert compute_advantages([1, None, None]) == [0.0] * 3


def test_advantages_may_stay_undivided_by_the_standard_deviation() -> None:
    assert compute_advantages([1, 0, 0, 0], normalise_std=False) == [0.75, -0.25, -0.25, -0.25]


def one_token(advantage: float, ratio: float, clipping: Clipping = PAPER) -> tuple[float, float]:
    """(loss, gradient with respect to the log-probability)."""
    logp = torch.tensor([[math.log(ratio)]], dtype=torch.float64, requires_grad=True)
    old_logp = torch.zeros(1, 1, dtype=torch.float64)
    loss, _ = policy_loss(logp, old_logp, torch.tensor([advantage], dtype=torch.float64), clipping)
    loss.sum().backward()
    assert logp.grad is not None
    return loss.item(), logp.grad.item()


@pytest.mark.parametrize(
    ("advantage", "ratio", "loss", "gradient"),
    [
        (1.5, 1.5, -1.92, 0.0),  # clipped high: 1.28 * 1.5
        (1.5, 1.25, -1.875, -1.875),  # inside the higher bound
        (-0.5, 0.5, 0.4, 0.0),  # clipped low: 0.8 * 0.5
        (-0.5, 1.5, 0.75, 0.75),  # a bad token that became likelier is pushed back in full
        (1.0, 0.5, -0.5, -0.5),  # a good token that became rarer, too
    ],
)
def test_a_ratio_is_clipped_where_the_gradient_would_go_on(
    advantage: float, ratio: float, loss: float, gradient: float
) -> None:
    assert one_token(advantage, ratio) == pytest.approx((loss, gradient), abs=1e-12)


def test_a_ratio_beyond_any_float_stays_finite() -> None:
    assert all(map(math.isfinite, one_token(-1.0, math.exp(300))))


def test_clip_shares_count_where_the_gradient_is_lost() -> None:
    ratio = torch.tensor([[1.5, 1.0, 0.5], [1.5, 0.5, 0.5]])
    mask = torch.tensor([[True, True, True], [True, True, False]])
    low, high = count_clipped(ratio, torch.tensor([1.0, -1.0]), mask, PAPER)
    assert (low.item(), high.item()) == (1, 1)
    ratio[1, 2] = math.nan  # beyond the mask
    assert count_clipped(ratio, torch.tensor([1.0, -1.0]), mask, PAPER) == (1, 1)
    ratio[0, 1] = math.nan
    assert all(map(torch.isnan, count_clipped(ratio, torch.tensor([1.0, -1.0]), mask, PAPER)))


LOSSES = torch.tensor([[1.0, 9.0, 9.0], [2.0, 2.0, 2.0]], dtype=torch.float64)
MASK = torch.tensor([[True, False, False], [True, True, True]])


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("token-mean", 1.75),
        ("seq-mean-token-mean", 1.5),
        ("seq-mean-token-sum", 3.5),
        ("seq-mean-token-sum-norm", 3.5 / 8),
    ],
)
def test_each_aggregation_weighs_tokens_as_it_says(mode: Aggregation, expected: float) -> None:
    assert aggregate(LOSSES, MASK, mode, Totals(4, 2, 8)).item() == pytest.approx(expected)


def test_what_padding_holds_does_not_matter() -> None:
    losses = torch.where(MASK, LOSSES, torch.nan)
    assert aggregate(losses, MASK, "token-mean", Totals(4, 2, 8)).item() == 1.75


@pytest.mark.parametrize("mode", Aggregation.__args__)  # type: ignore[attr-defined]
@pytest.mark.parametrize("split", [(1, 1, 1, 1, 1, 1), (2, 4), (3, 2, 1), (6,)])
def test_loss_and_gradient_do_not_depend_on_split_or_order(
    mode: Aggregation, split: tuple[int, ...]
) -> None:
    generator = torch.Generator().manual_seed(3)
    logits = torch.randn(6, 7, dtype=torch.float64, generator=generator)
    old_logp = logits + 0.3 * torch.randn(6, 7, dtype=torch.float64, generator=generator)
    scale = torch.randn(6, dtype=torch.float64, generator=generator)
    mask = torch.arange(7)[None] < torch.tensor([[7], [1], [3], [5], [2], [6]])
    totals = Totals(int(mask.sum()), 6, 7)

    def loss_and_gradient(order: list[int], sizes: tuple[int, ...]) -> tuple[float, Tensor]:
        leaf = logits.clone().requires_grad_()
        total = 0.0
        for rows in torch.tensor(order).split(list(sizes)):
            token_losses, _ = policy_loss(leaf[rows], old_logp[rows], scale[rows], PAPER)
            share = aggregate(token_losses, mask[rows], mode, totals)
            share.backward()
            total += share.item()
        assert leaf.grad is not None
        return total, leaf.grad

    full_batch = loss_and_gradient([0, 1, 2, 3, 4, 5], (6,))
    parts = loss_and_gradient([4, 2, 0, 5, 1, 3], split)
    assert parts[0] == pytest.approx(full_batch[0], abs=1e-12)
    torch.testing.assert_close(parts[1], full_batch[1], rtol=0, atol=1e-12)


def test_all_four_conditions_must_hold_for_the_mask() -> None:
    cases = list(itertools.product([False, True], repeat=4))
    truncated, eligible, repeating, lucky = torch.tensor(cases).T
    draws = torch.where(lucky, 0.1, 0.9)
    masks = make_truncation_mask(truncated, eligible, repeating, draws, rho=0.2).tolist()
    assert [case for case, hit in zip(cases, masks, strict=True) if hit] == [
        (True, True, False, True)
    ]


@pytest.mark.parametrize(("rho", "expected"), [(0.0, 0), (1.0, 1000)])
def test_rho_masks_none_or_all(rho: float, expected: int) -> None:
    yes = torch.ones(1000, dtype=torch.bool)
    draws = torch.tensor([counter.uniform("mask", i) for i in range(1000)])
    assert int(make_truncation_mask(yes, yes, ~yes, draws, rho).sum()) == expected


def test_a_share_of_rho_is_masked() -> None:
    yes = torch.ones(20_000, dtype=torch.bool)
    draws = torch.tensor([counter.uniform(7, "mask", 3, "p", i) for i in range(20_000)])
    share = make_truncation_mask(yes, yes, ~yes, draws, 0.2).double().mean().item()
    assert share == pytest.approx(0.2, abs=0.01)  # 3.5 standard deviations


def test_draws_depend_on_their_name_only() -> None:
    assert counter.uniform(1, "mask", 2, "p") == counter.uniform(1, "mask", 2, "p")
    names = [(1, "mask", 2, "p"), (2, "mask", 2, "p"), (1, "mask", 2, "q"), (1, "noise", 2, "p")]
    assert len({counter.uniform(*name) for name in names}) == 4
    assert counter.seed_for(1) != counter.seed_for("1")


def test_draws_are_those_of_earlier_versions() -> None:
    # A checkpoint holds no state of a generator: with other draws, a resumed run is another run.
    assert counter.seed_for(1, "mask", 2, "p") == 8211702199157566742
    assert counter.uniform(1, "mask", 2, "p") == 0.8903145364130628
    assert counter.permutation(10, 1, "order", 0) == [9, 5, 8, 3, 1, 0, 2, 4, 7, 6]
    assert counter.permutation(1000, 1, "order", 0)[:5] == [628, 807, 732, 284, 529]


@pytest.mark.parametrize(
    ("ids", "exact", "periodic"),
    [
        (list(range(128)) * 2, True, True),
        (list(range(127)) * 3, False, True),
        (list(range(127)) * 2, False, False),  # 254 tokens: too short to tell
        ([1, 2, 3] * 200, False, True),  # 3 does not divide 128
        ([1, 2] * 200, True, True),
        (list(range(300)), False, False),
        (list(range(128)) * 2 + [5], False, False),
        (list(range(128, 256)) + list(range(127)) * 2, False, False),
    ],
)
def test_a_repetition_at_the_end_is_recognised(ids: list[int], exact: bool, periodic: bool) -> None:
    assert ends_in_repetition(ids) is exact
    assert ends_in_repetition(ids, periodic=True) is periodic


def test_log_probabilities_are_those_at_the_samples_own_temperature() -> None:
    logits = torch.tensor([[1.0, 2.0, 4.0], [1.0, 2.0, 4.0]], dtype=torch.float64)
    logp, entropy = compute_token_logprobs(logits, torch.tensor([2, 0]), torch.tensor([1.0, 2.0]))
    first = 4 - math.log(math.e + math.e**2 + math.e**4)
    second = 0.5 - math.log(math.exp(0.5) + math.e + math.e**2)
    assert logp.tolist() == pytest.approx([first, second])
    assert entropy[1] > entropy[0] > 0


def test_entropy_of_a_certain_token_is_zero() -> None:
    logits = torch.tensor([[0.0, -torch.inf]])
    assert compute_token_logprobs(logits, torch.tensor([0]), torch.ones(1))[1].item() == 0.0


@pytest.mark.parametrize("chunk", [1, 3, 100])
def test_chunks_change_neither_values_nor_gradients(chunk: int) -> None:
    torch.manual_seed(0)
    head = torch.nn.Linear(5, 11, bias=False, dtype=torch.float64)
    ids, temperature = torch.arange(8), torch.full((8,), 1.2, dtype=torch.float64)
    results = []
    for size in (8, chunk):
        hidden = torch.linspace(-1, 1, 40, dtype=torch.float64).reshape(8, 5).requires_grad_()
        head.zero_grad()
        logp, entropy = compute_logprobs(head, hidden, ids, temperature, size)
        logp.square().sum().backward()
        results.append((logp.detach(), entropy, hidden.grad, head.weight.grad.clone()))  # type: ignore[union-attr]
    for first, second in zip(*results, strict=True):
        torch.testing.assert_close(first, second, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("chunk", "calls"), [(8, 1), (4, 4), (3, 6)])
def test_logits_are_made_again_where_there_are_chunks(chunk: int, calls: int) -> None:
    head, count = torch.nn.Linear(5, 11), []
    head.register_forward_hook(lambda *_: count.append(1))
    hidden = torch.ones(8, 5, requires_grad=True)
    logp, _ = compute_logprobs(head, hidden, torch.arange(8), torch.ones(8), chunk)
    logp.sum().backward()
    assert len(count) == calls
    count.clear()
    with torch.no_grad():
        compute_logprobs(head, hidden, torch.arange(8), torch.ones(8), chunk)
    assert len(count) == -(-8 // chunk)


def test_the_kl_penalty_is_zero_for_equal_policies_and_positive_else() -> None:
    logp = torch.tensor([[-1.0, -2.0, -0.5]])
    assert compute_kl_penalty(logp, logp).tolist() == [[0.0, 0.0, 0.0]]
    d = 0.5
    assert compute_kl_penalty(logp, logp + d)[0, 0].item() == pytest.approx(math.exp(d) - d - 1)
    assert (compute_kl_penalty(logp, logp - d) > 0).all()


def test_importance_weights_are_truncated_or_masked() -> None:
    rollout = torch.zeros(2, 2)
    old_logp = torch.tensor([[math.log(3.0), 0.0], [math.log(0.5), math.log(8.0)]])
    mask = torch.tensor([[True, True], [True, False]])

    def weights(mode: str) -> list[list[float]]:
        result = compute_importance_weights(old_logp, rollout, mask, mode, 2.0)  # type: ignore[arg-type]
        return list(result.tolist())

    assert weights("off") == [[1.0, 1.0], [1.0, 1.0]]
    assert weights("token_truncate") == [[2.0, 1.0], [0.5, 1.0]]
    assert weights("sequence_mask") == [[0.0, 0.0], [0.5, 0.5]]
