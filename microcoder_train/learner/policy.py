"""The model that learns: loaded, sharded, scored, optimised, written as a Hugging Face folder."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    DynamicCache,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)

from microcoder_train import shards
from microcoder_train.batching import Padded, Row, pad
from microcoder_train.config import Config, Model
from microcoder_train.errors import ConfigError, ResumeError, TrainError
from microcoder_train.grpo import chunked_logprobs
from microcoder_train.heap import keep_freed_memory
from microcoder_train.parallel import rank, shard, whole

HEAD_TOLERANCE = 1e-3
SHARING_TOLERANCE = 0.02  # bfloat16 rounds; what is wrong is wrong by more


class Scorer(nn.Module):
    """A model and its head, applied in chunks, as the one module whose weights are sharded.

    shared: a prompt is passed through once for all of its rows, which go on from its keys and
    values; its gradient is the sum of theirs.
    """

    def __init__(self, model: Any, chunk: int, *, shared: bool) -> None:
        super().__init__()
        self.model, self._chunk, self._shared = model, chunk, shared

    def forward(self, rows: Padded) -> tuple[Tensor, Tensor]:
        """(log-probabilities, entropies) of the rows' N tokens; see grpo.chunked_logprobs."""
        return chunked_logprobs(
            self.model.get_output_embeddings(),
            self.hidden(rows)[rows.mask_BT],
            rows.targets_N,
            rows.temperature_N,
            self._chunk,
        )

    def hidden(self, rows: Padded) -> Tensor:
        """The last hidden states, B x T x H."""
        seen_PS, which_B = rows.prompt_seen_PS, rows.prompt_B
        position_PS = (seen_PS.cumsum(dim=1) - 1).clamp(min=0)
        after_B1 = seen_PS.sum(dim=1)[which_B, None]
        position_BT = after_B1 + torch.arange(rows.ids_BT.shape[1], device=after_B1.device)
        seen = torch.cat([seen_PS[which_B], rows.mask_BT.long()], dim=1)
        if not self._shared:
            ids = torch.cat([rows.prompt_ids_PS[which_B], rows.ids_BT], dim=1)
            positions = torch.cat([position_PS[which_B], position_BT], dim=1)
            return self._pass(ids, seen, positions, None)[:, seen_PS.shape[1] :]
        cache = DynamicCache(config=self.model.config)
        prompts_PSH = self._pass(rows.prompt_ids_PS, seen_PS, position_PS, cache)
        for layer in cache.layers:
            # Not by batch_select_indices: its gradient is summed in an order that varies.
            layer.keys = layer.keys.index_select(0, which_B)
            layer.values = layer.values.index_select(0, which_B)
        # Sharded weights are gathered anew for the gradient of passes whose output has one.
        return self._pass(rows.ids_BT, seen, position_BT, cache) + 0 * prompts_PSH[0, -1, 0]

    def _pass(
        self, ids: Tensor, seen: Tensor, positions: Tensor, cache: DynamicCache | None
    ) -> Tensor:
        state = {"past_key_values": cache, "use_cache": cache is not None}
        where = {"attention_mask": seen, "position_ids": positions}
        hidden: Tensor = self.model.base_model(input_ids=ids, **where, **state).last_hidden_state
        return hidden


class Policy:
    """A causal language model with its optimizer, sharded where several processes train it.

    reference: the model as it was before training, kept only for a KL term.
    """

    def __init__(
        self,
        config: Config,
        model: PreTrainedModel,
        tokenizer: Any,
        reference: PreTrainedModel | None = None,
    ) -> None:
        self.model, self.tokenizer, self.reference = model, tokenizer, reference
        self.skipped_in_a_row = 0
        self._config = config
        self.device = model.device
        self._check_head()
        if config.model.activation_checkpointing:
            # transformers 5.20 renamed it and warns of the old name, which 5.17 to 5.19 have.
            old = model.gradient_checkpointing_enable
            getattr(model, "activation_checkpointing_enable", old)()
        wanted = config.train.share_prompts and not config.model.activation_checkpointing
        self.shares_prompts = wanted and self._can_share()
        self._scorer = self._scorer_of(model)
        shard(self._scorer, model._no_split_modules or (), model.device)
        self.parameters = [p for p in model.parameters() if p.requires_grad]
        optim = config.optim
        self.optimizer = torch.optim.AdamW(
            self.parameters, optim.lr, optim.betas, weight_decay=optim.weight_decay, fused=True
        )

    def logprobs(self, rows: Padded, model: PreTrainedModel | None = None) -> tuple[Tensor, Tensor]:
        """(log-probabilities B x T at each row's temperature, entropies N), 0 in the padding."""
        with self._autocast():
            logp_N, entropy_N = (self._scorer_of(model) if model else self._scorer)(rows)
        logp_BT = torch.zeros(rows.mask_BT.shape, dtype=logp_N.dtype, device=self.device)
        return logp_BT.masked_scatter(rows.mask_BT, logp_N), entropy_N

    def learning_rate(self, step: int) -> float:
        """Rises over the warm-up steps, constant after."""
        optim = self._config.optim
        return optim.lr * min(1.0, (step + 1) / (optim.warmup_steps + 1))

    def apply_gradients(self, step: int) -> float:
        """Clip and take one optimizer step; returns the gradient's norm.

        A norm that is not finite leaves weights and optimizer as they are; the gradients stay for
        ``first_non_finite``.
        """
        for parameter in self.parameters:
            if parameter.grad is None:  # no row had a gradient: momentum still moves
                parameter.grad = torch.zeros_like(parameter)
        total = nn.utils.get_total_norm([p.grad for p in self.parameters if p.grad is not None])
        norm: float = whole(total).item()
        if not math.isfinite(norm):
            self.skipped_in_a_row += 1
            return norm
        self.skipped_in_a_row = 0
        nn.utils.clip_grads_with_norm_(self.parameters, self._config.optim.grad_clip, total)
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate(step)
        self.optimizer.step()
        return norm

    def first_non_finite(self) -> str:
        """The first tensor with a NaN or infinity, weight or gradient."""
        named = list(self.model.named_parameters())
        weights = [(f"weight {name}", parameter) for name, parameter in named]
        gradients = [(f"gradient of {name}", parameter.grad) for name, parameter in named]
        for name, tensor in (*weights, *gradients):
            if tensor is not None and not whole(tensor).isfinite().all():
                return name
        return "none: only their norm overflows"

    def save(self, folder: Path) -> None:
        """Write hf/, whole, which plain transformers loads, and optimizer/, in shards."""
        # A tied head is its embedding: gathered once more, it would be written once more.
        every = dict(self.model.named_parameters(remove_duplicate=False))
        tied = every.keys() - dict(self.model.named_parameters()).keys()
        weights = {}
        for name, part in self.model.state_dict().items():
            weight = None if name in tied else whole(part)
            if rank() == 0 and weight is not None:
                weights[name] = weight
        if rank() == 0:
            self.model.save_pretrained(folder / "hf", state_dict=weights)
            self.tokenizer.save_pretrained(folder / "hf")
            (folder / "optimizer").mkdir(exist_ok=True)  # empty before the first update
        if moments := self._moments():
            shards.save(folder / "optimizer", moments)

    def load_optimizer(self, folder: Path) -> None:
        """As ``save`` left it, whatever the number of processes was. Raises ResumeError."""
        held = folder / "optimizer"
        if not held.is_dir():
            raise ResumeError(
                f"{folder} has no optimizer/: it is of an earlier version, or parts are lost; "
                "train anew into another --out, from its weights with model.path"
            )
        if not any(held.iterdir()):
            return
        for parameter in self.parameters:
            first, second = torch.zeros_like(parameter), torch.zeros_like(parameter)
            state = {"step": torch.tensor(0.0), "exp_avg": first, "exp_avg_sq": second}
            self.optimizer.state[parameter] = state
        shards.load(held, self._moments())

    def _moments(self) -> dict[str, Tensor]:
        """The optimizer's tensors under names that hold for any number of processes."""
        names = {parameter: name for name, parameter in self.model.named_parameters()}
        return {
            f"{names[parameter]}.{key}": value
            for parameter, state in self.optimizer.state.items()
            for key, value in state.items()
        }

    @torch.no_grad()
    def _can_share(self) -> bool:
        """Not where a model keeps of a prompt anything but keys and values."""
        made = [Row((1, 2, 3), ids, (0.0,) * len(ids), 1.0, 1.0) for ids in ((4, 5), (6,))]
        rows = pad(made, self.device)
        plain_NH = Scorer(self.model, 1, shared=False).hidden(rows)[rows.mask_BT]
        try:
            shared_NH = Scorer(self.model, 1, shared=True).hidden(rows)[rows.mask_BT]
        except (AttributeError, TypeError, ValueError, IndexError, NotImplementedError):
            return False
        apart = (shared_NH - plain_NH).abs().max()
        return bool(apart <= SHARING_TOLERANCE * (1 + plain_NH.abs().max()))

    def _scorer_of(self, model: PreTrainedModel) -> Scorer:
        return Scorer(model, self._config.train.logits_chunk, shared=self.shares_prompts)

    def _autocast(self) -> torch.autocast:
        on = self._config.model.autocast == "bfloat16"
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=on)

    @torch.no_grad()
    def _check_head(self) -> None:
        """The head is applied apart from the model, in chunks; some models do more between."""
        ids = torch.arange(1, 5, device=self.device)[None]
        whole = self.model(input_ids=ids, use_cache=False).logits
        hidden = self.model.base_model(input_ids=ids, use_cache=False).last_hidden_state
        apart = self.model.get_output_embeddings()(hidden)
        if (whole - apart).abs().max() > HEAD_TOLERANCE * (1 + whole.abs().max()):
            raise ConfigError(
                f"model.path={self._config.model.path}: its logits are not its output embeddings "
                "times its last hidden state (scaled or capped logits); this model is not supported"
            )


def load_model(settings: Model) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Model and tokenizer of a Hugging Face folder (or name). Raises ConfigError."""
    path = settings.path
    if not Path(path).is_dir() and (path.startswith((".", "/", "~")) or path.count("/") != 1):
        raise ConfigError(f"model.path={path}: there is no such folder")
    if Path(path).is_dir() and not Path(path, "config.json").is_file():
        raise ConfigError(f"model.path={path}: no Hugging Face folder: it has no config.json")
    device = device_of(settings)
    if device.type == "cpu":
        keep_freed_memory()
    try:
        with memory_hint("loading the model", "its size: another model.path"):
            tokenizer = AutoTokenizer.from_pretrained(path)
            dtype, attention = getattr(torch, settings.master_dtype), settings.attention
            model = AutoModelForCausalLM.from_pretrained(
                path, dtype=dtype, attn_implementation=attention
            ).to(device)
    except (OSError, ValueError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise ConfigError(f"model.path={path}: cannot be loaded: {reason}") from error
    return model, tokenizer


def device_of(settings: Model) -> torch.device:
    """ "auto": the GPU if there is one. Raises ConfigError for one that is not there."""
    if settings.device == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        return torch.empty(0, device=settings.device).device
    except (RuntimeError, AssertionError) as error:  # torch without CUDA asserts
        raise ConfigError(f"model.device={settings.device}: torch has no such device") from error


@contextmanager
def memory_hint(doing: str, knobs: str) -> Iterator[None]:
    """Turn running out of memory into an error that says which settings to lower."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        # torch.OutOfMemoryError is a RuntimeError; the CPU allocator has no type of its own.
        known = isinstance(error, MemoryError | torch.OutOfMemoryError)
        if not known and "can't allocate memory" not in str(error):
            raise
        raise TrainError(f"out of memory while {doing}: lower {knobs}") from error
