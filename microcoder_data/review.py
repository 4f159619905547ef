"""The optional stage that has a model review problems by a rubric.

It asks for relevance, completeness, whether the tests test what the statement asks for, and
difficulty. A model's opinion is no proof. Each finding is only a sign, and it counts only if the
model quotes the words of the statement that it is about.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from microcoder_eval.audit.findings import Finding
from microcoder_eval.formats.error_text import describe_invalid

from .endpoint import EndpointError, open_client
from .process.instruction import remove_instruction
from .recipe import Endpoint, Review
from .row_reader import add_findings, read_row
from .rows import Row, get_tests, get_text
from .stage import RawRecord, Stage, StageResult

RUBRIC = """\
You review programming problems for a training set. You get a statement, its starter code if it has
any, and some of its tests. Judge only by what is written. Answer with one JSON object:

- "asks_for_program": false if no program or function is asked for: an essay, a quiz, a data set.
- "missing": what a reader needs and is neither said nor shown by the samples: the form of the
  input, what to output, a rule, a picture that holds the task. Empty if one can solve it.
- "wrong_test": the number of the first test whose expected output the statement contradicts, or
  whose input is not what it describes. Compute the output by hand before you name one. 0 if none.
- "quote": if anything above is wrong, three or more words of the statement that show it, copied
  exactly; otherwise empty.
- "why": one sentence on it; otherwise empty.
- "difficulty": numbers from 0 (trivial) to 10 (the hardest contest problems): "algorithm" (the idea
  that must be found), "implementation" (amount and intricacy of code), "mathematics" (what must be
  known or derived), "edge_cases" (what a first solution overlooks), "reading" (how hard it is to
  understand what is asked).
"""
_MAX_CHARACTERS = 12_000  # of a statement, sent to the endpoint
_MAX_TEST_CHARACTERS = 600
_MIN_QUOTE_WORDS = 3  # a shorter quote, such as "1", is in most statements
Rating = Annotated[float, Field(ge=0, le=10)]


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Ratings(_Answer):
    """The five dimensions of difficulty."""

    algorithm: Rating
    implementation: Rating
    mathematics: Rating
    edge_cases: Rating
    reading: Rating


class Opinion(_Answer):
    """What the model says of a problem."""

    asks_for_program: bool
    missing: str
    wrong_test: Annotated[int, Field(ge=0)]
    quote: str
    why: str
    difficulty: Ratings


@dataclass(slots=True)
class ReviewStage(Stage):
    """Asks the endpoint about each problem; the row keeps its opinion under "review"."""

    recipe: Review
    name: str = "review"

    def count_threads(self, workers: int) -> int:
        """See Stage."""
        return self._endpoint.concurrency

    @property
    def _endpoint(self) -> Endpoint:
        assert self.recipe.endpoint is not None  # the command has refused a recipe without one
        return self.recipe.endpoint

    def describe_settings(self) -> Mapping[str, Any]:
        """See Stage."""
        return {**self.recipe.model_dump(mode="json"), "rubric": RUBRIC}

    def open(self, workers: int) -> None:
        """Read the cache of the endpoint. Raises DataError where it cannot be read."""
        open_client(self._endpoint, self.name)

    def handle_record(self, record: RawRecord) -> StageResult:
        """Have one problem reviewed."""
        row = read_row(record)
        if not get_text(row, "statement").strip():
            return StageResult(row)
        try:
            opinion = self._request_opinion(row)
        except EndpointError as error:
            if not self.recipe.decides_about("review_failed"):
                raise
            findings = [Finding("review_failed", str(error))]
        else:
            row = {**row, "review": opinion.model_dump()}
            findings = list(_list_findings(opinion))
        if (drop := self.recipe.choose_drop(findings)) is not None:
            return StageResult(row, drop)
        return StageResult(add_findings(row, findings))

    def _request_opinion(self, row: Row) -> Opinion:
        """Return the model's opinion. Raises EndpointError, also for an answer that cannot be
        used."""
        statement = _shorten(remove_instruction(get_text(row, "statement")), _MAX_CHARACTERS)
        tests = get_tests(row)[: self.recipe.tests]
        parts = [f"# Statement\n\n{statement}"]
        if starter := get_text(row, "starter_code").strip():
            parts.append(f"# Starter code\n\n{starter}")
        for number, test in enumerate(tests, 1):
            given, wanted = (_shorten(test.get(key)) for key in ("input", "output"))
            parts.append(f"# Test {number}\n\nInput:\n{given}\n\nExpected output:\n{wanted}")
        if code := get_text(row, "test_code"):
            parts.append(f"# Tests\n\n{_shorten(code)}")
        messages = [
            {"role": "system", "content": RUBRIC},
            {"role": "user", "content": "\n\n".join(parts)},
        ]
        schema = Opinion.model_json_schema()
        schema["properties"]["wrong_test"]["maximum"] = len(tests)
        return open_client(self._endpoint, self.name).ask(
            messages, lambda answer: parse_opinion(answer, statement, len(tests)), schema
        )


def parse_opinion(answer: str, statement: str, tests: int) -> Opinion:
    """Return a model's opinion. tests: how many it was shown. Raises EndpointError for one without
    the form that was asked for, or without evidence."""
    text = answer[answer.find("{") : answer.rfind("}") + 1]  # models put fences around it
    try:
        opinion = Opinion.model_validate_json(text)
    except ValidationError as error:
        detail = f'{describe_invalid(error)}: "{answer[:80]}"'
        raise EndpointError(f"the review has another form: {detail}") from None
    if opinion.wrong_test > tests:
        raise EndpointError(f"the review speaks of test {opinion.wrong_test}, and saw {tests}")
    quote = " ".join(opinion.quote.split())
    if next(_list_findings(opinion), None) is not None and (
        len(quote.split()) < _MIN_QUOTE_WORDS or quote not in " ".join(statement.split())
    ):
        raise EndpointError(f'the review quotes no words of the statement: "{quote[:80]}"')
    return opinion


def _list_findings(opinion: Opinion) -> Iterator[Finding]:
    detail, evidence = opinion.why[:400], {"quote": opinion.quote}
    if not opinion.asks_for_program:
        yield Finding("review_irrelevant", detail, evidence)
    if opinion.missing.strip():
        yield Finding("review_incomplete", opinion.missing[:400], evidence)
    if opinion.wrong_test:
        yield Finding("review_wrong_test", detail, {**evidence, "test": opinion.wrong_test})


def _shorten(value: Any, limit: int = _MAX_TEST_CHARACTERS) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= limit else f"{text[:limit]} [cut]"
