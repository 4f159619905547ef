"""Recipes: what every stage does, in TOML. Each default's reason stands on its line.

An unknown key is an error that names the nearest known one.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from microcoder_eval.errors import DataError
from microcoder_eval.formats import words
from microcoder_eval.formats.source import reading
from microcoder_eval.languages import NAMES, find_language

from .reasons import REASONS

Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Named(_Part):
    """keep, drop: names of findings that do, or do not, take a problem out."""

    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _known(self) -> _Named:
        for name in (*self.keep, *self.drop):
            if name not in REASONS:
                raise ValueError(f'no finding "{name}"{words.nearest(name, REASONS)}')
        return self


class Endpoint(_Part):
    """An OpenAI-compatible endpoint. Nothing is sent where no recipe has one."""

    url: str  # ".../v1": /chat/completions is asked
    model: str
    cache: str  # JSONL of answers by the hash of what was asked: a second run asks nothing
    key_env: str = ""  # name of the environment variable that holds the key; none is sent otherwise
    temperature: float = 0.0
    max_tokens: Annotated[int, Field(gt=0)] = 4096
    timeout_s: Positive = 120.0
    tries: Annotated[int, Field(ge=1)] = 3


class Collect(_Part):
    """What is said of problems that do not say it themselves."""

    format: str | None = None
    licence: str | None = None
    origin: str | None = None
    platform: str | None = None
    date: str | None = None


class Process(_Named):
    """One clean form."""

    purpose: Literal["training", "judging"] = "training"
    languages: tuple[str, ...] = ("en",)
    min_tests: Count = 1
    instruction: bool = True  # say explicitly whether stdin is read or a function is completed
    translate: Endpoint | None = None


class Weights(_Part):
    """How much each dimension counts; the paper names five and gives no weights, so they are equal
    but for reading, which a length alone would already give."""

    algorithm: Annotated[float, Field(ge=0)] = 1.0
    implementation: Annotated[float, Field(ge=0)] = 1.0
    mathematics: Annotated[float, Field(ge=0)] = 1.0
    edge_cases: Annotated[float, Field(ge=0)] = 1.0
    reading: Annotated[float, Field(ge=0)] = 0.5

    @model_validator(mode="after")
    def _some(self) -> Weights:
        if not sum(self.model_dump().values()):
            raise ValueError("at least one weight must be above 0")
        return self


class Difficulty(_Part):
    """Predict, calibrate, select."""

    weights: Weights = Weights()
    endpoint: Endpoint | None = None  # an LLM gives the dimensions; else they are had offline
    pass_rates: str | None = None  # file of {"problem_id", "pass_rate"}; a column works, too
    easy_from: Share = 0.7  # pass rates from here on are easy
    hard_below: Share = 0.3  # and below here hard
    easy_score: float = 0.8  # the same on scores (0 to 10) where no pass rate was measured
    hard_score: float = 2.0
    drop_solved: bool = False  # pass rate 1: nothing to learn
    drop_unsolved: bool = False  # pass rate 0: nothing to learn yet
    quota: dict[Literal["easy", "medium", "hard"], Share] | None = None  # shares of the selection
    total: Annotated[int, Field(gt=0)] | None = None


class Filter(_Named):
    """What is worth training on."""

    min_words: Count = 5
    max_chars: Annotated[int, Field(gt=0)] = 20_000
    near_duplicate: Share = 0.8  # Jaccard similarity of word triples from which two are one; 0: off
    paraphrase: Share = 0.8  # the same with numbers, names and identifiers made alike; 0: off
    exact_duplicates: bool = True
    since: str | None = None
    until: str | None = None
    undated: Literal["keep", "drop"] = "keep"
    difficulty: Difficulty | None = None


class Verify(_Named):
    """Tests that can be trusted."""

    compare: str = "calibrated"
    # Programs of other languages are left out. Python alone, so that what is kept does not depend
    # on the toolchains that a machine happens to have; one that lacks a toolchain named here stops.
    languages: tuple[str, ...] = ("python",)
    time_scale: Positive = 1.0
    min_level: Annotated[int, Field(ge=1, le=4)] = 3
    keep_weak: bool = False
    require_reference: bool = False
    references: Annotated[int, Field(gt=0)] = 8  # right programs run for a problem
    wrong: Count = 40  # wrong ones
    agreeing: Annotated[int, Field(gt=0)] = 2  # right programs that must agree on a missing output
    runs: Annotated[int, Field(gt=0)] = 3  # of a reference near its limit; the fastest counts
    slow_from: Positive = 1.25  # times the limit: from here on a reference is too slow
    near_from: Positive = 0.8  # from here to there it is kept, and flagged in the timings
    mutants: Count = 16  # of the right programs, to choose tests by
    # Rounds of loops and calls after which one is left alone; half a second or so. Not a time, or
    # two runs would not choose the same tests.
    mutant_steps: Annotated[int, Field(gt=0)] = 1_000_000
    wrong_steps: Annotated[int, Field(gt=0)] = 2_000_000  # the same of wrong programs
    max_tests: Count = 40  # budget of a problem; 0: no reduction
    min_tests: Count = 8  # a problem with no more than these is left as it is
    keep_share: Share = 0.5  # of the tests, between min_tests and max_tests
    cover: Annotated[int, Field(gt=0)] = 3  # tests that kill each wrong program and mutant
    max_test_kb: Positive = 1024.0
    max_problem_kb: Positive = 16 * 1024.0

    @field_validator("languages")
    @classmethod
    def _judged(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if find_language(name) is None:
                raise ValueError(f'no language "{name}"{words.nearest(name, NAMES)}')
        return tuple(sorted({found.name for found in map(find_language, names) if found}))


class Decontaminate(_Named):
    """What counts as the same as a problem of the evaluation."""

    against: tuple[str, ...] = ()
    ngram: Annotated[int, Field(ge=3)] = 13  # words; the field's usual length
    span_share: Share = 0.15  # of the statement that shared n-grams must cover
    statement: Share = 0.7  # Jaccard similarity of word triples
    paraphrase: Share = 0.8  # the same with numbers, names and identifiers made alike
    tests: Share = 0.5  # of the smaller set of tests
    solution: Share = 0.9  # of a solution's token 5-grams, names levelled


class Run(_Part):
    """The stages of ``run`` and where its data is, relative to the recipe."""

    inputs: tuple[str, ...] = ()
    output: str | None = None
    stages: tuple[Literal["collect", "process", "filter", "decontaminate", "verify"], ...] = (
        "collect", "process", "filter", "verify",
    )  # fmt: skip
    solutions: str | None = None
    labels: str | None = None


class Recipe(_Part):
    """A whole recipe."""

    seed: int = 0
    max_line_mb: Positive = 1024.0
    run: Run = Run()
    collect: Collect = Collect()
    process: Process = Process()
    filter: Filter = Filter()
    verify: Verify = Verify()
    decontaminate: Decontaminate = Decontaminate()


def read_recipe(path: str | None) -> Recipe:
    """The recipe in a file, its paths made relative to the file; None: all defaults.

    Raises DataError naming the key that is wrong.
    """
    if path is None:
        return Recipe()
    with reading(path):
        text = Path(path).read_bytes().decode("utf-8")
    try:
        return recipe_from(tomllib.loads(text), Path(path).parent)
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"not TOML: {error}", path) from None
    except DataError as error:
        raise DataError(error.message, path) from None


def recipe_from(value: dict[str, Any], folder: Path | None = None) -> Recipe:
    """The recipe of decoded TOML. Raises DataError."""
    try:
        recipe = Recipe.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise DataError(words.sentence(error, "see docs/data.md", _keys_at(first["loc"]))) from None
    return _placed(recipe, folder) if folder is not None else recipe


def _keys_at(location: tuple[int | str, ...]) -> list[str]:
    """The keys that are known where an unknown one was found."""
    model: Any = Recipe
    for part in location[:-1]:
        field = model.model_fields.get(part) if hasattr(model, "model_fields") else None
        kinds = getattr(field.annotation, "__args__", (field.annotation,)) if field else ()
        model = next((kind for kind in kinds if hasattr(kind, "model_fields")), None)
        if model is None:
            return []
    return list(model.model_fields)


def _placed(recipe: Recipe, folder: Path) -> Recipe:
    """Paths relative to the recipe; inputs that are no path there stay as they are (datasets)."""

    def at(name: str | None) -> str | None:
        return None if name is None else str(folder / name)

    def source(name: str) -> str:
        return str(folder / name) if (folder / name).exists() else name

    def endpoint(one: Endpoint | None) -> Endpoint | None:
        return one and one.model_copy(update={"cache": str(folder / one.cache)})

    run = recipe.run.model_copy(
        update={
            "inputs": tuple(map(source, recipe.run.inputs)),
            "output": at(recipe.run.output),
            "solutions": at(recipe.run.solutions),
            "labels": at(recipe.run.labels),
        }
    )
    difficulty = recipe.filter.difficulty
    if difficulty is not None:
        difficulty = difficulty.model_copy(
            update={
                "pass_rates": at(difficulty.pass_rates),
                "endpoint": endpoint(difficulty.endpoint),
            }
        )
    return recipe.model_copy(
        update={
            "run": run,
            "process": recipe.process.model_copy(
                update={"translate": endpoint(recipe.process.translate)}
            ),
            "filter": recipe.filter.model_copy(update={"difficulty": difficulty}),
            "decontaminate": recipe.decontaminate.model_copy(
                update={"against": tuple(map(source, recipe.decontaminate.against))}
            ),
        }
    )
