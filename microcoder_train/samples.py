"""What travels from a prompt to a gradient: Request -> Sample -> Graded, each made once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from microcoder_eval.records import Judgement

Finish = Literal["stop", "length"]


@dataclass(frozen=True, slots=True)
class Request:
    """Sample one prompt ``n`` times.

    stream: names the randomness; the same stream gives the same samples. temperature 0: greedy.
    top_p: below 1 in evaluation only; in training the probabilities would not be the policy's.
    """

    problem_id: str
    prompt_ids: tuple[int, ...]
    n: int
    temperature: float
    max_tokens: int
    stream: tuple[int | str, ...]
    top_p: float = 1.0

    def answered(
        self, index: int, ids: Sequence[int], logps: Sequence[float], finish: Finish, version: int
    ) -> Sample:
        """The sample that an engine made of this request."""
        own = (self.temperature, self.max_tokens)
        return Sample(
            self.problem_id, index, self.prompt_ids, tuple(ids), tuple(logps), finish, *own, version
        )


@dataclass(frozen=True, slots=True)
class Sample:
    """One response. ids: with the stop token, if one came. logps: of each id, as sampled.

    finish "length": max_tokens came first. version: of the weights it was sampled from.
    """

    problem_id: str
    index: int
    prompt_ids: tuple[int, ...]
    ids: tuple[int, ...]
    logps: tuple[float, ...]
    finish: Finish
    temperature: float
    max_tokens: int
    version: int

    @property
    def truncated(self) -> bool:
        """Whether it was cut off at its own maximum length."""
        return self.finish == "length" and len(self.ids) == self.max_tokens


@dataclass(frozen=True, slots=True)
class Graded:
    """A sample, the text the judge saw, and what it said. shadow_passed: by the lcb comparer."""

    sample: Sample
    text: str
    judgement: Judgement
    shadow_passed: bool | None = None
