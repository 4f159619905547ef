"""Low-rank adapters (LoRA, by peft). Only the adapters are trained; the base model does not change.

Engines and a checkpoint's hf/ get merged weights. A checkpoint's adapter/ has peft's files.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from safetensors.torch import save_file
from torch import Tensor, nn

from microcoder_train.config import Model
from microcoder_train.errors import ConfigError
from microcoder_train.parallel import full_tensor, rank

_BASE, _FILE = ".base_layer", "adapter_model.safetensors"


def inject_adapters(model: Any, settings: Model, peft: Any) -> None:
    """Add float32 adapters to every linear layer except the head. peft: the module.

    Raises ConfigError for a rank that no layer has.
    """
    folder, head = Path(settings.path), model.get_output_embeddings()
    layers = [one for one in model.modules() if isinstance(one, nn.Linear) and one is not head]
    highest = max((min(one.in_features, one.out_features) for one in layers), default=0)
    if (settings.lora_rank or 0) > highest:
        raise ConfigError(
            f"model.lora_rank={settings.lora_rank}: no layer of this model has more than {highest}"
        )
    model.adapter_config = peft.LoraConfig(
        r=settings.lora_rank, lora_alpha=settings.lora_alpha,
        base_model_name_or_path=str(folder.resolve()) if folder.is_dir() else settings.path,
        target_modules="all-linear", task_type="CAUSAL_LM",
    )  # fmt: skip
    peft.inject_adapter_in_model(model.adapter_config, model)
    for parameter in _adapters(model).values():
        parameter.data = parameter.data.float()


def merge_weight(model: nn.Module, name: str, weight: Tensor) -> tuple[str, Tensor] | None:
    """Return the plain name and the merged weight; None for the weights of an adapter."""
    weight = full_tensor(weight.detach())
    if ".lora_" in name:
        return None
    if name.endswith(f"{_BASE}.weight"):
        layer: Any = model.get_submodule(name.removesuffix(f"{_BASE}.weight"))
        up, down = (full_tensor(m["default"].weight.detach()) for m in (layer.lora_B, layer.lora_A))
        weight = (weight.float() + layer.scaling["default"] * up @ down).to(weight.dtype)
    return name.replace(_BASE, ""), weight


def save_adapters(model: Any, folder: Path) -> None:
    """Write the adapters as peft does; every rank must call it."""
    tensors = {name: full_tensor(p.detach()).cpu() for name, p in _adapters(model).items()}
    if tensors and rank() == 0:
        folder.mkdir(exist_ok=True)
        names = {name: f"base_model.model.{name.replace('.default', '')}" for name in tensors}
        save_file({names[name]: tensor for name, tensor in tensors.items()}, folder / _FILE)
        model.adapter_config.save_pretrained(folder)


def _adapters(model: nn.Module) -> dict[str, nn.Parameter]:
    return {name: p for name, p in model.named_parameters() if ".lora_" in name}
