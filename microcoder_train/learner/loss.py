"""The loss that ``loss.function`` names. It is tried before the run, and its failures name it."""

from __future__ import annotations

import inspect
from functools import partial
from typing import NamedTuple

import torch
from torch import Tensor

import microcoder_train
from microcoder_data.user_code import name_user_line
from microcoder_train.algorithm import grpo
from microcoder_train.errors import ConfigError
from microcoder_train.user_functions import load_function

from .memory import is_memory_error

_ARGUMENTS = ("logp", "old_logp", "advantages", "clipping", "mask")
_TRIED_TOKENS = (32, 20)  # of the right and of the wrong answer with which a loss is tried


class _Trial(NamedTuple):
    """The loss and the ratio of each token, and the gradient of their sum; 0 at padding."""

    losses_BT: Tensor
    ratio_BT: Tensor
    gradient_BT: Tensor

    def select(self, rows: slice, tokens: slice) -> _Trial:
        return _Trial(*(values_BT[rows, tokens] for values_BT in self))

    def has_gradient_of(self, other: _Trial) -> bool:
        return torch.allclose(self.gradient_BT, other.gradient_BT, equal_nan=True)

    def is_close_to(self, other: _Trial) -> bool:
        are_close = torch.allclose(self.losses_BT, other.losses_BT, equal_nan=True)
        return are_close and self.has_gradient_of(other)


class LossFunction:
    """A loss of each token, called as ``grpo.policy_loss`` is.

    The constructor imports and tries it. All methods raise ConfigError, with the line of the user's
    that failed, if there is one.
    """

    def __init__(self, name: str) -> None:
        self._name = f"loss.function={name}"
        self._is_ours = name.startswith(f"{microcoder_train.__name__}.")
        self.has_finite_gradients = True  # by logp, in all calls so far
        self.notes: list[str] = []  # what a user should know of it
        self._function = load_function(name, "loss.function")
        if inspect.iscoroutinefunction(self._function):
            raise ConfigError(f"{self._name}: a loss must not be async")
        if reason := self._find_fault():
            raise ConfigError(f"{self._name}: {reason}")

    def _find_fault(self) -> str | None:
        """Return what is wrong with the loss of a right and a wrong answer, which the old policy
        gave as often as the current one."""
        mask_BT = torch.arange(_TRIED_TOKENS[0]) < torch.tensor(_TRIED_TOKENS)[:, None]
        advantages_B = torch.tensor([2.0, -2.0])
        trial = self._try(advantages_B, mask_BT)
        again = self._try(advantages_B, mask_BT)
        keeps_nothing = trial.is_close_to(again)  # and draws no random numbers
        for row, length in enumerate(_TRIED_TOKENS):
            own, tokens = slice(row, row + 1), slice(length)
            alone = self._try(advantages_B[own], mask_BT[own, tokens])
            if keeps_nothing and not alone.is_close_to(trial.select(own, tokens)):
                return (
                    "its loss of an answer depends on the others of the call, or on padding (use "
                    "mask in each sum over tokens); how much there is depends on memory settings"
                )
        for what, values in (("loss", trial.losses_BT), ("gradient", trial.gradient_BT)):
            if not values[mask_BT].isfinite().all():
                return f"its {what} is not finite where logp equals old_logp"
        ratios = trial.ratio_BT[mask_BT].float()
        if not torch.allclose(ratios, torch.ones_like(ratios)):
            return (
                "it returns (loss, ratio), and the ratio must be 1 where logp equals old_logp; it "
                f"is {ratios[(ratios - 1).abs().argmax()].item():g}"
            )
        opposite = self._try(-advantages_B, mask_BT)
        # Below 0 if a greater advantage makes an answer likelier. A bonus for entropy cancels out.
        effect_B = (trial.gradient_BT - opposite.gradient_BT).sum(dim=1) * advantages_B
        if not trial.gradient_BT.any():
            self.notes.append(
                f"{self._name}: its gradient is 0 for a right and for a wrong answer of "
                f"{' and '.join(map(str, _TRIED_TOKENS))} tokens; is that meant?"
            )
        elif keeps_nothing and trial.has_gradient_of(opposite):
            return "its gradient is the same for right and wrong answers: does it use advantages?"
        elif (effect_B > 0).all():
            return (
                "its gradient makes right answers rarer and wrong ones more frequent: is the sign "
                f"wrong, or the order of the arguments ({', '.join(_ARGUMENTS)})?"
            )
        return None

    def _try(self, advantages_B: Tensor, mask_BT: Tensor) -> _Trial:
        """Return the loss of answers whose tokens have different probabilities, and its gradient.
        Raises ConfigError."""
        logp_T = -torch.linspace(0.05, 3.0, _TRIED_TOKENS[0])[: mask_BT.shape[1]]
        leaf_BT = (logp_T * mask_BT).requires_grad_()  # 0 at padding, as in the run
        logp_BT, old_logp_BT = leaf_BT.clone(), leaf_BT.detach().clone()
        own_advantages_B, own_mask_BT = advantages_B.clone(), mask_BT.clone()
        losses_BT, ratio_BT = self(
            logp_BT, old_logp_BT, own_advantages_B, grpo.Clipping(), own_mask_BT
        )
        copies = (logp_BT, old_logp_BT, own_advantages_B, own_mask_BT)
        if not all(map(torch.equal, copies, (leaf_BT, leaf_BT, advantages_B, mask_BT))):
            raise ConfigError(f"{self._name} changes its arguments, which others use: clone them")
        if leaf_BT.grad is not None:
            raise ConfigError(f"{self._name}: it calls backward itself; it only returns the loss")
        self.backward(losses_BT[mask_BT].sum())
        gradient_BT = torch.zeros_like(leaf_BT) if leaf_BT.grad is None else leaf_BT.grad
        return _Trial(
            torch.where(mask_BT, losses_BT.detach(), 0.0), ratio_BT.detach(),
            torch.where(mask_BT, gradient_BT, 0.0),
        )  # fmt: skip

    def __call__(
        self, logp_BT: Tensor, old_logp_BT: Tensor, advantages_B: Tensor, clipping: grpo.Clipping,
        mask_BT: Tensor,
    ) -> tuple[Tensor, Tensor]:  # fmt: skip
        """Return the loss and the ratio of each token."""
        rows = "{} rows of {} tokens".format(*logp_BT.shape)
        arguments = (logp_BT, old_logp_BT, advantages_B, clipping, mask_BT)
        versions = [getattr(one, "_version", 0) for one in arguments]  # of tensors, by torch
        try:
            result = self._function(*arguments)
        except (Exception, SystemExit) as error:
            call = f"called with ({', '.join(_ARGUMENTS)}), it fails on {rows}"
            raise self._explain(call, error) from error
        for name, one, version in zip(_ARGUMENTS, arguments, versions, strict=True):
            if getattr(one, "_version", 0) != version:
                raise ConfigError(
                    f"{self._name} changes its argument {name} in place, which others use: clone it"
                )
        values = result if isinstance(result, tuple | list) else (result,)
        shapes = [
            list(value.shape) if isinstance(value, Tensor) else type(value).__name__
            for value in values
        ]
        if shapes != [list(logp_BT.shape)] * 2:
            is_mean = any(isinstance(shape, list) and len(shape) < 2 for shape in shapes)
            note = ". The mean is taken later, over the whole mini-batch (loss.aggregation)"
            raise ConfigError(
                f"{self._name} must return (loss, ratio) of each token: of {rows} two tensors "
                f"{list(logp_BT.shape)}, not ({', '.join(map(str, shapes))}){note * is_mean}"
            )
        if logp_BT.requires_grad:
            logp_BT.register_hook(partial(self._check_gradient, mask_BT))
        return values[0], values[1]

    def _check_gradient(self, mask_BT: Tensor, gradient_BT: Tensor | None) -> None:
        if gradient_BT is not None:
            self.has_finite_gradients &= bool(gradient_BT[mask_BT].isfinite().all())

    def backward(self, loss: Tensor) -> None:
        """Compute the gradients of a mean of this loss."""
        if not loss.requires_grad and not self._is_ours:
            raise ConfigError(f"{self._name}: its loss does not depend on logp (detached?)")
        try:
            loss.backward()
        except (Exception, SystemExit) as error:
            if self._is_ours:
                raise
            raise self._explain("it fails in the backward pass", error) from error

    def _explain(self, what: str, error: BaseException) -> BaseException:
        """Return the error to raise: a ConfigError, unless memory ran out."""
        if isinstance(error, Exception) and is_memory_error(error):
            return error
        reason = str(error).partition("\n")[0].partition(" Hint:")[0]
        if "backward through the graph a second time" in reason:
            reason = (
                "what it keeps between calls must be detached, and autograd.grad in it needs "
                "retain_graph=True"
            )
        return ConfigError(
            f"{self._name}: {what}: {type(error).__name__}: {reason}{name_user_line(error)}"
        )
