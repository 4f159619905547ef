"""``loss.function``: a loss of the user's own that cannot work is named, with its line."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from microcoder_train.errors import ConfigError
from microcoder_train.learner.loss import LossFunction

HERE = "tests.train.learner.test_loss"


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


def broken_backward(logp: Tensor, *_: object) -> tuple[Tensor, Tensor]:
    return BrokenBackward.apply(logp), logp.exp()


def steep(logp: Tensor, *_: object) -> tuple[Tensor, Tensor]:
    """A finite loss whose gradient is not, where every logp is -1."""
    return (logp + 1).abs().sqrt(), logp.exp()


def for_two_rows(logp: Tensor, *_: object) -> tuple[Tensor, Tensor]:
    return weigh(logp), logp.exp()


def weigh(logp: Tensor) -> Tensor:
    return logp * torch.ones(2, 3)


def test_a_loss_that_fails_on_other_rows_is_named_with_its_line() -> None:
    loss = LossFunction(f"{HERE}:for_two_rows")
    with pytest.raises(
        ConfigError,
        match=r"for_two_rows fails on 4 rows of 7 tokens: Runtime.*\(test_loss.py:\d+\)",
    ):
        loss(torch.zeros(4, 7))


def test_a_backward_pass_that_fails_during_the_run_is_named_with_its_line() -> None:
    loss = LossFunction(f"{HERE}:broken_backward")
    values, _ = loss(torch.zeros(4, 7, requires_grad=True))
    with pytest.raises(
        ConfigError,
        match=r"broken_backward fails in its backward pass: IndexError: .*\(test_loss.py:\d+\)",
    ):
        loss.backward(values.sum())


def test_a_backward_pass_that_always_fails_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BrokenBackward, "rows", 0)
    with pytest.raises(ConfigError, match="broken_backward fails in its backward pass"):
        LossFunction(f"{HERE}:broken_backward")


def test_a_gradient_that_is_not_finite_is_refused() -> None:
    with pytest.raises(ConfigError, match="its gradient is not finite where every logp is -1"):
        LossFunction(f"{HERE}:steep")


def test_a_fault_of_the_model_is_not_the_losss() -> None:
    loss = LossFunction("microcoder_train.algorithm.losses:cispo")
    with pytest.raises(RuntimeError, match="does not require grad"):
        loss.backward(torch.zeros(2, 3).sum())
