"""``loss.function``: a loss of the user's own that cannot work is named, with its line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from microcoder_train.algorithm import grpo
from microcoder_train.errors import ConfigError
from microcoder_train.learner.loss import LossFunction

HERE = "tests.train.learner.test_loss"
Loss = tuple[Tensor, Tensor]


class BrokenBackward(torch.autograd.Function):
    """The identity; its gradient fails beyond a number of rows."""

    rows = 2

    @staticmethod
    def forward(ctx: Any, logp: Tensor) -> Tensor:
        return logp.clone()

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        if len(gradient) > BrokenBackward.rows:
            raise IndexError("no such row")
        return gradient


class NoBackward(BrokenBackward):
    """Returns no gradient."""

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> None:  # type: ignore[override]
        return None


class LongBackward(BrokenBackward):
    """Returns a gradient of another shape."""

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        return gradient.repeat(2, 1)


def compute_reinforce(logp: Tensor, old_logp: Tensor, advantages: Tensor) -> Loss:
    ratio = (logp - old_logp).exp()
    return -ratio * advantages[:, None], ratio


def with_broken_backward(logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    return compute_reinforce(BrokenBackward.apply(logp), old_logp, advantages)


def without_backward(logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    return compute_reinforce(NoBackward.apply(logp), old_logp, advantages)


def with_long_backward(logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    return compute_reinforce(LongBackward.apply(logp), old_logp, advantages)


def with_wrong_sign(logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    loss, ratio = compute_reinforce(logp, old_logp, advantages)
    return -loss, ratio


def with_wrong_sign_and_steep_padding(
    logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object
) -> Loss:
    """Its gradient is NaN where logp is 0, which is at padding only."""
    loss, ratio = compute_reinforce(logp, old_logp, advantages)
    return 0 * logp.abs().sqrt() - loss, ratio


def in_wrong_order(old_logp: Tensor, logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    return compute_reinforce(logp, old_logp, advantages)


def ratio_first(logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    loss, ratio = compute_reinforce(logp, old_logp, advantages)
    return ratio, loss


def with_changed_arguments(
    logp: Tensor, old_logp: Tensor, advantages: Tensor, _clipping: object, mask: Tensor
) -> Loss:
    mask[:] = False
    return compute_reinforce(logp, old_logp, advantages)


def with_baseline(logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    return compute_reinforce(logp, old_logp, advantages - advantages.mean() + advantages.max())


def with_padding(logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    loss, ratio = compute_reinforce(logp, old_logp, advantages)
    return loss / logp.shape[1] + 0 * ratio, ratio


def with_padded_mean(logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    """Its value is right where both policies agree, its gradient is not."""
    ratio = (logp - old_logp).mean(dim=1, keepdim=True).exp().expand_as(logp)
    return -ratio * advantages[:, None], ratio


KEPT: list[Tensor] = []


def with_kept_graph(logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    loss, ratio = compute_reinforce(logp, old_logp, advantages)
    KEPT.append(ratio.mean())
    return loss * KEPT[0], ratio


def with_changed_logp(logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    logp -= 1
    return compute_reinforce(logp, old_logp - 1, advantages)


CALLS: list[int] = []


def annealed(logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    CALLS.append(1)
    loss, ratio = compute_reinforce(logp, old_logp, advantages)
    return loss * (1 - len(CALLS) / 1000), ratio


def with_dropout(logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    loss, ratio = compute_reinforce(logp, old_logp, advantages)
    return torch.nn.functional.dropout(loss, 0.3), ratio


def of_late_tokens(logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    loss, ratio = compute_reinforce(logp, old_logp, advantages)
    return loss * (torch.arange(logp.shape[1]) >= 5), ratio


def of_unlikely_tokens(logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    loss, ratio = compute_reinforce(logp, old_logp, advantages)
    return loss * (old_logp < -1.1), ratio


def of_many_tokens(
    logp: Tensor, old_logp: Tensor, advantages: Tensor, _clipping: object, mask: Tensor
) -> Loss:
    loss, ratio = compute_reinforce(logp, old_logp, advantages)
    return loss * (mask.sum(dim=1, keepdim=True) > 1000), ratio


def with_much_entropy(logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    loss, ratio = compute_reinforce(logp, old_logp, advantages)
    return loss + 10 * logp, ratio


def with_double_ratio(logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    loss, ratio = compute_reinforce(logp, old_logp, advantages)
    return loss, ratio.double()


def with_its_own_backward(logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    loss, ratio = compute_reinforce(logp, old_logp, advantages)
    loss.mean().backward(retain_graph=True)
    return loss, ratio


def with_changed_data(logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    advantages.data.mul_(0.5)
    return compute_reinforce(logp, old_logp, advantages)


async def in_coroutine(logp: Tensor, *_: object) -> Loss:
    return logp, logp.exp()


def without_advantages(logp: Tensor, old_logp: Tensor, *_: object) -> Loss:
    ratio = (logp - old_logp).exp()
    return -ratio, ratio


def with_changed_long_rows(
    logp: Tensor, old_logp: Tensor, advantages: Tensor, _clipping: object, mask: Tensor
) -> Loss:
    if len(mask) > 2:
        mask[:, 3:] = False
    return compute_reinforce(logp, old_logp, advantages)


def with_changed_ratio(logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    loss, ratio = compute_reinforce(logp, old_logp, advantages)
    return loss * ratio, ratio.clamp_(max=2)


def with_exit(*_: object) -> Loss:
    raise SystemExit(3)


def in_numpy(logp: Tensor, *_: object) -> tuple[Any, Any]:
    return logp.detach().numpy(), logp.exp()


def of_answers(logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    loss, ratio = compute_reinforce(logp, old_logp, advantages)
    return loss.mean(dim=1), ratio


def steep(logp: Tensor, old_logp: Tensor, *_: object) -> Loss:
    """A finite loss whose gradient is not, where both policies agree."""
    return (logp - old_logp).abs().sqrt(), logp.exp()


def steep_at_zero(logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    loss, ratio = compute_reinforce(logp, old_logp, advantages)
    return loss + 0 * logp.abs().sqrt(), ratio


def for_two_rows(logp: Tensor, old_logp: Tensor, advantages: Tensor, *_: object) -> Loss:
    return compute_reinforce(weigh(logp), old_logp, advantages)


def weigh(logp: Tensor) -> Tensor:
    return logp * torch.ones(min(len(logp), 2), min(logp.shape[1], 32))


def make_arguments(
    rows: int, tokens: int, *, logp: float = 0.0
) -> tuple[Tensor, Tensor, Tensor, grpo.Clipping, Tensor]:
    logp_BT = torch.full((rows, tokens), logp)
    mask_BT = torch.ones(rows, tokens, dtype=torch.bool)
    arguments = logp_BT.clone(), torch.ones(rows), grpo.Clipping(), mask_BT
    return logp_BT.requires_grad_(), *arguments


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("for_two_rows", r"it fails on 4 rows of 7 tokens: Runtime.*\(test_loss.py:\d+\)"),
        ("with_changed_long_rows", "changes its argument mask in place"),
    ],
)
def test_a_loss_that_fails_during_the_run_is_named_with_its_line(name: str, message: str) -> None:
    loss = LossFunction(f"{HERE}:{name}")
    with pytest.raises(ConfigError, match=f"{name}.*{message}"):
        loss(*make_arguments(4, 7))


def test_a_backward_pass_that_fails_during_the_run_is_named_with_its_line() -> None:
    loss = LossFunction(f"{HERE}:with_broken_backward")
    values, _ = loss(*make_arguments(4, 7))
    with pytest.raises(
        ConfigError,
        match=r"backward: it fails in the backward pass: IndexError: no such.*\(test_loss.py:\d+\)",
    ):
        loss.backward(values.sum())


def test_a_gradient_that_becomes_infinite_is_remembered() -> None:
    """Its value stays finite, so only the gradient by logp tells the loss from the model."""
    loss = LossFunction(f"{HERE}:steep_at_zero")
    loss.backward(loss(*make_arguments(1, 2, logp=-1.0))[0].sum())
    assert loss.has_finite_gradients
    loss.backward(loss(*make_arguments(1, 2, logp=0.0))[0].sum())
    assert not loss.has_finite_gradients


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("with_long_backward", "fails in the backward pass: RuntimeError: .*invalid gradient"),
        ("with_changed_ratio", "fails in the backward pass: RuntimeError: .*inplace operation"),
        ("with_wrong_sign", "makes right answers rarer"),
        ("with_wrong_sign_and_steep_padding", "makes right answers rarer"),
        (
            "in_wrong_order",
            r"the order of the arguments \(logp, old_logp, adv",
        ),
        ("with_baseline", "depends on the others of the call"),
        ("with_padding", "or on padding"),
        ("with_padded_mean", "or on padding"),
        ("with_kept_graph", "what it keeps between calls must be detached"),
        ("with_changed_logp", "changes its argument logp in place"),
        ("with_its_own_backward", "it calls backward itself"),
        ("with_changed_data", "changes its arguments, which others use"),
        ("in_coroutine", "must not be async"),
        ("without_advantages", "the same for right and wrong answers: does it use advantages"),
        ("ratio_first", r"returns \(loss, ratio\), and the ratio must be 1 where logp equals"),
        ("with_changed_arguments", "changes its argument mask in place"),
        ("with_exit", "it fails on 2 rows of 32 tokens: SystemExit: 3"),
        ("in_numpy", r"not \(ndarray, \[2, 32\]\)$"),
        ("of_answers", r"not \(\[2\], \[2, 32\]\)\. The mean is taken later"),
        ("steep", "its gradient is not finite where logp equals old_logp"),
    ],
)
def test_a_loss_that_cannot_teach_is_refused_before_the_run(name: str, message: str) -> None:
    with pytest.raises(ConfigError, match=rf"^loss.function={HERE}:{name}:? .*{message}"):
        LossFunction(f"{HERE}:{name}")


@pytest.mark.parametrize("name", ["grpo:policy_loss", "losses:gspo", "losses:cispo"])
def test_the_losses_that_are_here_are_accepted(name: str) -> None:
    assert LossFunction(f"microcoder_train.algorithm.{name}").notes == []


@pytest.mark.parametrize(
    "name",
    ["annealed", "with_dropout", "of_late_tokens", "of_unlikely_tokens", "with_much_entropy",
     "with_double_ratio"],
)  # fmt: skip
def test_a_loss_that_research_may_want_is_accepted(name: str) -> None:
    assert LossFunction(f"{HERE}:{name}").notes == []


@pytest.mark.parametrize("name", ["without_backward", "of_many_tokens"])
def test_a_loss_without_a_gradient_in_its_trial_is_noted(name: str) -> None:
    (note,) = LossFunction(f"{HERE}:{name}").notes
    assert "its gradient is 0 for a right and for a wrong answer of 32 and 20 tokens" in note


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("my_loss", "give module:name"),
        ("my_loss.py:f", "give module:name"),
        ("my_loss:", "give module:name"),
        ("no_such_module:f", "cannot be imported: ModuleNotFoundError"),
        ("broken_module:f", "cannot be imported: SyntaxError"),
        ("failing_module:f", r"cannot be imported: ZeroDivisionError: .*\(failing_module.py:2\)"),
    ],
)
def test_a_loss_that_cannot_be_imported_is_named(
    name: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_module.py").write_text("def f(:")
    (tmp_path / "failing_module.py").write_text("import math\n1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ConfigError, match=rf"^loss.function={name}: {message}"):
        LossFunction(name)


def test_a_fault_of_the_model_is_not_that_of_a_loss_which_is_here() -> None:
    loss = LossFunction("microcoder_train.algorithm.losses:cispo")
    with pytest.raises(RuntimeError, match="does not require grad"):
        loss.backward(torch.zeros(2, 3).sum())
