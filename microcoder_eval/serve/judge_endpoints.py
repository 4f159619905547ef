"""Our own endpoints: ``/judge`` for one solution, ``/judge/batch`` for many, as they finish.

Answers are the lines of results.jsonl, and ``reward``: 1.0, 0.0, or null when the judge failed.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from functools import partial
from typing import Annotated, Any

from fastapi import FastAPI, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from microcoder_eval.errors import DataError, JudgeError
from microcoder_eval.records import Judgement, Problem, Solution, Verdict
from microcoder_eval.results import judgement_to_line

from .service import Service, solution_of

NDJSON = "application/x-ndjson"
Finder = Callable[[str], Awaitable[Problem]]
_PROBLEM = {"tests": [{"input": "2\n", "output": "4\n"}]}
_SOLUTION = {"code": "print(int(input()) ** 2)"}


class Asked(BaseModel):
    """Strict, and no keys but these: one that is misspelt must not go unnoticed."""

    model_config = ConfigDict(strict=True, extra="forbid")


class JudgeRequest(Asked):
    """One solution for one problem, given here or by dataset and problem_id.

    problem: as in tests.jsonl, "problem_id" optional. solution: as in solutions.jsonl.
    """

    solution: dict[str, Any] = Field(examples=[_SOLUTION])
    problem: dict[str, Any] | None = Field(None, examples=[_PROBLEM])
    dataset: str | None = None
    problem_id: str | None = None


class BatchRequest(Asked):
    """Solutions for problems, given here or by dataset; "problem_id" of a solution says which, and
    may be left out where one problem is given."""

    solutions: Annotated[list[Any], Field(min_length=1)] = Field(examples=[[_SOLUTION]])
    problems: list[Any] | None = Field(None, examples=[[_PROBLEM]])
    dataset: str | None = None


class OwnEndpoints:
    """The judge as it is."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def add_to(self, app: FastAPI) -> None:
        """Add the endpoints."""
        app.add_api_route(
            "/judge",
            self.judge,
            methods=["POST"],
            response_class=Response,
            responses={
                200: {"description": "The result line", "content": {"application/json": {}}},
                500: {"description": "The judge failed: the result line, verdict JE"},
            },
            summary="Judge one solution",
            tags=["judge"],
        )
        app.add_api_route(
            "/judge/batch",
            self.batch,
            methods=["POST"],
            response_class=StreamingResponse,
            responses={200: {"description": "Result lines with index", "content": {NDJSON: {}}}},
            summary="Judge many solutions, each told when it is done",
            tags=["judge"],
        )

    async def judge(self, request: JudgeRequest) -> Response:
        """Judge one solution. 500 with verdict JE when the judge failed: not a wrong answer."""
        problem = await self._problem(request)
        solution = solution_of(request.solution, problem.problem_id)
        judgement = await self._service.judged(solution, problem)
        status = 500 if judgement.verdict is Verdict.JE else 200
        return Response(line_of(judgement), status, media_type="application/json")

    async def batch(self, request: BatchRequest) -> StreamingResponse:
        """Judge solutions: a line for each as it finishes, "index" its place in the request.

        JE is a line, too: its reward is null. An answer with fewer lines than solutions was cut.
        """
        if (request.problems is None) == (request.dataset is None):
            raise DataError('either "problems" or "dataset"')
        found = await self._given(request.problems or ())
        find = partial(self._find, found, request.dataset)
        # All is read before anything is judged, so that faults are told by the status.
        solutions = [
            self._solution(_object(written, "solutions"), number, found, request.dataset)
            for number, written in enumerate(request.solutions, start=1)
        ]
        return StreamingResponse(self._lines(solutions, find), media_type=NDJSON)

    async def _problem(self, request: JudgeRequest) -> Problem:
        if request.problem is not None:
            if request.dataset is not None or request.problem_id is not None:
                raise DataError('either "problem", or "dataset" and "problem_id"')
            return await self._service.problem(request.problem)
        if request.dataset is None or request.problem_id is None:
            raise DataError('"problem" is missing, or "dataset" and "problem_id"')
        return await self._service.known_problem(request.dataset, request.problem_id)

    async def _given(self, written: Iterable[Any]) -> dict[str, Problem]:
        """The problems of a request by name."""
        problems: dict[str, Problem] = {}
        for entry in written:
            problem = await self._service.problem(_object(entry, "problems"))
            if problem.problem_id in problems:
                raise DataError(f'two problems are called "{problem.problem_id[:80]}"')
            problems[problem.problem_id] = problem
        return problems

    def _solution(
        self,
        written: Mapping[str, Any],
        number: int,
        given: Mapping[str, Problem],
        dataset: str | None,
    ) -> Solution:
        """A solution of a request, for a problem that is there."""
        name = written.get("problem_id")
        if name is None and len(given) == 1:
            name = next(iter(given))
        if not isinstance(name, str):
            raise DataError('each solution needs "problem_id"')
        if dataset is not None:
            reason = self._service.dataset(dataset).why_not(name)
            if reason is not None:
                raise DataError(reason)
        elif name not in given:
            raise DataError(f'a solution is for the problem "{name[:80]}", which is not here')
        return solution_of(written, name, number)

    async def _find(
        self, given: Mapping[str, Problem], dataset: str | None, problem_id: str
    ) -> Problem:
        if dataset is None:
            return given[problem_id]
        return await self._service.known_problem(dataset, problem_id)

    async def _judged(self, solution: Solution, find: Finder) -> Judgement:
        # Found when its turn comes: the problems of a set may take more memory than there is.
        return await self._service.judged(solution, await find(solution.problem_id))

    async def _lines(self, solutions: list[Solution], find: Finder) -> AsyncIterator[bytes]:
        """Result lines as they come; a window of the solutions is in the judge at any time."""
        waiting = list(enumerate(solutions))[::-1]
        running: dict[asyncio.Task[Judgement], int] = {}
        try:
            while waiting or running:
                while waiting and len(running) < 2 * self._service.judge.workers:
                    index, solution = waiting.pop()
                    running[asyncio.create_task(self._judged(solution, find))] = index
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    yield line_of(task.result(), index=running.pop(task))
        except JudgeError:
            return  # the server is being stopped by force; the missing lines say so
        finally:
            for task in running:
                task.cancel()


def line_of(judgement: Judgement, **more: Any) -> bytes:
    """The result line with the reward, and with more keys in front."""
    first = json.dumps({**more, "reward": judgement.reward})
    return first[:-1].encode() + b", " + judgement_to_line(judgement)[1:]


def _object(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise DataError(f'"{where}" must hold objects')
    return value
