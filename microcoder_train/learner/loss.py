"""The loss that ``loss.function`` names. It is tried before the run, and its failures name it."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

import microcoder_train
from microcoder_train.algorithm import grpo
from microcoder_train.environment.functions import load_function
from microcoder_train.errors import ConfigError

from .memory import is_memory_error

# Python, packages and the trainer: the last frame elsewhere is the user's.
_FOREIGN_FOLDERS = (sys.prefix, sys.base_prefix, str(Path(microcoder_train.__file__).parent))
_ARGUMENTS = ("logp", "old_logp", "advantages", "clipping", "mask")


class LossFunction:
    """A loss of each token, called as ``grpo.policy_loss`` is.

    The constructor imports and tries it. All methods raise ConfigError, with the line of the user's
    that failed, if there is one.
    """

    def __init__(self, name: str) -> None:
        self._name = f"loss.function={name}"
        self._is_ours = name.startswith(f"{microcoder_train.__name__}.")
        self._function = load_function(name, "loss.function")
        if reason := self._find_fault():
            raise ConfigError(f"{self._name}: {reason}")

    def _find_fault(self) -> str | None:
        """Return what is wrong with the loss of a right and a wrong answer of three tokens each,
        which the old policy gave as often as the current one."""
        logp_BT = torch.full((2, 3), -1.0, requires_grad=True)
        advantages_B, mask_BT = torch.tensor([1.0, -1.0]), torch.ones(2, 3, dtype=torch.bool)
        arguments = (logp_BT, logp_BT.detach().clone(), advantages_B, grpo.Clipping(), mask_BT)
        copies = [one.clone() for one in arguments if isinstance(one, Tensor)]
        losses_BT, ratio_BT = self(*arguments)
        if not losses_BT.requires_grad:
            return "its loss does not depend on logp (detached?)"
        self.backward(losses_BT.sum())
        gradient_BT = torch.zeros(2, 3) if logp_BT.grad is None else logp_BT.grad
        for what, values in (("loss", losses_BT), ("gradient", gradient_BT)):
            if not values.isfinite().all():
                return f"its {what} is not finite where every logp is -1"
        tensors = [(name, one) for name, one in zip(_ARGUMENTS, arguments, strict=True)
                   if isinstance(one, Tensor)]  # fmt: skip
        for (name, one), copy in zip(tensors, copies, strict=True):
            if not torch.equal(one, copy):
                return f"it changes its argument {name} in place, which others use"
        if not gradient_BT.any():
            return "its gradient is 0 for a right and for a wrong answer: nothing is learned"
        if (gradient_BT.sum(dim=1) * advantages_B).sum() > 0:
            return (
                "its gradient makes right answers rarer and wrong ones more frequent: is the sign "
                f"wrong, or the order of the arguments ({', '.join(_ARGUMENTS)})?"
            )
        if not torch.allclose(ratio_BT.detach(), torch.ones(2, 3)):
            return (
                "it returns (loss, ratio), and the ratio must be 1 where logp equals old_logp; it "
                f"is {ratio_BT[0, 0].item():g}"
            )
        return None

    def __call__(self, logp_BT: Tensor, *others: Any) -> tuple[Tensor, Tensor]:
        """Return the loss and the ratio of each token."""
        rows = "{} rows of {} tokens".format(*logp_BT.shape)
        try:
            result = self._function(logp_BT, *others)
        except (Exception, SystemExit) as error:
            raise self._explain(f"fails on {rows}", error) from error
        values = result if isinstance(result, tuple | list) else (result,)
        if [getattr(value, "shape", None) for value in values] != [logp_BT.shape] * 2 or not all(
            isinstance(value, Tensor) for value in values
        ):
            returned = ", ".join(
                f"a tensor {list(value.shape)}"
                if isinstance(value, Tensor)
                else type(value).__name__
                for value in values
            )
            raise ConfigError(
                f"{self._name} must return (loss, ratio) of each token: of {rows} it returned "
                f"({returned}), not two tensors {list(logp_BT.shape)}. The mean is taken later, "
                "over the whole mini-batch (loss.aggregation)"
            )
        return values[0], values[1]

    def backward(self, loss: Tensor) -> None:
        """Compute the gradients of a mean of this loss."""
        try:
            loss.backward()
        except (Exception, SystemExit) as error:
            if self._is_ours:
                raise
            raise self._explain("fails in the backward pass", error) from error

    def _explain(self, what: str, error: BaseException) -> BaseException:
        """Return the error to raise: a ConfigError, unless memory ran out."""
        if isinstance(error, Exception) and is_memory_error(error):
            return error
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if not frame.filename.startswith(_FOREIGN_FOLDERS)]
        line = f" ({Path(own[-1].filename).name}:{own[-1].lineno})" if own else ""
        reason = str(error).partition("\n")[0]
        return ConfigError(f"{self._name} {what}: {type(error).__name__}: {reason}{line}")
