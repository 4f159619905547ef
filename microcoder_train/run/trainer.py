"""The training loop: sample, judge while sampling, compute advantages, update, evaluate, save.

batch(step) -> Request -> Sample -> Episode -> Advantages -> TrainingSample -> update
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from transformers import PreTrainedModel

from microcoder_train import parallel
from microcoder_train.algorithm import counter
from microcoder_train.algorithm.diversity import compute_slope
from microcoder_train.config_layers import Settings
from microcoder_train.environment.prompts import PromptSet, Template, check_overlap, read_prompts
from microcoder_train.environment.reward import RewardJudge
from microcoder_train.environment.reward_hacking import hold_back_tests
from microcoder_train.errors import EngineError, NoSignalError, TrainError
from microcoder_train.learner.advantages import Advantages, compute_advantages, make_mini_batches
from microcoder_train.learner.memory import explain_memory_errors
from microcoder_train.learner.policy import Policy
from microcoder_train.learner.pretrained import load_model
from microcoder_train.learner.threads import set_threads
from microcoder_train.learner.update import update
from microcoder_train.rollout import Engine
from microcoder_train.rollout.factory import open_engine
from microcoder_train.samples import Episode

from . import checkpoint, log
from .alarms import find_alarms, find_stop_reason
from .evaluate import compute_evaluation_metrics, evaluate, list_token_budgets
from .lock import RunLock
from .metrics import compute_step_metrics, read_memory_metrics
from .record import RunRecord
from .sampling import JudgedEngine
from .settings import list_versions, resolve_temperature, resolve_tiny
from .signals import Interrupted, Stop
from .step_sampler import StepSampler, StepSamples

MEMORY_SETTINGS = (
    "train.tokens_per_micro_batch or train.logits_chunk, or set model.activation_checkpointing=true"
)


class Trainer:
    """One run in one folder; the constructor loads and checks everything.

    Every rank has a Trainer with the same episodes and metrics.

    resume: "auto" continues from the newest checkpoint in ``out``, if any; a path names a
    checkpoint. Raises TrainError and DataError.
    """

    def __init__(self, settings: Settings, out: Path, resume: str = "auto") -> None:
        self.out, self.checkpoints = out, out / "checkpoints"
        out.mkdir(parents=True, exist_ok=True)
        self._lock = RunLock(out) if parallel.rank() == 0 else None
        try:
            self._set_up(settings, out, resume)
        except BaseException:
            self.close()
            raise

    def _set_up(self, settings: Settings, out: Path, resume: str) -> None:
        config = resolve_temperature(settings.config, out)
        self._fixed_settings = checkpoint.select_fixed_settings(config)
        self.config = config = resolve_tiny(config, out)
        self.saver = checkpoint.Saver(self.checkpoints, config.checkpoint.keep_last)
        self.resumed_from, self.notes = checkpoint.find_to_resume(
            self.checkpoints, resume, self._fixed_settings
        )
        self.step = self.resumed_from.step if self.resumed_from else 0
        torch.manual_seed(config.train.seed)
        path = config.model.path
        if self.resumed_from and not config.model.lora_rank:  # else adapters are merged in hf/
            path = str(self.resumed_from.folder / "hf")
        model, tokenizer = load_model(config.model.model_copy(update={"path": path}))
        self._set_threads(model)
        self.template = Template(config.data, tokenizer)
        self.train_prompts = read_prompts("train", self.template, config.reward)
        self.eval_prompts = PromptSet((), ("data.eval is not set: no evaluation",))
        if config.data.eval:
            self.eval_prompts = read_prompts("eval", self.template, config.reward)
        self.fingerprints = {"data.train": self.train_prompts.fingerprint}
        self._check_data()
        reference = load_model(config.model)[0].requires_grad_(False) if config.loss.beta else None
        self.policy = Policy(config, model, tokenizer, reference)
        self.notes += self.policy.loss_function.notes
        if self.resumed_from:
            self.policy.load(self.resumed_from.folder)
        if config.model.lora_rank:
            trained = sum(one.numel() for one in self.policy.parameters)
            total = sum(one.numel() for one in model.parameters())
            self.notes.append(f"LoRA: {trained:,} of {total:,} weights are trained")
        self._refuse_damaged_weights("the model that was loaded")
        self.stop_ids = self.template.find_stop_ids(model.generation_config.eos_token_id)
        self.engine = self._open_engine()
        self.reward_judge = RewardJudge(config.reward, self.template)
        self.record = RunRecord(config, out, self.step)
        if self.record.is_writer:
            self.notes += checkpoint.remove_checkpoints_after(self.checkpoints, self.step)
        self.judged_engine = JudgedEngine(self.engine, self.reward_judge)
        self.sampler = StepSampler(
            config, self.judged_engine, self.train_prompts, self.record.lengths
        )
        self._synced_step = -1
        self._saved_step = self.step if self.resumed_from else -1
        # The step of these weights; None while they are between two steps.
        self._recorded_step: int | None = self.step
        self._sync_metrics: dict[str, float] = {}
        self._save_seconds = 0.0

    def run(self) -> None:
        """Train to the last step. Raises Interrupted after a signal, once the state is saved."""
        with Stop() as stop, self.reward_judge:
            try:
                notes = (*self.notes, *self.train_prompts.notes, *self.eval_prompts.notes)
                for note in (*notes, *self.config.list_warnings()):
                    self.record.print_text(note)
                is_new = self.step == 0 and not self.record.history
                if is_new and self.config.eval.at_start and self.eval_prompts.prompts:
                    self._record(self._evaluate(stop.interrupt_at_once))
                while self.step < self.config.train.steps:
                    self._advance(stop)
                    stop.check()
                self.saver.wait()
            except (Interrupted, EngineError):
                self._save_recorded_step()
                raise
            except Exception:
                # Other ranks do not know of the error, and all must save together.
                if parallel.world_size() == 1:
                    with suppress(TrainError):  # the original error says more
                        self._save_recorded_step()
                raise
            finally:
                self.saver.close()
                self.sampler.close()
                self.engine.close()
                self.record.close()
                self.close()

    def close(self) -> None:
        """Release the folder for other runs."""
        if self._lock is not None:
            self._lock.release()

    def sample(self, stop: Stop) -> StepSamples:
        """Sample and judge the groups of the next step."""
        with stop.interrupt_at_once():
            self.sampler.wait()
        started_at = time.perf_counter()
        self._sync()
        sync_seconds = time.perf_counter() - started_at
        samples = self.sampler.sample(self.step, stop)
        self.record.report_honeypots(self.step + 1, samples.honeypot_groups)
        sync_metrics = {"timing_s/sync": sync_seconds, **self._sync_metrics}
        return samples._replace(metrics=sync_metrics | samples.metrics)

    def compute_advantages(self, groups: Sequence[Sequence[Episode]]) -> Advantages:
        """Return the advantages of each sample; an ablation overrides this method."""
        return compute_advantages(groups, self.config, self.step)

    def learn(
        self, groups: Sequence[Sequence[Episode]], advantages: Advantages
    ) -> dict[str, float]:
        """Update the model by a step's groups. Raises TrainError if gradients stay non-finite."""
        horizon = groups[0][0].sample.request.sampling.max_tokens
        mini_batches = make_mini_batches(groups, advantages, self.config)
        with explain_memory_errors("updating", MEMORY_SETTINGS):
            self.engine.sleep()
            metrics = update(self.policy, mini_batches, self.config, self.step, horizon)
        rows = [row for mini_batch in mini_batches for row in mini_batch]
        if self.policy.consecutive_skips >= self.config.guard.max_skipped:
            batch = parallel.gather_lists([asdict(row) for row in rows])
            self._fail_non_finite(batch, metrics["actor/pg_loss"])
        self.policy.optimizer.zero_grad()  # sampling needs the memory of the gradients
        return metrics

    def _advance(self, stop: Stop) -> None:
        """Run one step: sample, learn, write a line of metrics and, if due, a checkpoint."""
        started_at = time.perf_counter()
        torch.manual_seed(counter.seed_for(self.config.train.seed, "torch", self.step))
        samples = self.sample(stop)
        groups = samples.groups
        advantages = self.compute_advantages(groups)
        self._recorded_step = None
        difficulties = [prompt.problem.difficulty for prompt in samples.prompts]
        metrics = samples.metrics | compute_step_metrics(groups, advantages, difficulties)
        # Before the update, whose failure the samples may explain.
        prompts = samples.prompts[: self.config.log.samples]
        self.record.write_groups(self.step + 1, prompts, groups, advantages)
        metrics |= self.learn(groups, advantages)
        self._refuse_damaged_weights(f"after the update of step {self.step + 1}")
        self.step += 1
        diversities = [*log.select_curve(self.record.history, "diversity/d4").values()]
        diversities.append(metrics["diversity/d4"])
        metrics["diversity/slope"] = compute_slope(diversities)
        self.record.add_problems(self.step, groups)
        if self._is_due(self.config.eval.every):
            metrics |= self._evaluate()
        metrics["timing_s/save"], self._save_seconds = self._save_seconds, 0.0  # step before
        metrics["timing_s/step"] = time.perf_counter() - started_at
        self._record({**metrics, **read_memory_metrics()})
        self._end_step(groups)

    def _end_step(self, groups: Sequence[Sequence[Episode]]) -> None:
        """Report alarms, and save if that is due. Raises NoSignalError."""
        guard, history = self.config.guard, self.record.history
        self.record.report_alarms(self.step, find_alarms(history, groups, self.stop_ids, guard))
        if reason := find_stop_reason(history, guard):
            self._save()
            self.saver.wait()
            raise NoSignalError(reason)
        self.saver.poll()
        if self._is_due(self.config.checkpoint.every) or self._best_step() == self.step:
            self._save()

    def _is_due(self, interval: int) -> bool:
        return self.step % interval == 0 or self.step == self.config.train.steps

    def _evaluate(
        self, interruptible: Callable[[], AbstractContextManager[None]] = nullcontext
    ) -> dict[str, float]:
        if not self.eval_prompts.prompts:
            return {}
        started_at = time.perf_counter()
        metrics: dict[str, float] = {}
        self._sync()
        for i, max_tokens in enumerate(list_token_budgets(self.config)):
            with interruptible():
                shard = evaluate(self.judged_engine, self.eval_prompts, self.config, max_tokens)
            groups = parallel.gather_shards(shard)
            name = "eval" if i == 0 else f"eval@{max_tokens}"
            values = compute_evaluation_metrics(groups, self.eval_prompts)
            metrics |= {f"{name}/{key}": value for key, value in values.items()}
            self.record.write_evaluation(name, self.step, groups)
        return {**metrics, "timing_s/eval": time.perf_counter() - started_at}

    def _sync(self) -> None:
        if self._synced_step != self.step:
            self.sampler.wait()
            self._sync_metrics = self.engine.sync(self.policy.scorer, self.step)
            self._synced_step = self.step

    def _record(self, metrics: dict[str, float]) -> None:
        self.record.add_metrics(self.step, metrics)
        self._recorded_step = self.step

    def _best_step(self) -> int | None:
        """Return the step that is kept besides the newest ones, if any."""
        return self.record.find_best_step() if self.config.checkpoint.keep_best else None

    def _fail_non_finite(self, batch: list[dict[str, Any]], loss: float) -> None:
        step = self.step + 1  # that is being computed
        file = self.out / f"non_finite_{step:06d}.json"
        if self.record.is_writer:
            file.write_text(json.dumps(batch))
        self._save()
        self.saver.wait()
        advice = "lower optim.lr"
        if self.config.model.autocast != "none":
            advice += ", or set model.autocast=none"
        cause = f"first non-finite tensor: {self.policy.find_non_finite()}"
        has_finite_loss = math.isfinite(loss)
        is_of_loss = not (has_finite_loss and self.policy.loss_function.has_finite_gradients)
        if self.policy.has_finite_weights() and is_of_loss:  # every rank asks for the weights
            what = "gradient by logp" if has_finite_loss else "value"
            cause = f"loss.function={self.config.loss.function}: its {what} is not finite"
            advice = f"mend it, or {advice}"
        raise TrainError(
            f"step {step}: {self.policy.consecutive_skips} updates in a row had no finite "
            f"gradient; {cause}. The weights are those before them; the batch is in {file}: "
            f"{advice}"
        )

    def _refuse_damaged_weights(self, what: str) -> None:
        """Raise TrainError, before anything is recorded or saved."""
        if self.policy.has_finite_weights():
            return
        with suppress(TrainError):  # the last checkpoint, if it can be written, is named
            self.saver.wait()
        saved = checkpoint.list_checkpoints(self.checkpoints)
        note = f"; {saved[-1].folder} is as it was" if saved else ""
        raise TrainError(
            f"{what}: {self.policy.find_non_finite()} is not finite{note}. Lower optim.lr, or set "
            "model.autocast=none"
        )

    def _save_recorded_step(self) -> None:
        """Save, unless the weights are between two steps: a step without its metrics cannot be
        resumed."""
        if self._recorded_step == self.step and self.policy.has_finite_weights():
            self._save()
        self.saver.wait()

    def _save(self) -> None:
        """Begin a checkpoint of the current step, unless there is one."""
        started_at = time.perf_counter()
        if self._saved_step == self.step:
            return
        state = {
            "settings": self._fixed_settings, "fingerprints": self.fingerprints,
            "versions": list_versions(), "threads": torch.get_num_threads(),
        }  # fmt: skip
        self.saver.start(self.step, state, self._best_step(), self.policy.start_saving)
        self._saved_step = self.step
        self._save_seconds = time.perf_counter() - started_at

    def _set_threads(self, model: PreTrainedModel) -> None:
        """Use the checkpoint's number of threads, since the rounding of sums depends on it."""
        thread_count = self.config.train.threads
        if thread_count is None and self.resumed_from is not None:
            thread_count = self.resumed_from.state.get("threads")
        note = set_threads(model, thread_count)
        self.notes += [note] if note else []

    def _check_data(self) -> None:
        data, size = self.config.data, self.config.train.train_batch_size
        if len(self.train_prompts.prompts) < size:
            raise TrainError(
                f"data.train has {len(self.train_prompts.prompts)} prompts, fewer than "
                f"train.train_batch_size={size}: lower it, and train.ppo_mini_batch_size, "
                "which must divide it"
            )
        if share := self.config.reward.held_back:
            problems = [prompt.problem for prompt in self.train_prompts.prompts]
            count = sum(hold_back_tests(problem, share)[1] is not None for problem in problems)
            note = f"reward.held_back: {count} of {len(problems)} problems have tests to hold back"
            if not count:
                raise TrainError(f"{note} (several, with expected outputs and without a checker)")
            self.notes.append(note)
        if not data.allow_overlap:
            check_overlap(self.train_prompts, self.eval_prompts)
        if self.resumed_from is not None:
            checkpoint.check_data(self.resumed_from, self.fingerprints)

    def _open_engine(self) -> Engine:
        longest = max(self.config.rollout.lengths.largest, *list_token_budgets(self.config))
        prompts = (*self.train_prompts.prompts, *self.eval_prompts.prompts)
        return open_engine(
            self.config, self.policy.model, self.stop_ids, prompts, int(longest), self.out
        )
