"""Our own endpoints: ``/judge`` for one solution, ``/judge/batch`` for many.

Responses are lines of results.jsonl with a ``reward``: 1.0, 0.0, or null if the judge failed. They
have ``warnings`` if a key of the problem may hold tests but is not read.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

from fastapi import Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, model_validator

from microcoder_eval.errors import DataError, JudgeError
from microcoder_eval.records import Judgement, Problem, Solution, Verdict
from microcoder_eval.results.lines import judgement_to_line

from .service import Service, parse_solution

NDJSON = "application/x-ndjson"
_PROBLEM = {"tests": [{"input": "2\n", "output": "4\n"}]}
_SOLUTION = {"code": "print(int(input()) ** 2)"}


class StrictRequest(BaseModel):
    """A request that refuses unknown keys, which may be misspelt."""

    model_config = ConfigDict(strict=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _keep_first_unknown_key(cls, value: Any) -> Any:
        """Drop all unknown keys but the first: pydantic would record each in hundreds of bytes."""
        if not isinstance(value, dict):
            return value
        unknown = [key for key in value if key not in cls.model_fields][:1]
        return {key: value[key] for key in (*cls.model_fields, *unknown) if key in value}


class JudgeRequest(StrictRequest):
    """One solution for one problem: ``problem``, or that of ``dataset`` and ``problem_id``.

    problem: an object of tests.jsonl, "problem_id" optional. solution: one of solutions.jsonl.
    """

    solution: dict[str, Any] = Field(examples=[_SOLUTION])
    problem: dict[str, Any] | None = Field(None, examples=[_PROBLEM])
    dataset: str | None = None
    problem_id: str | None = None


class BatchRequest(StrictRequest):
    """Solutions for ``problems`` or for those of ``dataset``.

    "problem_id" of a solution names its problem; it is optional if ``problems`` has one problem.
    """

    solutions: Annotated[list[Any], Field(min_length=1)] = Field(examples=[[_SOLUTION]])
    problems: list[Any] | None = Field(None, examples=[[_PROBLEM]])
    dataset: str | None = None


class JudgeEndpoints:
    """The judge's own endpoints."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def judge(self, request: JudgeRequest) -> Response:
        """Judge one solution. If the judge fails, the status is 500 and the verdict JE."""
        problem = await self._find_requested_problem(request)
        warnings = await self._service.find_warnings(request.problem or {})
        solution = parse_solution(request.solution, problem.problem_id)
        judgement = await self._service.judge_solution(solution, problem)
        status = 500 if judgement.verdict is Verdict.JE else 200
        extra = {"warnings": warnings} if warnings else {}
        return Response(_encode_line(judgement, **extra), status, media_type="application/json")

    async def batch(self, request: BatchRequest) -> StreamingResponse:
        """Judge solutions. Each line is a result; "index" is its position in the request.

        A JE is also a line, with reward null. A response with fewer lines than solutions was cut.
        """
        if (request.problems is None) == (request.dataset is None):
            raise DataError('either "problems" or "dataset"')
        problems, warnings = await self._parse_problems(request.problems or ())
        # Everything is parsed before anything is judged, so that the HTTP status can report errors.
        solutions = []
        for index, entry in enumerate(request.solutions):
            with _naming_place(f"solutions[{index}]"):
                solution = self._parse_solution(entry, index + 1, problems, request.dataset)
            solutions.append(solution)
        lines = self._stream_lines(solutions, problems, request.dataset, warnings)
        return StreamingResponse(lines, media_type=NDJSON)

    async def _find_requested_problem(self, request: JudgeRequest) -> Problem:
        if request.problem is not None:
            if request.dataset is not None or request.problem_id is not None:
                raise DataError('either "problem", or "dataset" and "problem_id"')
            return await self._service.parse_problem(request.problem)
        if request.dataset is None or request.problem_id is None:
            raise DataError('"problem" is missing, or "dataset" and "problem_id"')
        return await self._service.find_problem(request.dataset, request.problem_id)

    async def _parse_problems(
        self, entries: Iterable[Any]
    ) -> tuple[dict[str, Problem], dict[str, list[str]]]:
        """Parse the problems of a request; return them, and their warnings, by name."""
        problems: dict[str, Problem] = {}
        warnings: dict[str, list[str]] = {}
        for index, entry in enumerate(entries):
            with _naming_place(f"problems[{index}]"):
                row = _require_object(entry)
                problem = await self._service.parse_problem(row)
                name = problem.problem_id
                if name in problems:
                    raise DataError(f'two problems have the name "{name[:80]}"')
            problems[name] = problem
            if texts := await self._service.find_warnings(row):
                warnings[name] = texts
        return problems, warnings

    def _parse_solution(
        self, entry: Any, number: int, problems: Mapping[str, Problem], dataset: str | None
    ) -> Solution:
        """Parse a solution of a request. Raises DataError if its problem does not exist."""
        fields = _require_object(entry)
        name = fields.get("problem_id")
        if name is None and len(problems) == 1:
            name = next(iter(problems))
        if not isinstance(name, str):
            raise DataError('"problem_id" is missing, or not a text')
        if dataset is not None:
            reason = self._service.get_dataset(dataset).explain_absence(name)
            if reason is not None:
                raise DataError(reason)
        elif name not in problems:
            raise DataError(f'its problem "{name[:80]}" is not in the request')
        return parse_solution(fields, name, number)

    async def _judge_solution(
        self, solution: Solution, problems: Mapping[str, Problem], dataset: str | None
    ) -> Judgement:
        if dataset is None:
            problem = problems[solution.problem_id]
        else:  # read when its turn comes: all problems of a dataset may take too much memory
            problem = await self._service.find_problem(dataset, solution.problem_id)
        return await self._service.judge_solution(solution, problem)

    async def _stream_lines(
        self,
        solutions: list[Solution],
        problems: Mapping[str, Problem],
        dataset: str | None,
        warnings: Mapping[str, list[str]],
    ) -> AsyncIterator[bytes]:
        """Yield result lines as they finish; the judge has a bounded number of solutions."""
        pending = list(enumerate(solutions))[::-1]
        running: dict[asyncio.Task[Judgement], int] = {}
        try:
            while pending or running:
                while pending and len(running) < 2 * self._service.judge.workers:
                    index, solution = pending.pop()
                    judging = self._judge_solution(solution, problems, dataset)
                    running[asyncio.create_task(judging)] = index
                ready_tasks, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in ready_tasks:
                    judgement = task.result()
                    extra: dict[str, Any] = {"index": running.pop(task)}
                    if judgement.problem_id in warnings:
                        extra["warnings"] = warnings[judgement.problem_id]
                    yield _encode_line(judgement, **extra)
        except JudgeError:
            return  # the server stops before it has judged all; the client sees missing lines
        finally:
            for task in running:
                task.cancel()


def _encode_line(judgement: Judgement, **extra: Any) -> bytes:
    """Encode the result line, with the ``extra`` keys and the reward in front."""
    head = json.dumps({**extra, "reward": judgement.reward})
    return head[:-1].encode() + b", " + judgement_to_line(judgement)[1:]


@contextmanager
def _naming_place(place: str) -> Iterator[None]:
    """Name the place in the request that a DataError is about."""
    try:
        yield
    except DataError as error:
        raise DataError(f"{place}: {error}") from None


def _require_object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise DataError("it must be an object")
    return value
