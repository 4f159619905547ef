"""Problems as prompts: how they are read, rendered, checked and ordered.

Template completion: the prompt is ``starter_code``, generation stops at the end of a line, and the
program is prompt plus line. Template chat: the prompt follows the model's chat template, and the
judge extracts the program from the response.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from transformers import PreTrainedTokenizerBase

from microcoder_data.decontaminate.train_eval_overlap import find_overlaps
from microcoder_data.prompt import PROMPT, make_messages, read_prompt_file
from microcoder_data.source_files import read_problems
from microcoder_eval.errors import DataError
from microcoder_eval.foreign_tests.rewrite import refuse_in_process_tests
from microcoder_eval.records import Problem
from microcoder_train.algorithm import counter
from microcoder_train.config import Data, Reward
from microcoder_train.errors import ConfigError, TrainError
from microcoder_train.samples import Sample

MAX_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Prompt:
    """A problem and its prompt as text and tokens."""

    problem: Problem
    text: str
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PromptSet:
    """Prompts in the order of their file. notes: sentences about problems that were left out."""

    prompts: tuple[Prompt, ...]
    notes: tuple[str, ...] = ()

    @property
    def fingerprint(self) -> str:
        """A hash of all prompts and tests, in order."""
        parts = [[p.problem.problem_id, p.problem.tests_sha256, p.text] for p in self.prompts]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def batch(self, step: int, size: int, seed: int) -> list[Prompt]:
        """Return the prompts of a step, a pure function of step, size and seed.

        Every epoch has a new order. The last prompts of an epoch are left out if they do not fill a
        batch, so no batch holds a problem twice.
        """
        epoch, index = divmod(step, len(self.prompts) // size)
        shuffled = counter.shuffle(self.prompts, seed, "order", epoch)
        return shuffled[index * size : (index + 1) * size]


class Template:
    """Turns problems into prompts, and responses into inputs of the judge."""

    def __init__(self, data: Data, tokenizer: PreTrainedTokenizerBase) -> None:
        self.completion = data.template == "completion"
        self.data = data
        self._tokenizer = tokenizer
        self._texts = read_prompt_file(Path(data.prompt_file)) if data.prompt_file else PROMPT
        if not self.completion and not tokenizer.chat_template:
            raise ConfigError(
                f"model.path={tokenizer.name_or_path} has no chat template: set "
                "data.template=completion, or take a model that has one"
            )

    def render(self, problem: Problem) -> Prompt:
        """Return the prompt of a problem. Raises DataError if the problem does not say its task."""
        task = problem.starter_code or ("" if self.completion else problem.statement)
        if not task:
            name = "starter_code" if self.completion else "a statement"
            raise DataError(
                f"{problem.problem_id}: data.template={self.data.template} needs {name}"
            )
        if self.completion:
            return Prompt(problem, task, tuple(self._tokenizer(task).input_ids))
        text = self._tokenizer.apply_chat_template(
            make_messages(problem, self._texts), add_generation_prompt=True, tokenize=False,
            **self.data.chat_template_kwargs,
        )  # fmt: skip
        text += self.data.assistant_prefix
        # The chat template has already added the special tokens.
        ids = self._tokenizer(text, add_special_tokens=False).input_ids
        return Prompt(problem, text, tuple(ids))

    def find_stop_ids(self, model_ends: int | Sequence[int] | None = None) -> frozenset[int]:
        """Return tokens that end a response; for completions also all that contain a newline.

        model_ends: eos_token_id of the model's generation config, which may be several tokens, and
        need not include the tokenizer's.
        """
        ends = [model_ends] if isinstance(model_ends, int) else list(model_ends or ())
        ids = {end for end in (self._tokenizer.eos_token_id, *ends) if end is not None}
        if self.completion:
            texts = self._tokenizer.batch_decode([[i] for i in range(len(self._tokenizer))])
            ids |= {i for i, text in enumerate(texts) if "\n" in text}
        return frozenset(ids)

    def make_judge_input(self, sample: Sample, prompt: Prompt) -> dict[str, str]:
        """Return the judge's input: {"code": …} or {"response": …}.

        A completion without a stop token is no program. It becomes an empty response, which the
        judge reports as incomplete.
        """
        text = self.text(sample)
        if not self.completion:
            return {"response": self.data.assistant_prefix + text}
        if sample.finish != "stop":
            return {"response": ""}
        return {"code": prompt.text + text.partition("\n")[0] + "\n"}

    def text(self, sample: Sample) -> str:
        """Return the response without special tokens."""
        text: str = self._tokenizer.decode(sample.ids, skip_special_tokens=True)
        return text


def read_prompts(name: Literal["train", "eval"], template: Template, reward: Reward) -> PromptSet:
    """Return the problems of the template's data.train or data.eval as prompts.

    Raises ConfigError, TrainError or DataError with a message that says what to change. It also
    raises for a problem whose tests a program can forge, unless the reward allows such tests.
    """
    data, setting = template.data, f"data.{name}"
    path = getattr(data, name)
    if not path:
        raise ConfigError(f"{setting} is not set: a JSONL file of problems (see --preset tiny)")
    readable, faults = read_problems(path)
    if faults and not data.skip_bad_lines:
        raise TrainError(
            f"{setting}: {len(faults)} of its lines cannot be used: {_shorten(faults)}; fix them, "
            "or set data.skip_bad_lines=true"
        )
    if not reward.allow_in_process_tests:
        for problem in readable:
            refuse_in_process_tests(problem, "reward.allow_in_process_tests=true")
    prompts = [template.render(problem) for problem in readable]
    usable = [prompt for prompt in prompts if len(prompt.ids) <= data.max_prompt_tokens]
    notes = []
    if faults:
        notes.append(f"{setting}: {len(faults)} of its lines left out: {_shorten(faults)}")
    if len(usable) < len(prompts):
        longest = max(prompts, key=lambda prompt: len(prompt.ids))
        notes.append(
            f"{setting}: {len(prompts) - len(usable)} of {len(prompts)} prompts are longer than "
            f"data.max_prompt_tokens={data.max_prompt_tokens} and left out (longest: "
            f"{longest.problem.problem_id}, {len(longest.ids)} tokens)"
        )
    if not usable:
        raise TrainError(notes[-1])
    return PromptSet(tuple(usable), tuple(notes))


def check_overlap(train_prompts: PromptSet, eval_prompts: PromptSet) -> None:
    """Refuse an evaluation set that overlaps with the training set. Raises TrainError."""
    matches = find_overlaps(
        [prompt.problem for prompt in train_prompts.prompts],
        [prompt.problem for prompt in eval_prompts.prompts],
    )
    if matches:
        raise TrainError(
            f"data.eval overlaps data.train in {len(matches)} of {len(eval_prompts.prompts)} "
            f"problems: {_shorten(matches)}; take them out, or set data.allow_overlap=true"
        )


def _shorten(items: Sequence[str]) -> str:
    more = f" and {len(items) - MAX_SHOWN} more" if len(items) > MAX_SHOWN else ""
    return "; ".join(items[:MAX_SHOWN]) + more


def select_group_keys(problem: Problem) -> dict[str, Any]:
    """Return the properties that results are grouped by, as far as the problem has them."""
    values = {"platform": problem.platform, "difficulty": problem.difficulty}
    values["family"] = problem.meta.get("family")
    return {name: str(value) for name, value in values.items() if value is not None}
