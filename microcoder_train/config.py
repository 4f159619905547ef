"""Every setting of a run, with its default and the source of that default.

A setting has the name ``section.key`` in TOML, on the command line and in errors.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PositiveInt,
    model_validator,
)

from microcoder_eval.records import HIGHEST_LIMIT
from microcoder_train.algorithm.modes import Aggregation, Correction
from microcoder_train.algorithm.schedule import Schedule, list_schedule_warnings, parse_schedule

PAPER_TEMPERATURE = 1.2
LORA_ALPHA = 32.0
# Between the paper's .6, which "can cause training failure" (2.4), and 1.2, which does not.
LOW_TEMPERATURE = 0.8
MAX_BF16_LR = 1e-4  # below it bfloat16 rounding loses most updates


def _setting(source: str, default: Any, **bounds: Any) -> Any:
    return Field(default, json_schema_extra={"source": source}, **bounds)


def _check_schedule(value: Any) -> Any:
    if value != "probe":
        parse_schedule(value)
    return value


Stages = Annotated[int | float | list[tuple[int, float]], BeforeValidator(_check_schedule)]
Beta = Annotated[float, Field(ge=0, lt=1)]
Budgets = Annotated[list[PositiveInt], Field(min_length=1)]
# The trailing "/" is removed, so that each server has one spelling.
Server = Annotated[
    str, Field(pattern=r"^https?://\S+$"), AfterValidator(lambda url: url.rstrip("/"))
]


class _Section(BaseModel):
    model_config = ConfigDict(
        extra="forbid", frozen=True, protected_namespaces=(), allow_inf_nan=False
    )


class Model(_Section):
    """The policy.

    path: a Hugging Face folder.
    autocast: the dtype of the arithmetic, not of the weights.
    compile: compile each layer, which takes a C++ compiler and some time in the first step.
    lora_rank: train only low-rank adapters of this rank; if unset, all weights are trained.
    lora_alpha: adapters are scaled by lora_alpha / lora_rank.
    """

    path: str = _setting("paper", "Qwen/Qwen3-4B-Instruct-2507")
    master_dtype: Literal["float32", "bfloat16", "float64"] = _setting("ours", "float32")
    autocast: Literal["none", "bfloat16"] = _setting("ours", "bfloat16")
    attention: str = _setting("ours", "sdpa")
    activation_checkpointing: bool = _setting("ours", False)
    compile: bool = _setting("ours", False)
    lora_rank: PositiveInt | None = _setting("ours", None)
    lora_alpha: float = _setting("peft", LORA_ALPHA, gt=0)
    device: str = _setting("ours", "auto")


class Data(_Section):
    """The problems and their prompts.

    train, eval: files, folders or the hub's data sets by name.
    template: the prompt is the starter_code unchanged (completion) or chat messages.
    prompt_file: a TOML file of the chat's texts, system and user, with {statement}, {instruction}
        and {starter_code} in them.
    """

    train: str = _setting("ours", "")
    eval: str = _setting("ours", "")
    template: Literal["chat", "completion"] = _setting("ours", "chat")
    prompt_file: str = _setting("ours", "")
    assistant_prefix: str = _setting("ours", "")
    chat_template_kwargs: dict[str, Any] = _setting("ours", {})
    max_prompt_tokens: int = _setting("DeepCoder", 2048, ge=1)
    skip_bad_lines: bool = _setting("ours", False)
    allow_overlap: bool = _setting("ours", False)


class Rollout(_Section):
    """How answers are sampled.

    n: answers to each prompt.
    resample: how often groups without signal are replaced by groups of other prompts.
    max_staleness: 1: a step's answers are sampled while the previous step is learned, so their
        weights are one update older.
    temperature: "probe": the one in OUT/probe.json, which ``microcoder-train probe`` writes.
    response_length: most tokens of an answer.
    sync_tolerance: allowed difference of a log-probability after a weight push; if unset, it
        depends on dtype and layers, from .001 for float32 and 1 for bfloat16.
    engine: options for vLLM.
    servers: URLs, for the backend server.
    timeout_s: limit of one request to a server.
    """

    backend: Literal["hf", "vllm", "server"] = _setting("ours", "hf")
    n: int = _setting("paper", 8, ge=2)
    resample: int = _setting("ours", 0, ge=0)
    max_staleness: Literal[0, 1] = _setting("ours", 0)
    temperature: Stages | Literal["probe"] = _setting("paper", "probe")
    response_length: Stages = _setting("paper", 8192)
    max_sequences: int = _setting("ours", 128, ge=1)
    dtype: Literal["master", "bfloat16"] = _setting("ours", "bfloat16")
    sync_tolerance: float | None = _setting("ours", None, gt=0)
    engine: dict[str, Any] = _setting("vLLM", {})
    servers: list[Server] = _setting("ours", [])
    timeout_s: float = _setting("ours", 1800.0, gt=0)

    @property
    def temperatures(self) -> Schedule:
        """The stages of the temperature; the paper's where a probe has yet to choose one."""
        value = self.temperature
        return parse_schedule(PAPER_TEMPERATURE if value == "probe" else value)

    @property
    def lengths(self) -> Schedule:
        """The stages of the response length, in tokens."""
        return parse_schedule(self.response_length)


class Reward(_Section):
    """How answers are rewarded.

    engine: judge on this machine, or on every node of a Ray cluster.
    reuse: judge equal programs of a problem once.
    max_judge_errors: the share of 500 samples that the judge may fail on before the run ends.
    shadow: also judge evaluation samples with the lcb comparer, and report disagreement.
    held_back: the share of each problem's tests that never gives reward in training, for
        reward/visible_minus_hidden.
    reward: "passed" gives 1 to a program that passes; "points" gives the share of points in
        problems that have points.
    function: "module:name" of your own reward, called with the response's text, the problem and
        the judgement.
    judge: false: the judge does not run.
    allow_in_process_tests: take problems whose tests run in the program's own process, where a
        program can make them pass without solving anything.
    """

    engine: Literal["local", "ray"] = _setting("ours", "local")
    compare: str = _setting("ours", "calibrated")
    workers: int | None = _setting("ours", None, ge=1)
    time_limit: float | None = _setting("ours", None, gt=0, le=HIGHEST_LIMIT)
    time_scale: float = _setting("ours", 1.0, gt=0, le=HIGHEST_LIMIT)
    min_level: int = _setting("ours", 3, ge=1, le=4)
    reuse: bool = _setting("ours", True)
    max_judge_errors: float = _setting("ours", 0.1, ge=0, le=1)
    shadow: bool = _setting("ours", False)
    held_back: float = _setting("ours", 0.0, ge=0, lt=1)
    reward: Literal["passed", "points"] = _setting("ours", "passed")
    function: str = _setting("ours", "")
    judge: bool = _setting("ours", True)
    allow_in_process_tests: bool = _setting("ours", False)


class Loss(_Section):
    """Eq. 1 and 2 without the mask. function: "module:name" of the loss of a token; GSPO and CISPO
    are microcoder_train.algorithm.losses:gspo and :cispo."""

    function: str = _setting("paper", "microcoder_train.algorithm.grpo:policy_loss")
    eps_low: float = _setting("DAPO", 0.2, gt=0, lt=1)
    eps_high: float = _setting("DAPO", 0.28, gt=0)
    beta: float = _setting("paper", 0.0, ge=0)
    aggregation: Aggregation = _setting("DAPO", "token-mean")
    normalise_std: bool = _setting("paper", True)
    old_logp: Literal["trainer", "rollout"] = _setting("verl", "trainer")
    correction: Correction = _setting("ours", "token_truncate")
    correction_cap: float = _setting("ours", 2.0, gt=0)


class Mask(_Section):
    """Eq. 2's conditional truncation mask. rho: .2 is our reading of figure 7."""

    mode: Literal["none", "all", "conditional"] = _setting("paper", "conditional")
    rho: float = _setting("ours", 0.2, ge=0, le=1)
    window: int = _setting("paper", 128, ge=1)
    repeat: Literal["exact", "periodic"] = _setting("paper", "exact")
    eligible: list[Literal["correct", "incomplete", "incorrect"]] = _setting(
        "paper", ["correct", "incomplete"]
    )
    scope: Literal["advantage", "loss"] = _setting("paper", "advantage")


class Optim(_Section):
    """AdamW. warmup_steps: steps over which the learning rate rises from 0."""

    lr: float = _setting("paper", 1e-6, gt=0)
    betas: tuple[Beta, Beta] = _setting("verl", (0.9, 0.999))
    weight_decay: float = _setting("verl", 0.01, ge=0)
    grad_clip: float = _setting("verl", 1.0, gt=0)
    warmup_steps: int = _setting("ours", 0, ge=0)


class Train(_Section):
    """Batches and steps.

    train_batch_size: prompts per step.
    ppo_mini_batch_size: prompts per update (our reading of the paper's "32 = on-policy").
    tokens_per_micro_batch: padded tokens per forward pass.
    share_prompts: compute a prompt once for all its responses.
    threads: how many torch uses on the CPU; if unset, as many as pay, measured at the start.
    """

    steps: int = _setting("paper", 300, ge=1)
    train_batch_size: int = _setting("paper", 64, ge=1)
    ppo_mini_batch_size: int = _setting("ours", 32, ge=1)
    tokens_per_micro_batch: int = _setting("ours", 16384, ge=1)
    logits_chunk: int = _setting("ours", 1024, ge=1)
    skip_zero_advantages: bool = _setting("ours", True)
    share_prompts: bool = _setting("ours", True)
    threads: PositiveInt | None = _setting("ours", None)
    seed: int = _setting("ours", 0, ge=0)


class Eval(_Section):
    """response_length: one token budget or several; if unset, the largest one of training."""

    every: int = _setting("paper", 20, ge=1)
    n: int = _setting("paper", 4, ge=1)
    temperature: float = _setting("DeepCoder", 0.6, ge=0, le=2)
    top_p: float = _setting("DeepCoder", 0.95, gt=0, le=1)
    response_length: PositiveInt | Budgets | None = _setting("ours", None)
    at_start: bool = _setting("paper", True)


class Checkpoint(_Section):
    """keep_best: also keep the step with the highest eval/accuracy, which the paper reports."""

    every: int = _setting("ours", 20, ge=1)
    keep_last: int = _setting("ours", 2, ge=1)
    keep_best: bool = _setting("paper", True)


class Log(_Section):
    """sinks: services besides metrics.jsonl. samples: groups per step whose texts are written."""

    sinks: list[Literal["tensorboard", "wandb", "trackio"]] = _setting("ours", [])
    project: str = _setting("ours", "microcoder")
    samples: int = _setting("ours", 2, ge=0)


class Guard(_Section):
    """Alarms are logged and never stop a run; no_signal_steps and max_skipped stop it.

    converged: the diversity at which runs converge (the paper's Qwen3: .60 to .70); if unset,
        alarms are relative to the first step.
    no_signal_steps: steps without a group of unequal rewards.
    logp_diff, is_ratio: limits on the difference between engine and trainer, as a mean over a
        step's tokens (measured with bfloat16 engines: at most .043).
    honeypots: problems with secret answers, as a share of the batch. They are sampled in addition
        and never learned from; a program that passes one attacks the judge.
    max_skipped: updates in a row without a finite gradient.
    """

    converged: float | None = _setting("ours", None, gt=0, lt=1)
    no_signal_steps: int = _setting("ours", 10, ge=1)
    logp_diff: float = _setting("ours", 0.1, gt=0)
    is_ratio: float = _setting("ours", 1.1, gt=1)
    patience: int = _setting("ours", 5, ge=1)
    max_skipped: int = _setting("ours", 3, ge=1)
    honeypots: float = _setting("ours", 0.0, ge=0, le=1)


class Config(_Section):
    """The settings of one run, made by ``config_layers.load_settings``."""

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
    def _check_consistency(self) -> Config:
        model, rollout, train = self.model, self.rollout, self.train
        temperatures = [value for _, value in rollout.temperatures.stages]
        lengths = [length for _, length in rollout.lengths.stages]
        checks = (
            (train.train_batch_size % train.ppo_mini_batch_size == 0,
             f"train.train_batch_size={train.train_batch_size} is not a multiple of "
             f"train.ppo_mini_batch_size={train.ppo_mini_batch_size}"),
            (model.master_dtype != "bfloat16" or self.optim.lr >= MAX_BF16_LR
             or bool(model.lora_rank),  # adapters are float32
             f"bfloat16 master weights lose updates of optim.lr={self.optim.lr:g} in rounding: "
             "set model.master_dtype=float32"),
            (model.lora_rank is not None or model.lora_alpha == LORA_ALPHA,
             f"model.lora_alpha={model.lora_alpha:g} needs model.lora_rank: without a rank there "
             "are no adapters, and all weights are trained"),
            (not model.compile or rollout.backend != "hf",
             "model.compile=true needs rollout.backend=vllm or server: hf samples with the layers "
             "that learn"),
            ((rollout.backend == "server") == bool(rollout.servers),
             'rollout.backend=server needs rollout.servers=["http://HOST:PORT", ...], and only '
             "that backend has them"),
            (not rollout.max_staleness or rollout.backend != "vllm",
             "rollout.max_staleness=1 is for rollout.backend=server or hf: vLLM in the trainer's "
             "process sleeps while the model learns"),
            (not rollout.max_staleness or self.loss.correction != "off"
             or self.loss.old_logp == "rollout",
             "rollout.max_staleness=1 needs loss.correction: its samples are of older weights"),
            (0 < min(temperatures) <= max(temperatures) <= 2,
             "rollout.temperature must be above 0 and at most 2"),
            (self.reward.judge or bool(self.reward.function),
             "reward.judge=false needs reward.function: nothing else gives a reward"),
            (self.reward.judge or not (self.guard.honeypots or self.reward.held_back),
             "guard.honeypots and reward.held_back need the judge (reward.judge=true)"),
            (all(length >= 1 and length % 1 == 0 for length in lengths),
             "rollout.response_length must be whole numbers of tokens, 1 or more"),
        )  # fmt: skip
        for is_consistent, message in checks:
            if not is_consistent:
                raise ValueError(message)
        return self

    def list_warnings(self) -> list[str]:
        """Return settings that have no effect or contradict the paper's findings."""
        rollout, loss = self.rollout, self.loss
        temperatures, lengths = rollout.temperatures, rollout.lengths
        checks = (
            (temperatures.stages[-1][1] < LOW_TEMPERATURE,
             f"rollout.temperature below {LOW_TEMPERATURE}: diversity falls and training fails "
             "(paper, 2.4); microcoder-train probe finds a temperature"),
            (lengths.stages[0][1] < lengths.largest,
             "rollout.response_length starts short: the deficit remains after it is extended "
             "(paper, 7.2)"),
            (len(lengths.stages) > 1 and lengths.stages[1][0] > 260,
             "rollout.response_length is extended after step 260: too late (paper)"),
            (rollout.engine and rollout.backend != "vllm",
             f"rollout.engine is passed to vLLM alone: rollout.backend={rollout.backend} "
             "leaves it out"),
            (loss.old_logp == "rollout" and loss.correction != "off",
             "loss.correction has no effect with loss.old_logp=rollout: no difference is left"),
        )  # fmt: skip
        return [
            *list_schedule_warnings("rollout.temperature", temperatures),
            *list_schedule_warnings("rollout.response_length", lengths),
            *(message for applies, message in checks if applies),
        ]

    @property
    def engine_dtype(self) -> str:
        """The dtype of the weights that sample, and of a checkpoint's hf/."""
        return "bfloat16" if self.rollout.dtype == "bfloat16" else self.model.master_dtype
