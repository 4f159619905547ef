"""SandboxFusion's online judge: /submit and statements."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.files import SAMPLES
from tests.serve.conftest import Server

RIGHT = "Of course:\n```python\nprint(int(input()) ** 2)\n```\n"
WRONG = "```python\nprint(int(input()) + 2)\n```\n"
TESTS = [
    {"input": {"stdin": "2\n"}, "output": {"stdout": "4\n"}},
    {"input": {"stdin": "3\n"}, "output": {"stdout": "9\n"}},
]


def submit(server: Server, completion: str, **config: Any) -> Any:
    problem = {"id": 7, "content": "Square it.", "test": TESTS}
    body = {
        "dataset": "any",
        "id": 7,
        "completion": completion,
        "config": {"language": "python", "provided_data": problem, **config},
    }
    return server.post("/submit", body)


def test_a_right_answer_to_a_problem_brought_along_is_accepted(server: Server) -> None:
    answer = submit(server, RIGHT)
    assert answer.status == 200
    assert answer.json["accepted"] is True
    assert answer.json["id"] == 7
    assert answer.json["extracted_code"] == "print(int(input()) ** 2)\n"
    assert [test["passed"] for test in answer.json["tests"]] == [True, True]
    assert answer.json["extra"]["judgement"]["verdict"] == "AC"


def test_a_wrong_answer_says_which_tests_it_passed(server: Server) -> None:
    answer = submit(server, WRONG)
    assert answer.json["accepted"] is False
    assert [test["passed"] for test in answer.json["tests"]] == [True, False]
    second = answer.json["tests"][1]
    assert second["exec_info"]["status"] == "Success"  # the program ran well
    assert second["test_info"]["verdict"] == "WA"


def test_a_key_that_may_hold_tests_and_is_not_read_is_named(server: Server) -> None:
    given = {
        "id": 7,
        "content": "Square it.",
        "test": TESTS,
        "canonical_solution": "",
        "labels": {},
    }
    assert "warnings" not in submit(server, RIGHT, provided_data=given).json["extra"]
    given["private_test_cases"] = TESTS
    (warning,) = submit(server, RIGHT, provided_data=given).json["extra"]["warnings"]
    assert "private_test_cases" in warning


def test_an_answer_without_a_program_is_not_accepted(server: Server) -> None:
    answer = submit(server, "I do not know, sorry.")
    assert (answer.status, answer.json["accepted"]) == (200, False)
    assert (answer.json["extracted_code"], answer.json["tests"]) == ("", [])


def test_an_answer_may_be_in_another_language(server: Server) -> None:
    program = "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n * n; }"
    answer = submit(server, f"```cpp\n{program}\n```", language="cpp")
    assert (answer.status, answer.json["accepted"]) == (200, True)
    assert answer.json["extracted_code"] == f"{program}\n"


def test_tests_may_come_as_json_text_and_among_other_rows(server: Server) -> None:
    rows = [{"id": 6, "test": []}, {"id": 7, "test": json.dumps(TESTS)}]
    assert submit(server, RIGHT, provided_data=rows).json["accepted"] is True


@pytest.mark.slow
def test_run_timeout_replaces_the_time_limit(server: Server) -> None:
    answer = submit(server, "```python\nwhile True: pass\n```", run_timeout=0.5)
    first = answer.json["tests"][0]
    assert first["exec_info"]["run_result"]["status"] == "TimeLimitExceeded"
    assert first["exec_info"]["run_result"]["cpu_time"] < 2  # not the 6 s that are the default


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"language": "cobol"}, "cobol"),
        ({"custom_extract_logic": "submit_code_blocks([])"}, "is not run"),
        ({"provided_data": {"id": 7}}, "a list of tests"),
        ({"provided_data": [{"id": 1, "test": TESTS}, {"id": 2}]}, "no row"),
        ({"provided_data": {"id": 7, "test": "["}}, "not JSON"),
        ({"provided_data": {"id": 7, "test": [{"input": {"a.txt": ""}, "output": {}}]}}, "files"),
        ({"provided_data": None}, 'no dataset "any"'),
        ({"run_timeout": 1e9}, "time_s may be"),
    ],
)
def test_what_cannot_be_judged_is_refused(
    server: Server, config: dict[str, Any], message: str
) -> None:
    answer = submit(server, RIGHT, **config)
    assert answer.status == 422
    assert message in str(answer.json["detail"])


def test_statements_come_in_the_order_of_their_file(server: Server) -> None:
    lines = (SAMPLES / "tests.jsonl").read_text().splitlines()
    ids = [json.loads(line)["problem_id"] for line in lines]
    config: dict[str, Any] = {}
    everything = server.post("/get_prompts", {"dataset": "samples", "config": config})
    assert [prompt["id"] for prompt in everything.json] == ids
    part = {"dataset": "samples", "config": config, "offset": 2, "limit": 3}
    prompts = server.post("/get_prompts", part).json
    assert [prompt["id"] for prompt in prompts] == ids[2:5]
    one = {"dataset": "samples", "config": config, "id": ids[2]}
    assert server.post("/get_prompt_by_id", one).json == prompts[0]
    assert prompts[0]["prompt"]
    assert prompts[0]["labels"]["platform"] == "microcoder-samples"
