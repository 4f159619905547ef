"""The trained model: how it scores responses, is updated (learning rate, optimizer) and saved."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from microcoder_train.config import Config
from microcoder_train.errors import ConfigError
from microcoder_train.parallel import full_tensor, rank, shard_module, sum_over_ranks, world_size

from . import shards
from .batching import MIN_SHARED, Layout, TensorBatch, TrainingSample, make_batch, measure_sharing
from .lora import merge_weight, save_adapters
from .loss import LossFunction
from .scorer import Scorer, checkpoint_layers, compile_layers

HEAD_TOLERANCE = 1e-3
SHARING_TOLERANCE = 0.02  # above bfloat16 rounding, below the difference of a wrong state


class Policy:
    """A causal language model with its optimizer, sharded over the ranks.

    reference: the model before training, for the KL term; None without one.
    """

    def __init__(
        self, config: Config, model: PreTrainedModel, tokenizer: Any,
        reference: PreTrainedModel | None = None,
    ) -> None:  # fmt: skip
        self.model, self.tokenizer, self.reference = model, tokenizer, reference
        self.consecutive_skips = 0
        self.loss_function = LossFunction(config.loss.function)
        self._config = config
        self.device = model.device
        self._check_head()
        if config.model.activation_checkpointing:
            checkpoint_layers(model)
        # Flash attention has a kernel for many sequences in one row.
        self._packs = "flash" in config.model.attention
        can_share = config.train.share_prompts and not self._packs and not config.model.compile
        self.shares_prompts = can_share and self._can_share_prompts()
        if config.model.compile:  # for one kind of call; sharing prompts would need another
            compile_layers(model)
        use_bfloat16 = config.model.autocast == "bfloat16" and world_size() > 1
        # Half the traffic and memory of float32.
        gathered_dtype = torch.bfloat16 if use_bfloat16 else None
        self.scorer = Scorer(model, config.train.logits_chunk, gathered_dtype)
        shard_module(self.scorer, model._no_split_modules or (), model.device, gathered_dtype)
        self.parameters = [p for p in model.parameters() if p.requires_grad]
        optim = config.optim
        self.optimizer = torch.optim.AdamW(
            self.parameters, optim.lr, optim.betas, weight_decay=optim.weight_decay, fused=True
        )

    def choose_layout(self, rows: Sequence[TrainingSample]) -> Layout:
        """Return how rows are forwarded; the same on every rank, and every rank must call it.

        Shared prompts need an explicit mask, which excludes the causal kernels and grouped heads of
        torch's attention. So prompts are shared only where that saves enough tokens.
        """
        saved, all_tokens = sum_over_ranks(*measure_sharing(rows))
        if self.shares_prompts and saved > MIN_SHARED * all_tokens:
            return "shared"
        return "packed" if self._packs else "rows"

    def score(
        self, rows: TensorBatch, model: PreTrainedModel | None = None
    ) -> tuple[Tensor, Tensor]:
        """(log-probabilities B x T at each row's temperature, entropies N); padding is 0."""
        with self._autocast():
            scorer = Scorer(model, self._config.train.logits_chunk) if model else self.scorer
            logp_N, entropy_N = scorer(rows)
        logp_BT = torch.zeros(rows.mask_BT.shape, dtype=logp_N.dtype, device=self.device)
        return logp_BT.masked_scatter(rows.mask_BT, logp_N), entropy_N

    @property
    def arithmetic_dtype(self) -> torch.dtype:
        """The dtype of the model's matrix products."""
        return torch.bfloat16 if self._config.model.autocast == "bfloat16" else self.model.dtype

    def _autocast(self) -> torch.autocast:
        use_bfloat16 = self._config.model.autocast == "bfloat16"
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=use_bfloat16)

    def compute_learning_rate(self, step: int) -> float:
        """Return the learning rate of a step: it rises in warm-up and is constant afterwards."""
        optim = self._config.optim
        return optim.lr * min(1.0, (step + 1) / (optim.warmup_steps + 1))

    def apply_gradients(self, step: int) -> float:
        """Clip the gradients, take one optimizer step and return the norm before clipping.

        If the norm is not finite, weights and optimizer stay unchanged, and the gradients stay for
        ``find_non_finite``.
        """
        for parameter in self.parameters:
            if parameter.grad is None:  # even without gradients, momentum changes the weights
                parameter.grad = torch.zeros_like(parameter)
        total_norm = nn.utils.get_total_norm(
            [p.grad for p in self.parameters if p.grad is not None]
        )
        norm: float = full_tensor(total_norm).item()
        if not math.isfinite(norm):
            self.consecutive_skips += 1
            return norm
        self.consecutive_skips = 0
        nn.utils.clip_grads_with_norm_(self.parameters, self._config.optim.grad_clip, total_norm)
        for group in self.optimizer.param_groups:
            group["lr"] = self.compute_learning_rate(step)
        self.optimizer.step()
        return norm

    @torch.no_grad()
    def has_finite_weights(self) -> bool:
        """Whether no weight is a NaN or infinite."""
        return math.isfinite(full_tensor(nn.utils.get_total_norm(self.parameters)).item())

    def find_non_finite(self) -> str:
        """Return the name of the first weight or gradient with a NaN or infinity."""
        parameters = list(self.model.named_parameters())
        weights = [(f"weight {name}", parameter) for name, parameter in parameters]
        gradients = [(f"gradient of {name}", parameter.grad) for name, parameter in parameters]
        for name, tensor in (*weights, *gradients):
            if tensor is not None and not full_tensor(tensor).isfinite().all():
                return name
        return "none: only their norm overflows"

    def start_saving(self, folder: Path) -> Callable[[], None]:
        """Copy what a checkpoint holds into host memory; the returned function writes it.

        hf/ is the whole model for transformers, in the dtype used for sampling. optimizer/ has the
        trained weights in their own dtype and the moments, in shards. Every rank must call both;
        the model may change in between.
        """
        dtype = getattr(torch, self._config.engine_dtype)
        # A tied head is its embedding and must not be gathered and written a second time.
        parameters = dict(self.model.named_parameters(remove_duplicate=False))
        tied_names = parameters.keys() - dict(self.model.named_parameters()).keys()
        weights = {}
        for name, shard in self.model.state_dict().items():
            merged = None if name in tied_names else merge_weight(self.model, name, shard)
            if rank() == 0 and merged is not None:
                weights[merged[0]] = merged[1].to("cpu", dtype, copy=True)
        save_adapters(self.model, folder / "adapter")
        if rank() == 0:  # a tokenizer must not be written while another thread uses it
            self.tokenizer.save_pretrained(folder / "hf")
        finish_shards = shards.start_saving(folder / "optimizer", self._trained_tensors())

        def write() -> None:
            finish_shards()
            if rank() == 0:
                self.model.save_pretrained(folder / "hf", state_dict=weights)
                config = deepcopy(self.model.config)
                config.dtype = dtype  # transformers writes the model's dtype, not the weights'
                config.save_pretrained(folder / "hf")

        return write

    def load(self, folder: Path) -> None:
        """Load what ``start_saving`` wrote in shards, for any number of processes."""
        for parameter in self.parameters:
            self.optimizer.state[parameter] = {
                "step": torch.tensor(0.0, device=parameter.device),  # where a fused AdamW wants it
                "exp_avg": torch.zeros_like(parameter),
                "exp_avg_sq": torch.zeros_like(parameter),
            }
        tensors = self._trained_tensors()
        # Saved before the first update, so there are no moments yet.
        if not tensors.keys() <= shards.list_names(folder / "optimizer"):
            self.optimizer.state.clear()
            tensors = self._trained_tensors()
        shards.load(folder / "optimizer", tensors)

    def _trained_tensors(self) -> dict[str, Tensor]:
        """Return the trained weights and the optimizer's tensors. Their names do not depend on the
        number of processes."""
        trained = {n: p for n, p in self.model.named_parameters() if p.requires_grad}
        moments = {
            f"{name}.{key}": value
            for name, parameter in trained.items()
            for key, value in self.optimizer.state.get(parameter, {}).items()
        }
        return {name: parameter.detach() for name, parameter in trained.items()} | moments

    @torch.no_grad()
    def _can_share_prompts(self) -> bool:
        """Whether the model's whole state after a prompt is its keys and values.

        Under activation checkpointing, also whether its layers keep the cache.
        """
        rows = [
            TrainingSample((1, 2, 3), ids, (0.0,) * len(ids), 1.0, 1.0) for ids in ((4, 5), (6,))
        ]
        scorer = Scorer(self.model, self._config.train.logits_chunk)
        layouts: tuple[Layout, ...] = ("rows", "shared")
        try:
            with self._autocast():  # as in training: flash-attention has no float32
                reference_NH, shared_NH = (
                    scorer.compute_hidden_states(make_batch(rows, self.device, layout))
                    for layout in layouts
                )
        except (AttributeError, TypeError, ValueError, LookupError, RuntimeError):
            return False
        difference = (shared_NH - reference_NH).abs().max()
        return bool(difference <= SHARING_TOLERANCE * (1 + reference_NH.abs().max()))

    @torch.no_grad()
    def _check_head(self) -> None:
        """Refuse models that change logits after the head, which ``Scorer`` applies by itself.

        Raises ConfigError.
        """
        inputs = {"input_ids": torch.arange(1, 5, device=self.device)[None], "use_cache": False}
        with self._autocast():
            logits = self.model(**inputs).logits
            head_logits = self.model.get_output_embeddings()(
                self.model.base_model(**inputs).last_hidden_state
            )
        if (logits - head_logits).abs().max() > HEAD_TOLERANCE * (1 + logits.abs().max()):
            raise ConfigError(
                f"model.path={self._config.model.path}: its logits are not its output embeddings "
                "times its last hidden state (scaled or capped logits); this model is not supported"
            )
