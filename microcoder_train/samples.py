"""The records of a response, from its prompt to its judgement: Request -> Sample -> Episode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from microcoder_eval.records import Judgement

from .algorithm import counter

Finish = Literal["stop", "length"]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How responses are sampled, ``n`` to each prompt.

    temperature: 0 means greedy.
    stream: names the random draws, with the problem; equal names give equal samples.
    top_p: below 1 only in evaluation; in training the policy is the whole distribution.
    """

    n: int
    temperature: float
    max_tokens: int
    stream: tuple[int | str, ...]
    top_p: float = 1.0


@dataclass(frozen=True, slots=True)
class Request:
    """Sample responses to one prompt."""

    problem_id: str
    prompt_ids: tuple[int, ...]
    sampling: Sampling

    def make_seed(self, index: int) -> int:
        """Return the seed of the random draws of one sample."""
        return counter.seed_for(*self.sampling.stream, self.problem_id, index)


@dataclass(frozen=True, slots=True)
class Sample:
    """One response to a request.

    index: its number among them, from 0.
    ids: its tokens, with the stop token if there is one.
    logps: their log-probabilities under the sampling distribution.
    finish: "length" if it was cut at max_tokens.
    version: numbers the engine's weights.
    """

    request: Request
    index: int
    ids: tuple[int, ...]
    logps: tuple[float, ...]
    finish: Finish
    version: int

    @property
    def truncated(self) -> bool:
        """Whether it was cut at its maximum length."""
        return self.finish == "length" and len(self.ids) == self.request.sampling.max_tokens

    @property
    def text_ids(self) -> tuple[int, ...]:
        """Its tokens without the stop token."""
        return self.ids[:-1] if self.finish == "stop" else self.ids


@dataclass(frozen=True, slots=True)
class Episode:
    """A sample, its text, its judgement and its reward. shadow_passed: the verdict by the lcb
    comparer. hidden_passed: the verdict of the held-back tests. These and the reward are None if
    there is none."""

    sample: Sample
    text: str
    judgement: Judgement
    reward: float | None
    shadow_passed: bool | None = None
    hidden_passed: bool | None = None
