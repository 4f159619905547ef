"""The loss that ``loss.function`` names. It is tried before the run, and its failures name it."""

from __future__ import annotations

import inspect
from functools import partial

import torch
from torch import Tensor

import microcoder_train
from microcoder_train.algorithm import grpo
from microcoder_train.environment.functions import load_function, name_user_line
from microcoder_train.errors import ConfigError

from .memory import is_memory_error

_ARGUMENTS = ("logp", "old_logp", "advantages", "clipping", "mask")


class LossFunction:
    """A loss of each token, called as ``grpo.policy_loss`` is.

    The constructor imports and tries it. All methods raise ConfigError, with the line of the user's
    that failed, if there is one.
    """

    def __init__(self, name: str) -> None:
        self._name = f"loss.function={name}"
        self._is_ours = name.startswith(f"{microcoder_train.__name__}.")
        self.has_finite_gradients = True  # by logp, in all calls so far
        self._function = load_function(name, "loss.function")
        if inspect.iscoroutinefunction(self._function):
            raise ConfigError(f"{self._name}: a loss must not be async")
        if reason := self._find_fault():
            raise ConfigError(f"{self._name}: {reason}")

    def _find_fault(self) -> str | None:
        """Return what is wrong with the loss of a right answer of three tokens and a wrong one of
        two, which the old policy gave as often as the current one."""
        mask_BT = torch.tensor([[True, True, True], [True, True, False]])
        leaf_BT = (-mask_BT.float()).requires_grad_()  # 0 at padding, as in the run
        advantages_B = torch.tensor([1.0, -1.0])

        def compute(rows: slice, tokens: slice) -> tuple[Tensor, Tensor, Tensor]:
            """Return loss, ratio and gradient of these answers alone, without their padding."""
            logp_BT, counted_BT = leaf_BT[rows, tokens].clone(), mask_BT[rows, tokens]
            losses_BT, ratio_BT = self(
                logp_BT, logp_BT.detach().clone(), advantages_B[rows], grpo.Clipping(), counted_BT
            )
            leaf_BT.grad = torch.zeros_like(leaf_BT)
            self.backward(losses_BT[counted_BT].sum())
            return losses_BT.detach(), ratio_BT.detach(), (leaf_BT.grad * mask_BT)[rows, tokens]

        losses_BT, ratio_BT, gradient_BT = compute(slice(2), slice(3))
        for row, length in enumerate(mask_BT.sum(dim=1).tolist()):
            alone_1T, _, alone_gradient_1T = compute(slice(row, row + 1), slice(length))
            for alone, among in ((alone_1T, losses_BT), (alone_gradient_1T, gradient_BT)):
                if not torch.allclose(alone[0], among[row, :length], equal_nan=True):
                    return (
                        "its loss of an answer depends on the others of the call, or on padding "
                        "(use mask in each sum over tokens); how much there is depends on memory "
                        "settings"
                    )
        for what, values in (("loss", losses_BT[mask_BT]), ("gradient", gradient_BT[mask_BT])):
            if not values.isfinite().all():
                return f"its {what} is not finite where logp equals old_logp (both are -1)"
        if not torch.allclose(ratio_BT[mask_BT], torch.ones(5)):
            return (
                "it returns (loss, ratio), and the ratio must be 1 where logp equals old_logp; it "
                f"is {ratio_BT[0, 0].item():g}"
            )
        if not gradient_BT.any():
            return "its gradient is 0 for a right and for a wrong answer: nothing is learned"
        right, wrong = gradient_BT.sum(dim=1).tolist()
        if right * wrong > 0:
            return (
                "its gradient makes right and wrong answers both rarer or both more frequent: does "
                "it use advantages?"
            )
        if right > 0 or wrong < 0:
            return (
                "its gradient makes right answers rarer or wrong ones more frequent: is the sign "
                f"wrong, or the order of the arguments ({', '.join(_ARGUMENTS)})?"
            )
        return None

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
            reason = "what it keeps between calls must be detached"
        return ConfigError(
            f"{self._name}: {what}: {type(error).__name__}: {reason}{name_user_line(error)}"
        )
