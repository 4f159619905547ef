"""Our own endpoints: the judge as it is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.files import SAMPLES, read_jsonl
from tests.serve.conftest import Server

SQUARE = {"problem_id": "sq", "tests": [{"input": "2\n", "output": "4\n"}]}
RIGHT, WRONG = {"code": "print(int(input()) ** 2)"}, {"code": "print(5)"}
OPAQUE = {  # cannot be judged without giving the tests to the program: the judge says so
    "problem_id": "o",
    "entry_point": "f",
    "test_code": "import inspect\nassert 'x' in inspect.getsource(f)",
}
CASES = read_jsonl(SAMPLES / "solutions.jsonl")


def test_the_answer_is_the_result_line_with_the_reward(server: Server) -> None:
    answer = server.post("/judge", {"problem": SQUARE, "solution": RIGHT})
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert answer.json["reward"] == 1.0
    assert (answer.json["verdict"], answer.json["passed"]) == ("AC", True)
    assert (answer.json["problem_id"], answer.json["solution_id"]) == ("sq", "sq#1")
    assert answer.json["tests"][0]["matched_by"] == "exact"


@pytest.mark.parametrize(
    ("solution", "verdict", "reward", "status"),
    [
        (WRONG, "WA", 0.0, "incorrect"),
        ({"code": "1 / 0"}, "RE", 0.0, "incorrect"),
        ({"response": "```python\nprint(int(input()) ** 2)\n```"}, "AC", 1.0, "correct"),
        ({"response": "```python\nprint(4)"}, "CE", 0.0, "incomplete"),
    ],
)
def test_what_the_program_does_is_a_verdict(
    server: Server, solution: Any, verdict: str, reward: float, status: str
) -> None:
    answer = server.post("/judge", {"problem": SQUARE, "solution": solution})
    assert answer.status == 200
    judgement = answer.json
    assert (judgement["verdict"], judgement["reward"], judgement["status"]) == (
        verdict,
        reward,
        status,
    )


def test_problems_of_all_kinds_are_judged(server: Server) -> None:
    call = {"entry_point": "f", "tests": [{"input": [1, 2], "output": 3}]}
    test_code = {"entry_point": "f", "test_code": "assert f(1, 2) == 3"}
    for problem in (call, test_code):
        solution = {"code": "def f(a, b): return a + b"}
        answer = server.post("/judge", {"problem": problem, "solution": solution})
        assert answer.json["verdict"] == "AC", answer.content


def test_a_problem_may_be_named(server: Server) -> None:
    case = CASES[0]
    body = {"dataset": "samples", "problem_id": case["problem_id"], "solution": solution_in(case)}
    assert server.post("/judge", body).json["verdict"] == case["expected_verdict"]


@pytest.mark.slow
def test_a_batch_is_told_line_by_line_with_its_places(server: Server) -> None:
    cases = [case for case in CASES if case["expected_verdict"] != "TLE"]  # of six seconds each
    body = {"dataset": "samples", "solutions": [solution_in(case) for case in cases]}
    answer = server.post("/judge/batch", body)
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    by_place = {line["index"]: line["verdict"] for line in answer.lines}
    assert by_place == {n: case["expected_verdict"] for n, case in enumerate(cases)}


def test_a_batch_for_one_problem_need_not_name_it(server: Server) -> None:
    answer = server.post("/judge/batch", {"problems": [SQUARE], "solutions": [RIGHT, WRONG, RIGHT]})
    rewards = {line["index"]: line["reward"] for line in answer.lines}
    assert rewards == {0: 1.0, 1: 0.0, 2: 1.0}


def test_a_judges_failure_is_a_server_error_without_a_reward(server: Server) -> None:
    answer = server.post("/judge", {"problem": OPAQUE, "solution": {"code": "f = 1"}})
    assert answer.status == 500
    assert (answer.json["verdict"], answer.json["reward"]) == ("JE", None)
    assert "in-process" in answer.json["error"]


def test_a_judges_failure_in_a_batch_has_no_reward(server: Server) -> None:
    body = {
        "problems": [SQUARE, OPAQUE],
        "solutions": [{"problem_id": "o", "code": "f = 1"}, {"problem_id": "sq", **RIGHT}],
    }
    rewards = {line["index"]: line["reward"] for line in server.post("/judge/batch", body).lines}
    assert rewards == {0: None, 1: 1.0}


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("/judge", {"problem": {"tests": []}, "solution": RIGHT}, "neither a test"),
        (
            "/judge",
            {"problem": SQUARE, "solution": {}},
            'neither "code" (a program) nor ',
        ),
        ("/judge", {"problem": SQUARE, "solution": {"code": "1", "language": "cobol"}}, "cobol"),
        ("/judge", {"problem": SQUARE, "solution": {**RIGHT, "problem_id": "x"}}, "not that of"),
        ("/judge", {"problem": SQUARE, "solution": RIGHT, "stop": "never"}, "stop"),
        ("/judge", {"problem": "/etc/passwd", "solution": RIGHT}, "problem"),
        ("/judge", {"problem": SQUARE, "solution": "print(1)"}, "solution"),
        ("/judge", {"solution": RIGHT}, "is missing"),
        ("/judge", {"solution": RIGHT, "dataset": "no", "problem_id": "x"}, "served: samples"),
        ("/judge", {"solution": RIGHT, "dataset": "samples", "problem_id": "x"}, "is not in"),
        ("/judge", {"problem": {**SQUARE, "limits": {"time_s": 61}}, "solution": RIGHT}, "60"),
        ("/judge", {"problem": {**SQUARE, "limits": {"output_mb": 1e6}}, "solution": RIGHT}, "256"),
        ("/judge/batch", {"problems": [SQUARE], "solutions": []}, "solutions"),
        ("/judge/batch", {"problems": [SQUARE, SQUARE], "solutions": [RIGHT]}, "two problems"),
        ("/judge/batch", {"problems": [SQUARE], "solutions": [RIGHT, 5]}, "solutions[1]: "),
        ("/judge/batch", {"problems": [5], "solutions": [RIGHT]}, "problems[0]: "),
        ("/judge/batch", {"problems": [SQUARE, {}], "solutions": [RIGHT]}, "problems[1]: "),
        ("/judge/batch", {"solutions": [RIGHT]}, "either"),
        (
            "/judge/batch",
            {"problems": [SQUARE], "solutions": [RIGHT, {**RIGHT, "problem_id": "x"}]},
            'solutions[1]: its problem "x" is not in the request',
        ),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_reason(
    server: Server, path: str, body: Any, message: str
) -> None:
    answer = server.post(path, body)
    assert answer.status == 422
    assert message in str(answer.json["detail"])


def test_packed_foreign_problems_are_not_unpacked(server: Server) -> None:
    bomb = {"question_id": "1", "private_test_cases": "eJw=", "public_test_cases": "[]"}
    answer = server.post("/judge", {"problem": bomb, "solution": RIGHT})
    assert answer.status == 422
    assert 'it is in the format "livecodebench"' in answer.json["detail"]
    assert "by --dataset" in answer.json["detail"]


def solution_in(case: dict[str, Any]) -> dict[str, Any]:
    return {key: case[key] for key in ("problem_id", "code", "response") if key in case}


@pytest.mark.parametrize("value", ["-1", "0", "Infinity", "NaN", "1e400", "true", '"6"', "1e300"])
@pytest.mark.parametrize("name", ["time_s", "memory_mb"])
def test_a_limit_that_is_none_is_the_clients_fault(server: Server, name: str, value: str) -> None:
    problem = json.dumps({**SQUARE, "limits": {}}).replace("{}", f'{{"{name}": {value}}}')
    body = f'{{"problem": {problem}, "solution": {json.dumps(RIGHT)}}}'
    answer = server.post("/judge", body.encode())
    assert 400 <= answer.status < 500
    assert name.encode() in answer.content or b"JSON" in answer.content


def test_tests_under_a_key_that_is_not_read_are_told_in_the_answer(server: Server) -> None:
    problem = {**SQUARE, "problem_id": "p", "hidden_tests": [{"input": "3\n", "output": "9\n"}]}
    answer = server.post("/judge", {"problem": problem, "solution": RIGHT}).json
    assert "hidden_tests" in answer["warnings"][0]
    others = [{**SQUARE, "problem_id": "q"}, problem]
    solutions = [{**RIGHT, "problem_id": name} for name in "pq"]
    lines = server.post("/judge/batch", {"problems": others, "solutions": solutions}).lines
    assert {line["problem_id"]: "warnings" in line for line in lines} == {"p": True, "q": False}
