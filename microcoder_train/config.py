"""Every setting, its default and where that default comes from; files, presets and words merged.

A setting is named ``section.key`` wherever it is written: in TOML, on the command line, in errors.
"""

from __future__ import annotations

import difflib
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PositiveInt,
    ValidationError,
    model_validator,
)

from microcoder_train.errors import ConfigError
from microcoder_train.modes import Aggregation, Correction
from microcoder_train.presets import DEFAULT_PRESET, PRESETS
from microcoder_train.schedule import concerns, staged

TABLES = ("data.chat_template_kwargs", "rollout.engine")  # their keys are others' names
MAX_BF16_LR = 1e-4  # below it a bf16 weight's last place is larger than most updates


def _of(source: str, default: Any, **bounds: Any) -> Any:
    return Field(default, json_schema_extra={"source": source}, **bounds)


def _is_schedule(value: Any) -> Any:
    if value != "probe":
        staged(value)
    return value


Stages = Annotated[int | float | list[tuple[int, float]], BeforeValidator(_is_schedule)]
Beta = Annotated[float, Field(ge=0, lt=1)]
Budgets = Annotated[list[PositiveInt], Field(min_length=1)]
# An end in "/" would make one server two.
Server = Annotated[
    str, Field(pattern=r"^https?://\S+$"), AfterValidator(lambda url: url.rstrip("/"))
]


class _Section(BaseModel):
    model_config = ConfigDict(
        extra="forbid", frozen=True, protected_namespaces=(), allow_inf_nan=False
    )


class Model(_Section):
    """path: a Hugging Face folder. autocast: the dtype of the arithmetic; weights stay master."""

    path: str = _of("paper", "Qwen/Qwen3-4B-Instruct-2507")
    master_dtype: Literal["float32", "bfloat16", "float64"] = _of("ours", "float32")
    autocast: Literal["none", "bfloat16"] = _of("ours", "bfloat16")
    attention: str = _of("ours", "sdpa")
    activation_checkpointing: bool = _of("ours", False)
    device: str = _of("ours", "auto")


class Data(_Section):
    """template: the prompt is starter_code as it stands (completion) or a chat message."""

    train: str = _of("ours", "")
    eval: str = _of("ours", "")
    template: Literal["chat", "completion"] = _of("ours", "chat")
    assistant_prefix: str = _of("ours", "")
    chat_template_kwargs: dict[str, Any] = _of("ours", {})
    max_prompt_tokens: int = _of("DeepCoder", 2048, ge=1)
    skip_bad_lines: bool = _of("ours", False)
    allow_overlap: bool = _of("ours", False)


class Rollout(_Section):
    """temperature "probe": that of OUT/probe.json where it stands, else the paper's 1.2.
    sync_tolerance: of one log-probability after a push of weights (unset: .001 for float32, 1 for
    bfloat16). engine: passed on to vLLM. servers: URLs, for the backend server. timeout_s: of a
    server's answer to one request."""

    backend: Literal["hf", "vllm", "server"] = _of("ours", "hf")
    n: int = _of("paper", 8, ge=2)
    temperature: Stages | Literal["probe"] = _of("paper", "probe")
    response_length: Stages = _of("paper", 8192)
    max_sequences: int = _of("ours", 128, ge=1)
    dtype: Literal["master", "bfloat16"] = _of("ours", "bfloat16")
    sync_tolerance: float | None = _of("ours", None, gt=0)
    engine: dict[str, Any] = _of("vLLM", {})
    servers: list[Server] = _of("ours", [])
    timeout_s: float = _of("ours", 1800.0, gt=0)


class Reward(_Section):
    """shadow: judge evaluation samples by the lcb comparer, too, and report disagreement."""

    compare: str = _of("ours", "calibrated")
    workers: int | None = _of("ours", None, ge=1)
    time_limit: float | None = _of("ours", None, gt=0)
    time_scale: float = _of("ours", 1.0, gt=0)
    min_level: int = _of("ours", 3, ge=1, le=4)
    cache: bool = _of("ours", True)
    cache_size: int = _of("ours", 100_000, ge=1)
    shadow: bool = _of("ours", False)


class Loss(_Section):
    """Eq. 1 and 2 but for the mask. dual_clip: verl's bound for bad tokens, off in the paper."""

    eps_low: float = _of("DAPO", 0.2, gt=0, lt=1)
    eps_high: float = _of("DAPO", 0.28, gt=0)
    beta: float = _of("paper", 0.0, ge=0)
    dual_clip: float | None = _of("paper", None, gt=1)
    aggregation: Aggregation = _of("DAPO", "token-mean")
    normalise_std: bool = _of("paper", True)
    advantage_eps: float = _of("verl", 1e-6, gt=0)
    old_logp: Literal["trainer", "rollout"] = _of("verl", "trainer")
    correction: Correction = _of("ours", "token_truncate")
    correction_cap: float = _of("ours", 2.0, gt=0)


class Mask(_Section):
    """Eq. 2's conditional truncation mask. rho .2 is the curve of the paper's figure 7."""

    mode: Literal["none", "all", "conditional"] = _of("paper", "conditional")
    rho: float = _of("paper", 0.2, ge=0, le=1)
    window: int = _of("paper", 128, ge=1)
    repeat: Literal["exact", "periodic"] = _of("paper", "exact")
    eligible: list[Literal["correct", "incomplete", "incorrect"]] = _of(
        "paper", ["correct", "incomplete"]
    )
    scope: Literal["advantage", "loss"] = _of("paper", "advantage")


class Optim(_Section):
    """AdamW. warmup_steps: training steps over which the rate rises from 0."""

    lr: float = _of("paper", 1e-6, gt=0)
    betas: tuple[Beta, Beta] = _of("verl", (0.9, 0.999))
    weight_decay: float = _of("verl", 0.01, ge=0)
    grad_clip: float = _of("verl", 1.0, gt=0)
    warmup_steps: int = _of("ours", 0, ge=0)


class Train(_Section):
    """train_batch_size: prompts a step. ppo_mini_batch_size: prompts an update (the paper does not
    say; its "32 = on-policy" is our reading). tokens_per_micro_batch: padded tokens at once.
    share_prompts: pass a prompt through once for its responses (never with checkpointed
    activations)."""

    steps: int = _of("paper", 300, ge=1)
    train_batch_size: int = _of("paper", 64, ge=1)
    ppo_mini_batch_size: int = _of("ours", 32, ge=1)
    tokens_per_micro_batch: int = _of("ours", 16384, ge=1)
    logits_chunk: int = _of("ours", 1024, ge=1)
    skip_zero_advantages: bool = _of("ours", True)
    share_prompts: bool = _of("ours", True)
    seed: int = _of("ours", 0, ge=0)


class Eval(_Section):
    """response_length: one token budget or several; unset, that of training."""

    every: int = _of("paper", 20, ge=1)
    n: int = _of("paper", 4, ge=1)
    temperature: float = _of("DeepCoder", 0.6, ge=0, le=2)
    top_p: float = _of("DeepCoder", 0.95, gt=0, le=1)
    response_length: PositiveInt | Budgets | None = _of("ours", None)
    at_start: bool = _of("paper", True)


class Checkpoint(_Section):
    """keep_best: also keep the one with the highest eval/accuracy (the paper reports it)."""

    every: int = _of("ours", 20, ge=1)
    keep_last: int = _of("ours", 2, ge=1)
    keep_best: bool = _of("paper", True)


class Log(_Section):
    """sinks: besides metrics.jsonl. samples: how many groups a step are written out whole."""

    sinks: list[Literal["tensorboard", "wandb", "trackio"]] = _of("ours", [])
    project: str = _of("ours", "microcoder")
    samples: int = _of("ours", 2, ge=0)


class Guard(_Section):
    """Alarms and stops. converged: the diversity runs settle at (the paper's Qwen3: .60 to .70);
    unset, alarms are relative to the first step. no_signal_steps: stop after so many steps in
    which no group had both right and wrong answers. logp_diff, is_ratio: engine against trainer,
    mean over a step's tokens; bfloat16 engines were seen at .01 to .06 and 1.00."""

    converged: float | None = _of("ours", None, gt=0, lt=1)
    no_signal_steps: int = _of("ours", 10, ge=1)
    logp_diff: float = _of("ours", 0.1, gt=0)
    is_ratio: float = _of("ours", 1.1, gt=1)
    patience: int = _of("ours", 5, ge=1)
    max_skipped: int = _of("ours", 3, ge=1)


class Config(_Section):
    """One run. Made by ``load``; frozen."""

    model: Model = Model()
    data: Data = Data()
    rollout: Rollout = Rollout()
    reward: Reward = Reward()
    loss: Loss = Loss()
    mask: Mask = Mask()
    optim: Optim = Optim()
    train: Train = Train()
    eval: Eval = Eval()
    checkpoint: Checkpoint = Checkpoint()
    log: Log = Log()
    guard: Guard = Guard()

    @model_validator(mode="after")
    def _fits_together(self) -> Config:
        batch, mini = self.train.train_batch_size, self.train.ppo_mini_batch_size
        if batch % mini:
            raise ValueError(
                f"train.train_batch_size={batch} is not a multiple of "
                f"train.ppo_mini_batch_size={mini}"
            )
        if self.model.master_dtype == "bfloat16" and self.optim.lr < MAX_BF16_LR:
            raise ValueError(
                f"bfloat16 master weights lose updates of optim.lr={self.optim.lr:g} in rounding: "
                "set model.master_dtype=float32"
            )
        if (self.rollout.backend == "server") != bool(self.rollout.servers):
            raise ValueError(
                'rollout.backend=server needs rollout.servers=["http://HOST:PORT", ...], and only '
                "that backend has them"
            )
        if self.rollout.temperature != "probe":
            coldest = min(value for _, value in staged(self.rollout.temperature).stages)
            if not 0 < coldest <= staged(self.rollout.temperature).largest <= 2:
                raise ValueError("rollout.temperature must be above 0 and at most 2")
        lengths = [length for _, length in staged(self.rollout.response_length).stages]
        if any(length < 1 or length % 1 for length in lengths):
            raise ValueError("rollout.response_length must be whole numbers of tokens, 1 or more")
        return self

    def warnings(self) -> list[str]:
        """What is allowed but without effect, or against the paper's findings."""
        found = []
        temperature = 1.2 if self.rollout.temperature == "probe" else self.rollout.temperature
        lengths = staged(self.rollout.response_length)
        found += concerns("rollout.temperature", staged(temperature))
        found += concerns("rollout.response_length", lengths)
        if staged(temperature).stages[-1][1] < 0.8:
            found.append(
                "rollout.temperature below 0.8: diversity falls and training fails (paper, 2.4); "
                "microcoder-train probe finds a temperature"
            )
        if lengths.stages[0][1] < lengths.largest:
            found.append(
                "rollout.response_length starts short: the deficit stays after it is extended "
                "(paper, 7.2)"
            )
        if len(lengths.stages) > 1 and lengths.stages[1][0] > 260:
            found.append("rollout.response_length is extended after step 260: too late (paper)")
        if self.rollout.engine and self.rollout.backend != "vllm":
            found.append(
                f"rollout.engine is passed to vLLM alone: rollout.backend={self.rollout.backend} "
                "leaves it out"
            )
        if self.loss.old_logp == "rollout" and self.loss.correction != "off":
            found.append(
                "loss.correction does nothing where loss.old_logp=rollout: no difference is left"
            )
        return found


class Settings(BaseModel):
    """A resolved configuration and, for every key, where its value comes from."""

    config: Config
    sources: dict[str, str]

    def text(self) -> str:
        """As TOML, the source of each value behind it: what --show-config prints."""
        lines = []
        for section, values in self.config.model_dump().items():
            lines.append(f"[{section}]")
            for name, value in values.items():
                known = f"# {name} is unset" if value is None else f"{name} = {toml_value(value)}"
                lines.append(f"{known:<60}  # {self.sources[f'{section}.{name}']}")
            lines.append("")
        return "\n".join(lines)


def load(file: str | None = None, preset: str | None = None, words: Sequence[str] = ()) -> Settings:
    """Defaults, then the preset, then the file, then ``key=value`` words. Raises ConfigError."""
    from_file = _read(Path(file)) if file else {}
    chosen = preset or from_file.pop("preset", None) or DEFAULT_PRESET
    from_file.pop("preset", None)
    if chosen not in PRESETS:
        raise ConfigError(f"preset {chosen!r} does not exist; there are {', '.join(PRESETS)}")
    values: dict[str, Any] = {}
    sources = dict(_defaults())
    layers = (
        (PRESETS[chosen], f"preset {chosen}"),
        (from_file, file or ""),
        (_words(words), "command line"),
    )
    for layer, source in layers:
        for key, value in layer.items():
            shown = key if key in sources else key.rpartition(".")[0]
            if key != shown and shown not in TABLES:
                raise ConfigError(f"{key}: no such setting{_nearest(key, sources)}")
            values[key] = value
            sources[shown] = source
    return Settings(config=_validated(values), sources=sources)


def names() -> list[str]:
    """Every setting's ``section.key``."""
    return [name for name, _ in _defaults()]


def toml_value(value: Any) -> str:
    """A value as TOML writes it (tables inline)."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k} = {toml_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return json.dumps(value)


def _defaults() -> Iterator[tuple[str, str]]:
    for section, field in Config.model_fields.items():
        for name, inner in field.default.__class__.model_fields.items():
            yield f"{section}.{name}", inner.json_schema_extra["source"]


def _read(file: Path) -> dict[str, Any]:
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: not TOML: {error}") from error
    flat: dict[str, Any] = {}
    for section, table in tables.items():
        if isinstance(table, Mapping):
            flat.update((f"{section}.{name}", value) for name, value in table.items())
        else:
            flat[section] = table
    return flat


def _words(words: Sequence[str]) -> dict[str, Any]:
    values = {}
    for word in words:
        key, equals, text = word.partition("=")
        if not equals:
            raise ConfigError(f"{word!r} is neither a TOML file nor key=value")
        try:
            values[key] = tomllib.loads(f"x = {text}")["x"]
        except tomllib.TOMLDecodeError:
            values[key] = text  # a bare word is a string
    return values


def _nearest(key: str, known: Mapping[str, str]) -> str:
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    tails = [name for name in known if name.rpartition(".")[2] == key.rpartition(".")[2]]
    guess = [*tails, *near][:1]
    return f"; did you mean {guess[0]}?" if guess else "; --show-config lists them"


def _validated(values: Mapping[str, Any]) -> Config:
    tree: dict[str, Any] = {}
    for key, value in values.items():
        *path, name = key.split(".")
        inner = tree
        for part in path:
            inner = inner.setdefault(part, {})
        inner[name] = value
    try:
        return Config.model_validate(tree)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"][:2])
        reason = first["msg"].removeprefix("Value error, ")
        shown = f"{key}={first['input']!r}: " if key else ""
        raise ConfigError(f"{shown}{reason}") from None
