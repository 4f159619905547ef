"""SandboxFusion's online judge: ``/submit`` and the endpoints of statements.

Its client asks for statements with ``/get_prompts`` and ``/get_prompt_by_id``.

Problems are those of a served dataset, or a row of stdin tests in config.provided_data.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fastapi import HTTPException, Response

from microcoder_eval.errors import DataError
from microcoder_eval.extract import extract
from microcoder_eval.formats import jsontext
from microcoder_eval.records import Limits, Problem, TestResult, Verdict

from .body import LINE_BYTES, charge_nested_json
from .json_body import AsciiJsonResponse
from .request_bounds import charge_memory
from .sandbox_fusion_messages import GetPromptByIdRequest, GetPromptsRequest, SubmitRequest
from .service import Service, parse_solution


class OnlineJudge:
    """Judges models' answers for clients of SandboxFusion."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def get_prompts(self, request: GetPromptsRequest) -> Response:
        """Return the statements of problems, in the order of the file."""
        problems = self._service.get_dataset(request.dataset)
        ids = problems.ids[request.offset : request.offset + request.limit]
        return AsciiJsonResponse(
            await self._service.run_in_thread(lambda: [_make_prompt(problems.get(i)) for i in ids])
        )

    async def get_prompt_by_id(self, request: GetPromptByIdRequest) -> Response:
        """Return the statement of one problem."""
        return AsciiJsonResponse(
            _make_prompt(await self._service.find_problem(request.dataset, str(request.id)))
        )

    async def submit(self, request: SubmitRequest) -> Response:
        """Judge a model's answer. If the judge fails, the status is 500."""
        # The memory is charged before anything is judged, although the code is extracted
        # afterwards.
        charge_memory(LINE_BYTES * request.completion.count("\n"))
        row, row_read = _find_row(request), {}
        if row is None:
            problem = await self._service.find_problem(request.dataset, str(request.id))
        else:
            row_read = _convert_row(row)
            problem = await self._service.parse_problem(row_read)
        time_s = request.config.run_timeout
        if time_s is not None:
            self._service.check_limits(Limits(time_s=time_s))
            problem = replace(problem, limits=replace(problem.limits, time_s=time_s, wall_s=None))
        language = request.config.language or "python"
        fields = {"response": request.completion, "language": language}
        solution = parse_solution(fields, problem.problem_id)
        judgement = await self._service.judge_solution(solution, problem)
        if judgement.verdict is Verdict.JE:
            raise HTTPException(500, f"the judge failed: {judgement.error}")
        extra: dict[str, Any] = {"judgement": judgement.to_dict()}
        other_fields = {key: value for key, value in (row or {}).items() if key != "test"}
        if warnings := await self._service.find_warnings({**other_fields, **row_read}):
            extra["warnings"] = warnings
        extraction = await self._service.run_in_thread(extract, request.completion, language)
        return AsciiJsonResponse(
            {
                "id": request.id,
                "accepted": judgement.passed,
                "extracted_code": extraction.code or "",
                "full_code": None,
                "test_code": None,
                "tests": [_make_test_case(test) for test in judgement.tests_run],
                "extracted_type": None if extraction.code else "empty",
                "extra": extra,
            }
        )


def _find_row(request: SubmitRequest) -> Mapping[str, Any] | None:
    """Find the row in the request by its id; a single row needs no id. None if the request has no
    rows. Raises DataError."""
    data = request.config.provided_data
    if data is None:
        return None
    rows = data if isinstance(data, list) else [data]
    for row in rows:
        if isinstance(row, Mapping) and (row.get("id") == request.id or len(rows) == 1):
            return row
    raise DataError(f'config.provided_data has no row with the "id" {str(request.id)[:80]}')


def _convert_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a row of SandboxFusion's online judge to our format. Raises DataError."""
    tests = row.get("test")
    if isinstance(tests, str):
        charge_nested_json(tests)
        try:
            tests = jsontext.parse_text(tests)
        except json.JSONDecodeError as error:
            raise DataError(f'"test" of config.provided_data is not JSON: {error.msg}') from None
    if not isinstance(tests, list):
        raise DataError('config.provided_data needs "test", a list of tests with stdin and stdout')
    return {
        "problem_id": str(row.get("id", "problem")),
        "statement": row.get("content"),
        "kind": "stdin",
        "tests": [_convert_test(test) for test in tests],
    }


def _convert_test(test: Any) -> dict[str, Any]:
    streams = [("input", "stdin"), ("output", "stdout")]
    if not isinstance(test, Mapping) or not all(
        isinstance(test.get(key), Mapping) and set(test[key]) <= {stream} for key, stream in streams
    ):
        raise DataError(
            'each test needs {"input": {"stdin": …}, "output": {"stdout": …}}, no files'
        )
    return {key: test[key].get(stream, "") for key, stream in streams}


def _make_prompt(problem: Problem) -> dict[str, Any]:
    labels = {name: getattr(problem, name) for name in ("platform", "difficulty", "date")}
    return {
        "id": problem.problem_id,
        "prompt": problem.statement or "",
        "labels": {name: value for name, value in labels.items() if value is not None},
    }


def _make_test_case(test: TestResult) -> dict[str, Any]:
    """Convert the result of a test. A wrong answer is a "Success" whose ``passed`` is false.

    return_code is 1 for every exit code and signal that is not success.
    """
    exited_normally = test.verdict in (Verdict.AC, Verdict.WA)
    timed_out = test.verdict is Verdict.TLE
    run_result = {
        "status": "TimeLimitExceeded" if timed_out else "Finished",
        "execution_time": test.wall_s,
        "cpu_time": test.cpu_s,
        "memory_mb": test.memory_mb,
        "return_code": None if timed_out else int(not exited_normally),
        "stdout": None,
        "stderr": None if exited_normally else test.detail,
    }
    exec_info = {
        "status": "Success" if exited_normally else "Failed",
        "message": test.detail or "",
        "compile_result": None,
        "run_result": run_result,
        "executor_pod_name": None,
        "files": {},
    }
    test_info = {"verdict": str(test.verdict), "matched_by": test.matched_by, "detail": test.detail}
    return {"passed": test.verdict is Verdict.AC, "exec_info": exec_info, "test_info": test_info}
