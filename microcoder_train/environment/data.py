"""Problems as prompts: read, rendered, checked, put in an order that needs no state.

Templates (design, section 7). completion: the prompt is ``starter_code`` as it stands, generation
stops at a line's end, the program is prompt and line. chat: the model's chat template, the judge
extracts the program from the answer.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from transformers import PreTrainedTokenizerBase

from microcoder_eval.errors import DataError
from microcoder_eval.formats import open_problems
from microcoder_eval.records import Kind, Problem
from microcoder_train import counter
from microcoder_train.config import Data
from microcoder_train.errors import ConfigError, TrainError
from microcoder_train.samples import Sample

GRAM = 13  # words; what decontamination in the field counts
SHOWN = 5
# Which input and output a program has is said outright: right algorithms failed where the two
# kinds were mixed without saying so (paper, section 3).
_TASKS = {
    Kind.STDIN: "Write a Python program that reads from standard input and prints the answer to "
    "standard output.",
    Kind.CALL: "Complete the Python code below; it is called with arguments and must return the "
    "answer.",
    Kind.ASSERT: "Write the Python code asked for.",
}
_REPLY = "Put the whole program into one block that starts with ```python and ends with ```."


@dataclass(frozen=True, slots=True)
class Prompt:
    """A problem and what the model is given for it."""

    problem: Problem
    text: str
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PromptSet:
    """Prompts in the order of their file. notes: what was left out and why."""

    prompts: tuple[Prompt, ...]
    notes: tuple[str, ...] = ()

    @property
    def fingerprint(self) -> str:
        """Hash of every prompt and every test, in order."""
        parts = [[p.problem.problem_id, p.problem.tests_sha256, p.text] for p in self.prompts]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def batch(self, step: int, size: int, seed: int) -> list[Prompt]:
        """The prompts of a step, a pure function of seed and step.

        Every pass is a new order; its last prompts, too few for a batch, wait for another pass,
        so no problem stands twice in a batch.
        """
        epoch, place = divmod(step, len(self.prompts) // size)
        order = counter.permutation(len(self.prompts), seed, "order", epoch)
        return [self.prompts[i] for i in order[place * size : (place + 1) * size]]


class Template:
    """How a problem becomes a prompt, and a response what the judge gets."""

    def __init__(self, data: Data, tokenizer: PreTrainedTokenizerBase) -> None:
        self.completion = data.template == "completion"
        self._data = data
        self._tokenizer = tokenizer
        if not self.completion and not tokenizer.chat_template:
            raise ConfigError(
                f"model.path={tokenizer.name_or_path} has no chat template: set "
                "data.template=completion, or take a model that has one"
            )

    def render(self, problem: Problem) -> Prompt:
        """The prompt of a problem. Raises DataError when the template needs what it lacks."""
        if self.completion:
            if not problem.starter_code:
                name = problem.problem_id
                raise DataError(f"{name}: data.template=completion needs starter_code")
            text = problem.starter_code
            return Prompt(problem, text, tuple(self._tokenizer(text).input_ids))
        text = self._tokenizer.apply_chat_template(
            [{"role": "user", "content": _question(problem)}],
            add_generation_prompt=True,
            tokenize=False,
            **self._data.chat_template_kwargs,
        )
        text += self._data.assistant_prefix
        # The template has written the special tokens out; encoding must not add them again.
        ids = self._tokenizer(text, add_special_tokens=False).input_ids
        return Prompt(problem, text, tuple(ids))

    def stop_ids(self) -> frozenset[int]:
        """Tokens that end a response; under completion every token with a line end in it."""
        stops = {self._tokenizer.eos_token_id}
        if self.completion:
            texts = self._tokenizer.batch_decode([[i] for i in range(len(self._tokenizer))])
            stops |= {i for i, text in enumerate(texts) if "\n" in text}
        return frozenset(stops)

    def answer(self, sample: Sample, prompt: Prompt) -> dict[str, str]:
        """What the judge is given: {"code"} or {"response"}.

        A completion that neither ended its line nor its text is no program: an empty response,
        which the judge calls incomplete.
        """
        text = self.text(sample)
        if not self.completion:
            return {"response": self._data.assistant_prefix + text}
        if sample.finish != "stop":
            return {"response": ""}
        return {"code": prompt.text + text.partition("\n")[0] + "\n"}

    def text(self, sample: Sample) -> str:
        """The response as people read it."""
        decoded: str = self._tokenizer.decode(sample.ids, skip_special_tokens=True)
        return decoded


def read_prompts(path: str, setting: str, data: Data, template: Template) -> PromptSet:
    """The problems of a file as prompts; ``setting`` is how errors name it.

    Raises ConfigError, TrainError or DataError saying what to change.
    """
    if not path:
        raise ConfigError(f"{setting} is not set: a JSONL file of problems (see --preset tiny)")
    with open_problems(path) as problems:
        bad = [str(line) for line in problems.bad]
        held = [problems.get(name) for name in problems.ids]
    if bad and not data.skip_bad_lines:
        raise TrainError(
            f"{setting}: {len(bad)} lines cannot be used: {_some(bad)}; mend them, or set "
            "data.skip_bad_lines=true"
        )
    prompts = [template.render(problem) for problem in held]
    fitting = [prompt for prompt in prompts if len(prompt.ids) <= data.max_prompt_tokens]
    notes = [f"{setting}: {len(bad)} bad lines are left out: {_some(bad)}"] if bad else []
    if len(fitting) < len(prompts):
        longest = max(prompts, key=lambda prompt: len(prompt.ids))
        notes.append(
            f"{setting}: {len(prompts) - len(fitting)} of {len(prompts)} prompts are longer than "
            f"data.max_prompt_tokens={data.max_prompt_tokens} and left out (longest: "
            f"{longest.problem.problem_id}, {len(longest.ids)} tokens)"
        )
    if not fitting:
        raise TrainError(notes[-1])
    return PromptSet(tuple(fitting), tuple(notes))


def check_overlap(train: PromptSet, held_out: PromptSet) -> None:
    """Refuse an evaluation set that is in part trained on. Raises TrainError.

    The same normalised statement, the same tests, or at least half of the statement's 13-grams in
    the training set (any single one is often boilerplate: "is given from standard input in").
    """
    statements = {_words(prompt.problem): prompt.problem.problem_id for prompt in train.prompts}
    tests = {_tests_hash(prompt.problem): prompt.problem.problem_id for prompt in train.prompts}
    grams = {gram for words in statements for gram in _grams(words)}
    found = []
    for problem in (prompt.problem for prompt in held_out.prompts):
        words, name = _words(problem), problem.problem_id
        own = _grams(words)
        if words in statements:
            found.append(f"{name} has the statement of {statements[words]}")
        elif _tests_hash(problem) in tests:
            found.append(f"{name} has the tests of {tests[_tests_hash(problem)]}")
        elif own and 2 * len(own & grams) >= len(own):
            found.append(f"{name} shares {len(own & grams)} of {len(own)} {GRAM}-grams")
    if found:
        raise TrainError(
            f"data.eval overlaps data.train in {len(found)} of {len(held_out.prompts)} problems: "
            f"{_some(found)}; take them out, or set data.allow_overlap=true"
        )


def _question(problem: Problem) -> str:
    parts = [_TASKS[problem.kind], _REPLY, problem.statement or ""]
    if problem.starter_code:
        parts.append(f"```python\n{problem.starter_code}\n```")
    return "\n\n".join(part for part in parts if part)


def _words(problem: Problem) -> tuple[str, ...]:
    text = f"{problem.statement or ''} {problem.starter_code or ''}".casefold()
    return tuple("".join(c if c.isalnum() else " " for c in text).split())


def _grams(words: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(words[i : i + GRAM]) for i in range(len(words) - GRAM + 1)}


def _tests_hash(problem: Problem) -> str:
    """Of the tests alone: not of limits, names or starter code, which a copy may change."""
    return replace(problem, entry_point=None, starter_code=None, checker=None).tests_sha256


def _some(items: Sequence[str]) -> str:
    more = f" and {len(items) - SHOWN} more" if len(items) > SHOWN else ""
    return "; ".join(items[:SHOWN]) + more


def traits(problem: Problem) -> dict[str, Any]:
    """What results are broken down by, where the problem says it."""
    known = {
        "platform": problem.platform,
        "difficulty": problem.difficulty,
        "family": problem.meta.get("family"),
    }
    return {name: str(value) for name, value in known.items() if value is not None}
