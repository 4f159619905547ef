"""The loss that ``loss.function`` names. Its failures name the line of the user's that failed."""

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


class LossFunction:
    """A loss of each token, called as ``grpo.policy_loss`` is.

    The constructor imports it and tries it, with its gradient, on two rows of three tokens. All
    methods raise ConfigError.
    """

    def __init__(self, name: str) -> None:
        self._name = f"loss.function={name}"
        self._function = load_function(name, "loss.function")
        logp_BT = torch.full((2, 3), -1.0, requires_grad=True)
        mask_BT = torch.ones(2, 3, dtype=torch.bool)
        losses_BT, _ = self(logp_BT, logp_BT.detach(), torch.ones(2), grpo.Clipping(), mask_BT)
        if not losses_BT.requires_grad:
            raise ConfigError(f"{self._name}: its loss does not depend on logp (detached?)")
        self.backward(losses_BT.sum())
        for what, values in (("loss", losses_BT), ("gradient", logp_BT.grad)):
            if values is not None and not values.isfinite().all():
                raise ConfigError(f"{self._name}: its {what} is not finite where every logp is -1")

    def __call__(self, logp_BT: Tensor, *others: Any) -> tuple[Tensor, Tensor]:
        """Return the loss and the ratio of each token."""
        rows = "{} rows of {} tokens".format(*logp_BT.shape)
        try:
            result = self._function(logp_BT, *others)
        except Exception as error:
            if is_memory_error(error):
                raise
            raise self._explain(f"fails on {rows}", error, _name_user_line(error)) from error
        values = result if isinstance(result, tuple | list) else (result,)
        shapes = [value.shape for value in values if isinstance(value, Tensor)]
        if shapes != [logp_BT.shape] * 2 or len(values) != 2:
            returned_shapes = [list(shape) for shape in shapes] or type(result).__name__
            raise ConfigError(
                f"{self._name} must return (loss, ratio) of each token: of {rows} it returned "
                f"{returned_shapes}, not {list(logp_BT.shape)} twice. The mean is taken later, "
                "over the whole mini-batch (loss.aggregation)"
            )
        return values[0], values[1]

    def backward(self, loss: Tensor) -> None:
        """Compute the gradients of a mean of this loss."""
        try:
            loss.backward()
        except Exception as error:
            line = _name_user_line(error)
            if is_memory_error(error) or not line:
                raise
            raise self._explain("fails in its backward pass", error, line) from error

    def _explain(self, what: str, error: Exception, line: str) -> ConfigError:
        return ConfigError(f"{self._name} {what}: {type(error).__name__}: {error}{line}")


def _name_user_line(error: Exception) -> str:
    """Return the innermost line of the user's own code, or ""."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith(_FOREIGN_FOLDERS)]
    return f" ({Path(own[-1].filename).name}:{own[-1].lineno})" if own else ""
