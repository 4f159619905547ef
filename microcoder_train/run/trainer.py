"""The loop: sample, judge while sampling, assign credit, update, look, save.

batch(step) -> Request -> Sample -> Graded -> Credit -> Row -> update -> metrics, checkpoint
"""

from __future__ import annotations

import json
import math
import platform
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
import transformers

from microcoder_eval import __version__
from microcoder_train import checkpoint, counter, log
from microcoder_train.config import Config, Settings
from microcoder_train.console import Progress
from microcoder_train.credit import Credit, assign_credit, rows_of
from microcoder_train.data import Prompt, PromptSet, Template, check_overlap, read_prompts
from microcoder_train.diversity import alarms, slope
from microcoder_train.errors import EngineError, NoSignalError, ResumeError, TrainError
from microcoder_train.evaluate import budgets, evaluate, figures, sample_and_judge, write_samples
from microcoder_train.metrics import memory_metrics, mismatch_alarms, pass_rates, step_metrics
from microcoder_train.parallel import barrier, gathered, my_part, rank, world_max, world_sums
from microcoder_train.policy import Policy, load_model, memory_hint
from microcoder_train.reward import Grader
from microcoder_train.rollout import Engine
from microcoder_train.rollout.choice import open_engine
from microcoder_train.samples import Graded
from microcoder_train.schedule import staged
from microcoder_train.signals import Interrupted, Stop
from microcoder_train.tiny import write_tiny
from microcoder_train.update import update

PAPER_TEMPERATURE = 1.2
# What may change between a checkpoint and the run that goes on from it.
FREE = ("train.steps", "checkpoint.", "log.", "eval.", "guard.", "reward.workers", "reward.cache",
        "rollout.servers", "rollout.timeout_s")  # fmt: skip
MEMORY_KNOBS = (
    "train.tokens_per_micro_batch or train.logits_chunk, or set model.activation_checkpointing=true"
)


class Trainer:
    """One run in one folder. Everything it needs is loaded and checked when it is made.

    Of several processes each has one, and the same samples and figures; the first ``writes``.

    resume: "auto" goes on from the newest checkpoint in ``out`` if there is one, "never" needs a
    folder without a run, a path names the checkpoint. Raises TrainError and DataError.
    """

    def __init__(self, settings: Settings, out: Path, resume: str = "auto") -> None:
        self.out, self.checkpoints = out, out / "checkpoints"
        self.settings = settings
        self.config = config = resolved(settings.config, out)
        self.held = self._checkpoint_to_resume(resume)
        self.step = self.held.step if self.held else 0
        out.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(config.train.seed)
        held = {"path": str(self.held.model)} if self.held else {}
        model, tokenizer = load_model(config.model.model_copy(update=held))
        self.template = Template(config.data, tokenizer)
        self.train = read_prompts(config.data.train, "data.train", config.data, self.template)
        self.held_out = PromptSet((), ("data.eval is not set: no evaluation",))
        if config.data.eval:
            self.held_out = read_prompts(config.data.eval, "data.eval", config.data, self.template)
        self.fingerprints = {"data.train": self.train.fingerprint}
        self._check_data()
        reference = load_model(config.model)[0].requires_grad_(False) if config.loss.beta else None
        self.policy = Policy(config, model, tokenizer, reference)
        if self.held:
            self.policy.load_optimizer(self.held.folder)
        self.stop_ids = self.template.stop_ids()
        self.engine = self._engine()
        self.grader = Grader(config.reward, self.template)
        self.writes = rank() == 0
        self.sinks = log.open_sinks(config, out) if self.writes else []
        self.progress = Progress(config.train.steps)
        self.history = self._past_metrics()
        self._synced = -1
        self._saved = self.step if self.held else -1
        self._checked: dict[str, float] = {}
        self._save_seconds = 0.0

    def run(self) -> None:
        """Train to the last step. Raises Interrupted after saving when asked to stop."""
        with Stop() as stop, self.grader, self.progress:
            try:
                for note in (*self.train.notes, *self.held_out.notes, *self.config.warnings()):
                    self.progress.say(note)
                looks = self.config.eval.at_start and self.held_out.prompts
                if looks and self.step == 0 and not self.history:
                    self._record(self._evaluate(stop.at_once))  # later ones are compared with it
                while self.step < self.config.train.steps:
                    self._advance(stop)
                    stop.check()
            except (Interrupted, EngineError):
                if self.step == (self.history[-1]["step"] if self.history else 0):
                    self._save()  # of a step that is not on record nothing would be
                raise
            finally:
                self.engine.close()
                for sink in self.sinks:
                    sink.close()

    def sample(self, stop: Stop) -> tuple[list[Prompt], list[list[Graded]], dict[str, float]]:
        """The groups of the step to come, judged, and the seconds it took."""
        config, step, started = self.config, self.step, time.perf_counter()
        prompts = self.train.batch(step, config.train.train_batch_size, config.train.seed)
        temperature = staged(config.rollout.temperature).at(step)  # type: ignore[arg-type]
        max_tokens = int(staged(config.rollout.response_length).at(step))
        self._sync()
        synced = time.perf_counter()
        with stop.at_once(), memory_hint("sampling", "rollout.max_sequences"):
            part, waited = sample_and_judge(
                self.engine, self.grader, my_part(prompts), (config.train.seed, "sample", step),
                n=config.rollout.n, temperature=temperature, max_tokens=max_tokens,
            )  # fmt: skip
        generated, waited = world_max(time.perf_counter() - synced - waited, waited)
        groups = gathered(part)
        tokens = sum(len(graded.sample.ids) for group in groups for graded in group)
        return prompts, groups, {
            "sched/temperature": temperature,
            "sched/max_tokens": float(max_tokens),
            "timing_s/sync": synced - started,
            "timing_s/gen": generated,
            "timing_s/reward_wait": waited,
            "perf/gen_tok_s": tokens / generated,
            **self._checked,
        }  # fmt: skip

    def credit(self, groups: Sequence[Sequence[Graded]]) -> Credit:
        """What each sample is worth; ablations change this and nothing else."""
        return assign_credit(groups, self.config, self.step)

    def learn(self, groups: Sequence[Sequence[Graded]], credit: Credit) -> dict[str, float]:
        """The step's updates. Raises TrainError when gradients stay non-finite."""
        horizon = groups[0][0].sample.max_tokens
        minis = rows_of(groups, credit, self.config)
        with memory_hint("updating", MEMORY_KNOBS):
            found = update(self.policy, minis, self.config, self.step, horizon)
        (tokens,) = world_sums(sum(row.length for mini in minis for row in mini))
        found["perf/train_tok_s"] = tokens / (found["timing_s/update"] + found["timing_s/old_logp"])
        if self.policy.skipped_in_a_row >= self.config.guard.max_skipped:
            self._give_up(gathered([asdict(row) for mini in minis for row in mini]))
        return found

    def _advance(self, stop: Stop) -> None:
        """One step, from prompts to a line of metrics and perhaps a checkpoint."""
        started = time.perf_counter()
        torch.manual_seed(counter.key(self.config.train.seed, "torch", self.step))
        prompts, groups, found = self.sample(stop)
        credit = self.credit(groups)
        difficulties = [prompt.problem.difficulty for prompt in prompts]
        found |= step_metrics(groups, credit, self.stop_ids, difficulties)
        found |= self.learn(groups, credit)
        self.step += 1
        diversities = [line["diversity/d4"] for line in self.history if "diversity/d4" in line]
        diversities.append(found["diversity/d4"])
        found["diversity/slope"] = slope(diversities)
        if self.writes:
            log.append(self.out / log.PROBLEMS, {"step": self.step, "passed": pass_rates(groups)})
            file = self.out / log.SAMPLES / f"step_{self.step:06d}.jsonl"
            log.write_table(file, prompts[: self.config.log.samples], groups, credit)
        if self._due(self.config.eval.every):
            found |= self._evaluate()
        found["timing_s/save"], self._save_seconds = self._save_seconds, 0.0  # of the step before
        found["timing_s/step"] = time.perf_counter() - started
        remembered, asked = world_sums(self.grader.remembered, self.grader.asked)
        found["perf/cache_hit_frac"] = remembered / max(asked, 1)
        self._record({**found, **memory_metrics()})
        guard = self.config.guard
        short = " (most answers are too short for 4-grams to say much)"
        for alarm in alarms(diversities, guard.converged):
            self._alarm(alarm + short * bool(found["diversity/uninformative"]))
        for alarm in mismatch_alarms(found, guard):
            self._alarm(alarm)
        self._watch()
        if self._due(self.config.checkpoint.every) or self._best() == self.step:
            self._save()

    def _due(self, every: int) -> bool:
        return self.step % every == 0 or self.step == self.config.train.steps

    def _evaluate(
        self, at_once: Callable[[], AbstractContextManager[None]] = nullcontext
    ) -> dict[str, float]:
        if not self.held_out.prompts:
            return {}
        started = time.perf_counter()
        found: dict[str, float] = {}
        self._sync()
        for i, max_tokens in enumerate(budgets(self.config)):
            with at_once():
                part = evaluate(self.engine, self.grader, self.held_out, self.config, max_tokens)
            groups = gathered(part)
            name = "eval" if i == 0 else f"eval@{max_tokens}"
            found |= {f"{name}/{k}": v for k, v in figures(groups, self.held_out).items()}
            if self.writes:
                write_samples(groups, self.out / log.SAMPLES / f"{name}_{self.step:06d}.jsonl")
        return {**found, "timing_s/eval": time.perf_counter() - started}

    def _sync(self) -> None:
        if self._synced != self.step:
            self._checked = self.engine.sync(self.policy.model, self.step)
            self._synced = self.step

    def _record(self, found: dict[str, float]) -> None:
        line = {"step": self.step, **found}
        if self.writes:
            log.append(self.out / log.METRICS, line)
        self.history.append(line)
        for sink in self.sinks:
            sink.log(self.step, found)
        self.progress.show(line)

    def _alarm(self, text: str) -> None:
        self.progress.say(f"ALARM step {self.step}: {text}")

    def _evaluations(self) -> dict[int, float]:
        """The accuracy at each step that was evaluated, where the judge did not fail throughout."""
        found = {line["step"]: line.get("eval/accuracy", math.nan) for line in self.history}
        return {step: accuracy for step, accuracy in found.items() if not math.isnan(accuracy)}

    def _best(self) -> int | None:
        scores = {step: score for step, score in self._evaluations().items() if step > 0}
        kept = self.config.checkpoint.keep_best and scores
        return max(scores, key=scores.__getitem__) if kept else None

    def _watch(self) -> None:
        """Stop where nothing can be learned; say when a run has passed its peak."""
        guard = self.config.guard
        recent = [line for line in self.history if line["step"] > 0][-guard.no_signal_steps :]
        signal = any(line["group/mixed_frac"] for line in recent)
        if len(recent) == guard.no_signal_steps and not signal:
            zero = sum(line["group/all_zero_frac"] for line in recent) / len(recent)
            self._save()
            raise NoSignalError(
                f"no learning signal for {len(recent)} steps: in every group all rewards are equal "
                f"({zero:.0%} of groups all wrong, {1 - zero:.0%} all right or not judged). All "
                "wrong: easier problems, a longer rollout.response_length, another data.template; "
                "all right: harder problems; either: a higher rollout.temperature, a larger "
                "rollout.n"
            )
        looks = self._evaluations()
        scores = list(looks.values())
        late = len(scores) - 1 - scores.index(max(scores)) if scores else 0
        if late >= guard.patience and self.step in looks:
            falling = self.history[-1].get("diversity/slope", 0.0) < 0
            lost = ", and diversity falls: such runs do not recover (paper, 2.5)" * falling
            self._alarm(f"no better evaluation for {late} evaluations{lost}")

    def _give_up(self, batch: list[dict[str, Any]]) -> None:
        culprit = self.policy.first_non_finite()
        file = self.out / f"non_finite_{self.step:06d}.json"
        if self.writes:
            file.write_text(json.dumps(batch))
        self._save()
        raise TrainError(
            f"step {self.step}: {self.policy.skipped_in_a_row} updates in a row had no finite "
            f"gradient; first non-finite tensor: {culprit}. The weights are those before them; the "
            f"batch is in {file}. Lower optim.lr, or set model.autocast=none"
        )

    def _save(self) -> None:
        """A checkpoint of the steps done so far, unless it is there."""
        started = time.perf_counter()
        if self._saved == self.step:
            return
        state = {
            "settings": binding(self.settings.config),
            "fingerprints": self.fingerprints,
            "versions": versions(),
        }
        checkpoint.save(self.checkpoints, self.step, state, self.policy.save)
        if self.writes:
            checkpoint.keep(self.checkpoints, self.config.checkpoint.keep_last, self._best())
        self._saved = self.step
        self._save_seconds = time.perf_counter() - started

    def _checkpoint_to_resume(self, resume: str) -> checkpoint.Checkpoint | None:
        held = checkpoint.newest(self.checkpoints)
        if resume == "never":
            if held or (self.out / log.METRICS).exists():
                raise ResumeError(
                    f"{self.out} already holds a run: choose another --out, or remove it"
                )
            return None
        if resume != "auto":
            held = checkpoint.read(Path(resume))
        if held is not None:
            checkpoint.check_settings(held, binding(self.settings.config))
        return held

    def _past_metrics(self) -> list[dict[str, Any]]:
        """Cut what is on disk back to the checkpoint, and read it."""
        if self.writes:
            checkpoint.drop_later(self.checkpoints, self.step)
            for name in (log.METRICS, log.PROBLEMS):
                checkpoint.cut_lines(self.out / name, self.step)
        (self.out / log.SAMPLES).mkdir(exist_ok=True)
        barrier()
        return log.read_metrics(self.out) if (self.out / log.METRICS).exists() else []

    def _check_data(self) -> None:
        data, size = self.config.data, self.config.train.train_batch_size
        if len(self.train.prompts) < size:
            raise TrainError(
                f"data.train has {len(self.train.prompts)} prompts, fewer than "
                f"train.train_batch_size={size}"
            )
        if not data.allow_overlap:
            check_overlap(self.train, self.held_out)
        if self.held is not None:
            checkpoint.check_data(self.held, self.fingerprints)

    def _engine(self) -> Engine:
        answers = [staged(self.config.rollout.response_length).largest, *budgets(self.config)]
        prompts = [len(prompt.ids) for prompt in (*self.train.prompts, *self.held_out.prompts)]
        longest = max(prompts) + int(max(answers))
        return open_engine(self.config, self.policy.model, self.stop_ids, longest, self.out)


def resolved(config: Config, out: Path) -> Config:
    """The configuration with "tiny" made real and "probe" looked up in OUT/probe.json."""
    changes: dict[str, Any] = {}
    if config.model.path == "tiny":
        if rank() == 0:
            write_tiny(out / "tiny", config.train.seed)
        barrier()
        data = {"train": str(out / "tiny/train.jsonl"), "eval": str(out / "tiny/eval.jsonl")}
        changes["model"] = config.model.model_copy(update={"path": str(out / "tiny/model")})
        kept = {name: path for name, path in data.items() if getattr(config.data, name) == "tiny"}
        changes["data"] = config.data.model_copy(update=kept)
    if config.rollout.temperature == "probe":
        file = out / "probe.json"
        chosen = json.loads(file.read_text())["temperature"] if file.exists() else None
        update = {"temperature": chosen or PAPER_TEMPERATURE}
        changes["rollout"] = config.rollout.model_copy(update=update)
    return config.model_copy(update=changes)


def versions() -> dict[str, str]:
    """Of what a run's figures depend on."""
    return {
        "microcoder": __version__,
        "torch": torch.__version__,
        "transformers": transformers.__version__,
        "python": platform.python_version(),
    }


def binding(config: Config) -> dict[str, Any]:
    """The settings that a run cannot change half-way, as JSON gives them back."""
    flat = {
        f"{section}.{name}": value
        for section, values in config.model_dump(mode="json").items()
        for name, value in values.items()
    }
    return {key: value for key, value in flat.items() if not key.startswith(FREE)}
