"""Loads the model and the tokenizer of a Hugging Face folder or name."""

from __future__ import annotations

from pathlib import Path
from textwrap import shorten

import torch
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoTokenizer,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)

from microcoder_train.config import Model
from microcoder_train.errors import ConfigError, TrainError, import_extra
from microcoder_train.parallel import ask_first_rank, copy_from_first_rank, rank

from .lora import inject_adapters
from .memory import explain_memory_errors, keep_freed_memory


def load_model(settings: Model) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Return the model and tokenizer of a Hugging Face folder or name. Raises ConfigError.

    Every rank must call it.
    """
    path = settings.path
    peft = import_extra("peft", "lora", "model.lora_rank") if settings.lora_rank else None
    _check_folder(path)
    device = _find_device(settings)
    if device.type == "cpu":
        keep_freed_memory()
    try:
        with explain_memory_errors("loading the model", "its size: another model.path"):
            tokenizer = AutoTokenizer.from_pretrained(path)
            options = {
                "dtype": getattr(torch, settings.master_dtype),
                "attn_implementation": settings.attention,
            }
            if rank() == 0:
                model = AutoModelForCausalLM.from_pretrained(path, **options).to(device)
            else:  # other ranks receive the weights, so that only one process reads them
                shape = AutoConfig.from_pretrained(path)
                with torch.device("meta"):
                    model = AutoModelForCausalLM.from_config(shape, **options)
                model.to_empty(device=device)
                model.tie_weights()
    except TrainError:
        raise
    except Exception as error:  # safetensors and tokenizers raise types of their own
        reason = shorten(str(error), 200)
        attention = f"model.attention={settings.attention}, "
        setting = f"{attention if isinstance(error, ImportError) else ''}model.path={path}"
        place = "" if Path(path).is_dir() else "no such folder here, and on the Hugging Face hub: "
        raise ConfigError(f"{setting}: cannot be loaded: {place}{reason}") from error
    model.generation_config = ask_first_rank(lambda: model.generation_config)
    copy_from_first_rank(model)
    embeddings = model.get_input_embeddings().num_embeddings
    # Where there is none, transformers makes one without words.
    if set(tokenizer("1").input_ids) <= set(tokenizer.all_special_ids):
        raise ConfigError(f"model.path={path}: it has no tokenizer (tokenizer.json)")
    if len(tokenizer) > embeddings:
        raise ConfigError(
            f"model.path={path}: its tokenizer has {len(tokenizer)} tokens, the model embeds "
            f"{embeddings}: they are of different models"
        )
    if peft is not None:
        inject_adapters(model, settings, peft)
    return model, tokenizer


def _check_folder(path: str) -> None:
    """Raise ConfigError unless this is a model's folder or the name of one on the hub.

    The message says where the model of a run, of a checkpoint or of its adapter is.
    """
    folder = Path(path)
    if not folder.is_dir():
        if path.startswith((".", "/", "~")) or path.count("/") != 1:
            raise ConfigError(f"model.path={path}: there is no such folder")
    elif not (folder / "config.json").is_file():
        checkpoints = sorted(folder.glob("checkpoints/step_*"))
        models = [place / "hf" for place in (folder, folder.parent, *checkpoints[-1:])]
        hints = [f"; the trained model is model.path={one}" for one in models if one.is_dir()]
        raise ConfigError(
            f"model.path={path}: not a Hugging Face folder: it has no config.json"
            f"{''.join(hints[:1])}"
        )


def _find_device(settings: Model) -> torch.device:
    if settings.device == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        return torch.empty(0, device=settings.device).device
    except (RuntimeError, AssertionError) as error:  # torch without CUDA asserts
        raise ConfigError(f"model.device={settings.device}: torch has no such device") from error
