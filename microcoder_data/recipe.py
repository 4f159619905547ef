"""Recipes: the settings of every stage, read from TOML. Unknown keys are errors."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from microcoder_eval.audit.findings import Finding
from microcoder_eval.errors import DataError, suggest
from microcoder_eval.formats import error_text
from microcoder_eval.formats.source import convert_read_errors
from microcoder_eval.languages import LANGUAGE_NAMES, find_language
from microcoder_eval.records import HIGHEST_LIMIT, NEAR_LIMIT_FROM, NEAR_LIMIT_TO

from .reasons import GRAVITY, PENDING_REASONS, REASONS
from .stage import Drop

Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Scale = Annotated[float, Field(gt=0, le=HIGHEST_LIMIT, allow_inf_nan=False, strict=True)]
Count = Annotated[int, Field(ge=0)]


def _resolve_file(path: str, info: ValidationInfo) -> str:
    """Return a path that is relative to the recipe's folder, which is the context."""
    return str(info.context / path) if info.context is not None else path


def _resolve_source(path: str, info: ValidationInfo) -> str:
    """Return the path of a file or folder; where there is none, the name of a data set."""
    resolved_path = _resolve_file(path, info)
    return resolved_path if Path(resolved_path).exists() else path


# Of keys that cannot change the output, which hashes and manifests leave out: paths of files, whose
# content stages hash, and how an endpoint or a judge is reached.
_NO_EFFECT = Field(exclude=True)
_Path = Annotated[str, AfterValidator(_resolve_file)]
_File = Annotated[_Path, _NO_EFFECT]
_OptionalFile = Annotated[_Path | None, _NO_EFFECT]
_Sources = Annotated[tuple[Annotated[str, AfterValidator(_resolve_source)], ...], _NO_EFFECT]
_OWN_FILTER = re.compile(r".\.py:\w+$")
StageName = Literal[
    "collect", "process", "review", "filter", "decontaminate", "verify", "strengthen"
]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _DropPolicy(_Section):
    """Which findings drop a problem: the table's default (reasons.py), changed by ``keep`` and
    ``drop``."""

    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _check_names(self) -> _DropPolicy:
        for name in (*self.keep, *self.drop):
            if name not in REASONS:
                raise ValueError(f'no finding "{name}"{suggest(name, REASONS)}')
        for name in PENDING_REASONS.intersection(self.drop):
            raise ValueError(
                f'a problem with "{name}" is not dropped: it is pending, and --resume tries it '
                f'again; keep = ["{name}"] goes on with it'
            )
        return self

    def must_drop(self, name: str) -> bool:
        """Whether a problem with this finding is dropped."""
        return name in self.drop or (REASONS[name].drops and name not in self.keep)

    def decides_about(self, name: str) -> bool:
        """Whether the recipe lists this finding under ``keep`` or ``drop``."""
        return name in self.keep or name in self.drop

    def choose_drop(self, findings: Iterable[Finding]) -> Drop | None:
        """Return the gravest finding that drops the problem, with the names of all others; None if
        the problem is kept."""
        findings = list(findings)
        dropping_findings = [finding for finding in findings if self.must_drop(finding.name)]
        if not dropping_findings:
            return None
        reason = min(dropping_findings, key=lambda finding: GRAVITY[finding.name])
        other_names = sorted({finding.name for finding in findings} - {reason.name})
        also = {"also": other_names} if other_names else {}
        return Drop(reason.name, reason.detail, {**reason.evidence, **also})


class Endpoint(_Section):
    """An OpenAI-compatible endpoint."""

    # ".../v1": requests go to /chat/completions below it
    url: Annotated[str, Field(pattern=r"^https?://"), _NO_EFFECT]
    model: str
    cache: _File  # JSONL of answers by the hash of the request: a second run sends no request
    key_env: Annotated[str, _NO_EFFECT] = ""  # the variable that holds the key; empty: send none
    temperature: float = 0.0
    max_tokens: Annotated[int, Field(gt=0)] = 4096
    timeout_s: Annotated[Positive, _NO_EFFECT] = 120.0
    tries: Annotated[int, Field(ge=1), _NO_EFFECT] = 3
    # Requests at a time, whatever the workers
    concurrency: Annotated[int, Field(ge=1), _NO_EFFECT] = 8
    # After this many tokens of requests and answers in one run of a stage, no request is sent.
    # None: no bound
    max_total_tokens: Annotated[Annotated[int, Field(gt=0)] | None, _NO_EFFECT] = None


class Collect(_Section):
    """Values for problems that lack them; format: of the rows (default: recognised)."""

    format: str | None = None
    licence: str | None = None
    origin: str | None = None
    platform: str | None = None
    date: str | None = None


class Process(_DropPolicy):
    """Clean statements and complete problems."""

    purpose: Literal["training", "judging"] = "training"
    languages: tuple[str, ...] = ("en",)
    min_tests: Count = 2  # a program that prints a fixed answer passes a single test
    instruction: bool = True  # add a paragraph that says whether to write a program or a function
    translate: Endpoint | None = None


class Review(_DropPolicy):
    """A model's review of each problem, by a rubric."""

    endpoint: Endpoint | None = None
    tests: Count = 3  # of a problem that the model is shown


class Difficulty(_Section):
    """Labels of difficulty, and selection by them."""

    # A file of {"problem_id", "pass_rate"}; rows may have the key, too
    pass_rates: _OptionalFile = None
    easy_from: Share = 0.7  # pass rate from which a problem is easy
    hard_below: Share = 0.3  # pass rate below which it is hard
    drop_solved: bool = False  # drop problems with pass rate 1
    drop_unsolved: bool = False  # drop problems with pass rate 0
    quota: dict[Literal["easy", "medium", "hard"], Share] | None = None  # shares of the selection
    total: Annotated[int, Field(gt=0)] | None = None


class Filter(_DropPolicy):
    """Quality, duplicates, recency and difficulty."""

    min_words: Count = 5
    max_chars: Annotated[int, Field(gt=0)] = 20_000
    near_duplicate: Share = 0.8  # Jaccard similarity of word triples of duplicates; 0: off
    exact_duplicates: bool = True
    since: str | None = None
    until: str | None = None
    undated: Literal["keep", "drop"] = "keep"
    own: Annotated[tuple[_Path, ...], _NO_EFFECT] = ()  # "rules.py:keep"
    difficulty: Difficulty | None = None

    @field_validator("own", mode="before")
    @classmethod
    def _list_own(cls, names: object) -> object:
        return (names,) if isinstance(names, str) else names

    @field_validator("own")
    @classmethod
    def _check_own(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if not _OWN_FILTER.search(name):
                raise ValueError(f'must be FILE.py:FUNCTION, such as "rules.py:keep", not "{name}"')
        return names


class Verify(_DropPolicy):
    """Tests that right programs pass and wrong programs fail."""

    compare: str = "calibrated"
    # "ray": on all nodes of a cluster (docs/ray.md)
    engine: Annotated[Literal["local", "ray"], _NO_EFFECT] = "local"
    # None: as many as workers; with "ray" 64. Each is held in memory with its tests.
    problems_at_once: Annotated[Annotated[int, Field(gt=0)] | None, _NO_EFFECT] = None
    # Programs in other languages are ignored. Only Python by default: the output must not depend
    # on the toolchains of a machine, so a run stops where a toolchain named here is missing.
    languages: tuple[str, ...] = ("python",)
    time_scale: Scale = 1.0
    min_level: Annotated[int, Field(ge=1, le=4)] = 3
    references: Annotated[int, Field(gt=0)] = 8  # most right programs that are run for a problem
    wrong: Count = 40  # most wrong programs
    agreeing: Annotated[int, Field(gt=0)] = 2  # right programs that must agree on a missing output
    runs: Annotated[int, Field(gt=0)] = 3  # of a program near its limit; the fastest run counts
    slow_from: Positive = NEAR_LIMIT_TO  # times the limit from which a reference is too slow
    near_from: Positive = NEAR_LIMIT_FROM  # times the limit from which the timings name it
    # Give each problem a limit of its slowest right program on this machine, never above its own;
    # another machine or run writes other limits.
    fit_limits: bool = False
    limit_factor: Positive = 20.0  # limit per CPU second of that program
    limit_floor_s: Positive = 2.0  # the least limit
    mutants: Count = 16  # of the right programs; tests are chosen by what they kill
    # A mutant is stopped after this many loop iterations and calls (about half a second). With a
    # time limit, the next run might choose other tests.
    mutant_steps: Annotated[int, Field(gt=0)] = 1_000_000
    wrong_steps: Annotated[int, Field(gt=0)] = 2_000_000  # the same for wrong programs
    max_tests: Count = 40  # most tests of a problem; 0: no reduction
    min_tests: Count = 8  # a problem with this many tests or fewer keeps them all
    keep_share: Share = 0.5  # share of the tests that stay, between min_tests and max_tests
    cover: Annotated[int, Field(gt=0)] = 3  # tests wanted that kill each wrong program and mutant
    max_test_kb: Positive = 1024.0

    @field_validator("languages")
    @classmethod
    def _check_languages(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if find_language(name) is None:
                raise ValueError(f'no language "{name}"{suggest(name, LANGUAGE_NAMES)}')
        return tuple(sorted({language.name for language in map(find_language, names) if language}))


class Strengthen(_Section):
    """Added tests, made from the inputs of the others and chosen by what they kill."""

    compare: str = "calibrated"
    time_scale: Scale = 1.0
    min_level: Annotated[int, Field(ge=1, le=4)] = 3
    references: Annotated[int, Field(gt=0)] = 4  # most right programs that must agree on an output
    wrong: Count = 40  # most wrong programs that tests are chosen by
    proposals: Count = 300  # inputs that are tried
    candidates: Count = 96  # those that all programs run on
    max_added: Count = 24  # most tests that are added to a problem, besides large ones
    cover: Annotated[int, Field(gt=0)] = 3  # tests wanted that kill each wrong program
    # A program is stopped after this many loop iterations and calls, as in [verify]. Added inputs
    # are small, so fewer suffice.
    steps: Annotated[int, Field(gt=0)] = 200_000
    max_test_kb: Positive = 64.0  # of an added input that is chosen by what it kills
    large: Count = 3  # most large inputs, on which programs fail that are only too slow
    endpoint: Endpoint | None = None  # a model writes generators
    generator_runs: Annotated[int, Field(gt=0)] = 12  # inputs of each generator


class Decontaminate(_DropPolicy):
    """Thresholds from which a problem matches an evaluation problem."""

    against: _Sources = ()
    ngram: Annotated[int, Field(ge=3)] = 13  # words; the usual length in the literature
    span_share: Share = 0.15  # of the statement, covered by shared n-grams
    statement: Share = 0.7  # Jaccard similarity of word triples
    paraphrase: Share = 0.8  # the same with numbers, names and identifiers normalized
    tests: Share = 0.5  # of the smaller set of tests


class Run(_Section):
    """The stages of ``run`` and the paths of its data, relative to the recipe."""

    inputs: _Sources = ()
    output: _OptionalFile = None
    # None: all stages; review, decontaminate and strengthen only where they have a section
    stages: Annotated[tuple[StageName, ...], Field(min_length=1)] | None = None
    solutions: _OptionalFile = None
    labels: _OptionalFile = None


class Recipe(_Section):
    """A whole recipe."""

    seed: int = 0
    max_line_mb: Positive = 1024.0
    run: Run = Run()
    collect: Collect = Collect()
    process: Process = Process()
    review: Review = Review()
    filter: Filter = Filter()
    verify: Verify = Verify()
    strengthen: Strengthen = Strengthen()
    decontaminate: Decontaminate = Decontaminate()

    def list_stages(self) -> tuple[StageName, ...]:
        """Return the stages of ``run``, in order. Raises DataError if the recipe has settings for a
        stage that would not run, or its stages are in another order than the pipeline's."""
        stages = self.run.stages
        if stages is None:
            optional = {"review", "decontaminate", "strengthen"} - self.model_fields_set
            return tuple(name for name in get_args(StageName) if name not in optional)
        sections = {
            f"[{name}]": name for name in get_args(StageName) if name in self.model_fields_set
        }
        if (self.run.solutions or self.run.labels) and "strengthen" not in stages:
            sections['"solutions" and "labels" of [run]'] = "verify"
        for text, stage in sections.items():
            if stage not in stages:
                raise DataError(
                    f'{text} would not be used: "stages" of [run] does not name "{stage}"; '
                    "name it there, or take the settings out"
                )
        ordered = tuple(name for name in get_args(StageName) if name in stages)
        if stages != ordered:
            raise DataError(
                '"stages" of [run] must be in the order in which they build on each other, each '
                f"once: stages = {list(ordered)}"
            )
        return stages


def read_recipe(path: str | None) -> Recipe:
    """Return the recipe in a file, its paths resolved relative to the file; None: all defaults.

    Raises DataError naming the key that is wrong.
    """
    if path is None:
        return Recipe()
    with convert_read_errors(path):
        text = Path(path).read_text(encoding="utf-8")
        return parse_recipe(tomllib.loads(text), Path(path).parent)


def parse_recipe(value: dict[str, Any], folder: Path | None = None) -> Recipe:
    """Return the recipe of parsed TOML. folder: that its paths are relative to. Raises
    DataError."""
    try:
        return Recipe.model_validate(value, context=folder)
    except ValidationError as error:
        text = error_text.describe_invalid(error, known_keys=_list_keys())
        raise DataError(text) from None


def _list_keys() -> list[str]:
    """Return the keys of all sections."""
    schema = Recipe.model_json_schema()
    return sorted(key for part in (schema, *schema["$defs"].values()) for key in part["properties"])
