"""SandboxFusion's online judge: ``/submit`` and the lists of problems, on sets served by name or
on a problem that the request brings along (config.provided_data, its rows of stdin tests)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fastapi import FastAPI, HTTPException, Response

from microcoder_eval.errors import DataError
from microcoder_eval.extract import extract
from microcoder_eval.formats import jsontext
from microcoder_eval.records import Limits, Problem, TestResult, Verdict
from microcoder_eval.results import judgement_to_json

from .messages import (
    EvalResult,
    GetPromptByIdRequest,
    GetPromptsRequest,
    Id,
    Prompt,
    SubmitRequest,
)
from .reading import Json
from .service import Service, solution_of

_TAGS = ["SandboxFusion"]


class OnlineJudge:
    """Judges models' answers for clients of SandboxFusion."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def add_to(self, app: FastAPI) -> None:
        """Add the endpoints."""
        app.add_api_route(
            "/list_datasets", self.list_datasets, summary="The sets served here", tags=_TAGS
        )
        posts: list[tuple[str, Any, Any, str]] = [
            ("/list_ids", self.list_ids, list[Id], "The problems of a set"),
            ("/get_prompts", self.get_prompts, list[Prompt], "Statements of a set"),
            ("/get_prompt_by_id", self.get_prompt_by_id, Prompt, "The statement of a problem"),
            ("/submit", self.submit, EvalResult, "Judge a model's answer"),
        ]
        for path, endpoint, model, summary in posts:
            app.add_api_route(
                path, endpoint, methods=["POST"], response_model=model, summary=summary, tags=_TAGS
            )

    async def list_datasets(self) -> list[str]:
        """Their names."""
        return list(self._service.datasets)

    async def list_ids(self, request: GetPromptsRequest) -> Response:
        """The ids, in the order of the file."""
        return Json(self._ids(request))

    async def get_prompts(self, request: GetPromptsRequest) -> Response:
        """The statements, in the order of the file."""
        problems = self._service.dataset(request.dataset)
        ids = self._ids(request)
        return Json(await self._service.aside(lambda: [_prompt(problems.get(i)) for i in ids]))

    async def get_prompt_by_id(self, request: GetPromptByIdRequest) -> Response:
        """One statement."""
        return Json(_prompt(await self._service.known_problem(request.dataset, str(request.id))))

    def _ids(self, request: GetPromptsRequest) -> list[str]:
        ids = self._service.dataset(request.dataset).ids
        return ids[request.offset : request.offset + request.limit]

    async def submit(self, request: SubmitRequest) -> Response:
        """Judge a model's answer; 500 when the judge itself fails, never a wrong answer."""
        problem = await self._problem(request)
        seconds = request.config.run_timeout
        if seconds is not None:
            self._service.caps.check(Limits(time_s=seconds))
            problem = replace(problem, limits=replace(problem.limits, time_s=seconds, wall_s=None))
        solution = solution_of({"response": request.completion}, problem.problem_id)
        judgement = await self._service.judged(solution, problem)
        if judgement.verdict is Verdict.JE:
            raise HTTPException(500, f"the judge failed: {judgement.error}")
        found = await self._service.aside(extract, request.completion)
        return Json(
            {
                "id": request.id,
                "accepted": judgement.passed,
                "extracted_code": found.code or "",
                "full_code": None,
                "test_code": None,
                "tests": [_case(test) for test in judgement.tests if test is not None],
                "extracted_type": None if found.code else "empty",
                "extra": {"judgement": judgement_to_json(judgement)},
            }
        )

    async def _problem(self, request: SubmitRequest) -> Problem:
        given = request.config.provided_data
        if given is None:
            return await self._service.known_problem(request.dataset, str(request.id))
        return await self._service.problem(problem_in(_row(given, request.id)))


def _row(given: list[Any] | dict[str, Any], wanted: Id) -> Mapping[str, Any]:
    """The row of that id. Raises DataError."""
    rows = given if isinstance(given, list) else [given]
    for row in rows:
        if isinstance(row, Mapping) and (row.get("id") == wanted or len(rows) == 1):
            return row
    raise DataError(f'config.provided_data has no row with the "id" {str(wanted)[:80]}')


def problem_in(row: Mapping[str, Any]) -> dict[str, Any]:
    """The problem of a row of SandboxFusion's common online judge. Raises DataError."""
    tests = row.get("test")
    if isinstance(tests, str):
        try:
            tests = jsontext.parse_text(tests)
        except json.JSONDecodeError as error:
            raise DataError(f'"test" of config.provided_data is not JSON: {error.msg}') from None
    if not isinstance(tests, list):
        raise DataError('config.provided_data needs "test", a list of tests with stdin and stdout')
    return {
        "problem_id": str(row.get("id", "problem")),
        "kind": "stdin",
        "tests": [_stdio(test) for test in tests],
    }


def _stdio(test: Any) -> dict[str, Any]:
    sides = [("input", "stdin"), ("output", "stdout")]
    if not isinstance(test, Mapping) or not all(
        isinstance(test.get(side), Mapping) and set(test[side]) <= {stream}
        for side, stream in sides
    ):
        raise DataError(
            'each test needs {"input": {"stdin": …}, "output": {"stdout": …}}, no files'
        )
    return {side: test[side].get(stream, "") for side, stream in sides}


def _prompt(problem: Problem) -> dict[str, Any]:
    labels = {name: getattr(problem, name) for name in ("platform", "difficulty", "date")}
    return {
        "id": problem.problem_id,
        "prompt": problem.statement or "",
        "labels": {name: value for name, value in labels.items() if value is not None},
    }


def _case(test: TestResult) -> dict[str, Any]:
    """One test in SandboxFusion's words. A wrong answer ran well: it is passed that is false.

    return_code 1 stands for whatever the program ended with.
    """
    ran_well = test.verdict in (Verdict.AC, Verdict.WA)
    late = test.verdict is Verdict.TLE
    ran = {
        "status": "TimeLimitExceeded" if late else "Finished",
        "execution_time": test.wall_s,
        "cpu_time": test.cpu_s,
        "memory_mb": test.memory_mb,
        "return_code": None if late else int(not ran_well),
        "stdout": None,
        "stderr": None if ran_well else test.detail,
    }
    done = {
        "status": "Success" if ran_well else "Failed",
        "message": test.detail or "",
        "compile_result": None,
        "run_result": ran,
        "executor_pod_name": None,
        "files": {},
    }
    told = {"verdict": str(test.verdict), "matched_by": test.matched_by, "detail": test.detail}
    return {"passed": test.verdict is Verdict.AC, "exec_info": done, "test_info": told}
