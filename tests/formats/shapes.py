# ruff: noqa: E501 - rows as wide as the data sets write them
"""One problem in the true shape of each data set, written for these tests, with programs for it.

Each: format name, row, its problem_id in our form, a right program and a wrong one.
"""

from __future__ import annotations

import base64
import json
import pickle
import zlib
from dataclasses import dataclass
from typing import Any

ADD = "a, b = map(int, input().split())\nprint(a + b)"
SUB = "a, b = map(int, input().split())\nprint(a - b)"
TWICE = "def twice(x):\n    return 2 * x"
SAME = "def twice(x):\n    return x"
METHOD = "class Solution:\n    def twice(self, x):\n        return 2 * x"
METHOD_WRONG = "class Solution:\n    def twice(self, x):\n        return x"
IN, OUT = ["1 2\n", "30 4\n"], ["3\n", "34\n"]
IN_OUT = {"inputs": IN, "outputs": OUT}


@dataclass(frozen=True)
class Shape:
    """A row of a data set and what must be found in it."""

    format: str
    row: dict[str, Any]
    problem_id: str
    right: str
    wrong: str
    label: str = ""

    def __str__(self) -> str:
        return f"{self.format}{'-' if self.label else ''}{self.label}"


def pack(tests: list[dict[str, Any]]) -> str:
    """LiveCodeBench's private tests."""
    return base64.b64encode(zlib.compress(pickle.dumps(json.dumps(tests)))).decode()


_LCB = {
    "question_title": "Sum", "question_content": "Print the sum.", "platform": "atcoder",
    "question_id": "abc999_a", "contest_id": "abc999", "contest_date": "2031-01-01T00:00:00",
    "starter_code": "", "difficulty": "easy",
    "public_test_cases": json.dumps([{"input": IN[0], "output": OUT[0], "testtype": "stdin"}]),
    "private_test_cases": pack([{"input": IN[1], "output": OUT[1], "testtype": "stdin"}]),
    "metadata": "{}",
}  # fmt: skip
_APPS = {
    "problem_id": 4711, "question": "Print the sum of two numbers.",
    "solutions": json.dumps([ADD]), "input_output": json.dumps(IN_OUT),
    "difficulty": "interview", "url": "https://example.invalid/p/4711", "starter_code": "",
}  # fmt: skip
_TACO = {
    "question": "Print the sum of two numbers, please.", "solutions": json.dumps([ADD]),
    "starter_code": "", "input_output": json.dumps({"inputs": [["1 2"], ["30 4"]], "outputs": [["3"], ["34"]]}),
    "difficulty": "EASY", "raw_tags": "['math']", "name": None, "source": "codeforces",
    "tags": "['Mathematics']", "skill_types": "[]", "url": None,
    "Expected Auxiliary Space": None, "time_limit": "2.0 seconds", "date": "2031-02-03",
    "picture_num": "0", "memory_limit": "256.0 megabytes", "Expected Time Complexity": None,
}  # fmt: skip
_CALL = {"fn_name": "twice", "inputs": [[2], [5]], "outputs": [[4], [10]]}
_LINES = {"fn_name": "twice", "inputs": ["2", "5"], "outputs": ["4", "10"]}
_PLUS_CHECKS = (
    "import numpy as np\nfrom math import inf\n\n"
    "def is_floats(x) -> bool:\n    if isinstance(x, float):\n        return True\n"
    "    if isinstance(x, (list, tuple)) and x:\n        return all(isinstance(i, float) for i in x)\n"
    "    if isinstance(x, np.ndarray):\n        return x.dtype == np.float64\n    return False\n\n"
    "def assertion(out, exp, atol):\n    exact_match = out == exp\n"
    "    if atol == 0 and is_floats(exp):\n        atol = 1e-6\n"
    "    if not exact_match and atol != 0:\n        assert type(out) == type(exp)\n"
    "        if isinstance(exp, (list, tuple)):\n            assert len(out) == len(exp)\n"
    "        assert np.allclose(out, exp, rtol=1e-07, atol=atol)\n    else:\n        assert exact_match\n\n"
)
_NODES = (
    "import math\nfrom typing import *\nfrom math import *\ninf = float('inf')\n\n"
    "class ListNode:\n    def __init__(self, val=0, next=None):\n"
    "        self.val = val\n        self.next = next\n\n"
)
_LIST_METHOD = (
    "class Solution:\n    def twice(self, head: Optional[ListNode]) -> Optional[ListNode]:\n"
    "        node = head\n        while node:\n            node.val *= 2\n            node = node.next\n"
    "        return head\n"
)
_HUMANEVAL_TEST = "METADATA = {}\n\ndef check(candidate):\n    assert candidate(2) == 4\n    assert candidate(5) == 10\n"

SHAPES = [
    Shape("native", {"problem_id": "sum", "tests": [{"input": IN[0], "output": OUT[0]}]}, "sum", ADD, SUB),
    Shape("livecodebench", _LCB, "abc999_a", ADD, SUB),
    Shape("apps", _APPS, "4711", ADD, SUB),
    Shape("apps", {**_APPS, "input_output": json.dumps(_CALL), "starter_code": "def twice(x):\n\t"},
          "4711", TWICE, SAME, "function"),
    Shape("apps", {**_APPS, "input_output": json.dumps(_LINES),
                   "starter_code": "class Solution:\n    def twice(self, x: int) -> int:\n        "},
          "4711", METHOD, METHOD_WRONG, "method"),
    Shape("apps", _TACO, "apps/4f3a", ADD, SUB, "taco"),
    Shape("codecontests", {
        "name": "9999_A. Sum", "description": "Print the sum.",
        "public_tests": {"input": IN[:1], "output": OUT[:1]},
        "private_tests": {"input": IN[1:], "output": OUT[1:]},
        "generated_tests": {"input": ["5 5\n"], "output": ["10\n"]},
        "source": 2, "difficulty": 7,
        "solutions": {"language": [3, 2], "solution": [ADD, "int main() {}"]},
        "incorrect_solutions": {"language": [3], "solution": [SUB]},
        "cf_contest_id": 9999, "cf_index": "A", "cf_points": 0.0, "cf_rating": 800,
        "cf_tags": ["math"], "is_description_translated": False, "untranslated_description": "",
        "time_limit": {"seconds": 1, "nanos": 500000000}, "memory_limit_bytes": 256000000,
        "input_file": "", "output_file": "",
    }, "9999_A. Sum", ADD, SUB),
    Shape("codeforces", {
        "id": "9999/A", "aliases": [], "contest_id": "9999", "contest_name": "Round", "index": "A",
        "title": "Parts", "time_limit": 2.0, "memory_limit": 256.0, "rating": 800,
        "description": "Write n as a sum of two numbers.", "input_format": "n",
        "output_format": "any two such numbers", "interaction_format": None, "note": None,
        "examples": [{"input": "5\n", "output": "2 3\n"}], "editorial": None,
        "official_tests": [{"input": "5\n", "output": "2 3\n"}, {"input": "9\n", "output": "4 5\n"}],
        "official_tests_complete": True, "executable": True, "generated_tests": 0,
        "input_mode": "stdio",
        "generated_checker": "import sys\nn = int(open(sys.argv[1]).read())\n"
                             "got = open(sys.argv[3]).read().split()\n"
                             "print(1 if len(got) == 2 and sum(map(int, got)) == n else 0)\n",
    }, "9999/A", "n = int(input())\nprint(1, n - 1)", "n = int(input())\nprint(n, n)"),
    Shape("deepcoder", {
        "problem": "Print the sum of two integers.", "solutions": [ADD],
        "tests": json.dumps(IN_OUT), "starter_code": None,
    }, "deepcoder/5", ADD, SUB),
    Shape("deepcoder", {
        "problem": "Double a number.", "solutions": [METHOD], "metadata": json.dumps({"func_name": "twice"}),
        "starter_code": "class Solution:\n    def twice(self, x):\n        ",
        "tests": json.dumps([{"input": "2", "output": "4", "testtype": "functional",
                              "metadata": {"func_name": "twice"}},
                             {"input": "5", "output": "10", "testtype": "functional",
                              "metadata": {"func_name": "twice"}}]),
    }, "deepcoder/1", METHOD, METHOD_WRONG, "function"),
    Shape("primeintellect", {
        "source": "apps", "task_type": "verifiable_code", "in_source_id": "17",
        "prompt": "Print the sum.", "gold_standard_solution": ADD, "problem_id": "vcp_17",
        "verification_info": json.dumps({"language": "python", "test_cases": [
            {"type": "stdin_stdout", "input": i, "output": o, "fn_name": None}
            for i, o in zip(IN, OUT, strict=True)]}),
        "metadata": "{}",
    }, "vcp_17", ADD, SUB),
    Shape("primeintellect", {
        "source": "taco", "task_type": "verifiable_code", "in_source_id": "18",
        "prompt": "Double it.", "gold_standard_solution": TWICE, "problem_id": "vcp_18",
        "verification_info": json.dumps({"language": "python", "test_cases": [
            {"type": "function_call", "input": [2], "output": [4], "fn_name": "twice"},
            {"type": "function_call", "input": [5], "output": [10], "fn_name": "twice"}]}),
        "metadata": "{}",
    }, "vcp_18", TWICE, SAME, "function"),
    Shape("verl", {
        "data_source": "taco", "ability": "code",
        "prompt": [{"role": "system", "content": "Think."}, {"role": "user", "content": "Print the sum."}],
        "reward_model": {"style": "rule", "ground_truth": json.dumps(IN_OUT)},
        "extra_info": {"index": 12, "split": "train"},
    }, "taco/12", ADD, SUB),
    Shape("humaneval", {
        "task_id": "HumanEval/900", "prompt": "def twice(x):\n    \"\"\"Double it.\"\"\"\n",
        "entry_point": "twice", "canonical_solution": "    return 2 * x\n", "test": _HUMANEVAL_TEST,
    }, "HumanEval/900", TWICE, SAME),
    Shape("mbpp", {
        "task_id": 9001, "text": "Write a function to double a number.", "code": TWICE,
        "test_list": ["assert twice(2) == 4", "assert twice(5) == 10"], "test_setup_code": "",
        "challenge_test_list": ["assert twice(-1) == -2"],
    }, "Mbpp/9001", TWICE, SAME),
    Shape("mbpp", {
        "task_id": 9002, "prompt": "Write a function to halve a number.",
        "code": "import math\ndef halve(x):\n    return x / 2", "source_file": "x",
        "test_imports": ["import math"], "test_list": ["assert math.isclose(halve(3), 1.5)"],
        "test": "import math\n\ninputs = [[3], [4]]\nresults = [1.5, 2.0]\n"
                "for i, (inp, exp) in enumerate(zip(inputs, results)):\n"
                "    assert math.isclose(halve(*inp), exp)\n",
    }, "Mbpp/9002", "def halve(x):\n    return x / 2", "def halve(x):\n    return x // 2", "plus"),
    Shape("leetcodedataset", {
        "task_id": "double-it", "question_id": 90001, "difficulty": "Easy", "tags": ["Math"],
        "problem_description": "Double the number.", "estimated_date": "2031-04-05",
        "starter_code": "class Solution:\n    def twice(self, x: int) -> int:\n        ",
        "prompt": "import math\nfrom typing import *\n", "completion": METHOD,
        "entry_point": "Solution().twice",
        "test": "def check(candidate):\n    assert candidate(x = 2) == 4\n    assert candidate(x = 5) == 10\n",
        "input_output": [{"input": "x = 2", "output": "4"}], "query": "q", "response": "r",
    }, "double-it", METHOD, METHOD_WRONG),
    Shape("kodcode", {
        "version": "v1", "style": "instruct", "subset": "Prefill", "conversation_id": "c1",
        "question_id": "Prefill_9000_I", "question": "Double it.", "solution": TWICE,
        "test": "from solution import twice\n\ndef test_small():\n    assert twice(2) == 4\n\n"
                "def test_more():\n    assert twice(5) == 10\n",
        "test_info": [{"function_name": "twice", "parameter_list": "(x)", "docstring": "",
                       "function_declaration": "def twice(x):"}],
        "gpt_difficulty": "easy", "gpt_pass_percentage": 1.0,
    }, "Prefill_9000_I", TWICE, SAME),
    Shape("kodcode", {
        "split": "train", "subset": "Filter", "conversation_id": "c9", "question": "Double it.",
        "solution": TWICE, "test_entry_point": "twice", "gpt_difficulty": "hard",
        "test_code": "import pytest\nfrom solution import twice\n\n"
                     "@pytest.mark.parametrize('x, y', [(2, 4), (5, 10)])\n"
                     "def test_it(x, y):\n    assert twice(x) == y\n",
    }, "c9", TWICE, SAME, "first-version"),
    Shape("codecontests", {
        "name": "9998_B. Sum", "description": "Print the sum.", "source": "CODEFORCES",
        "public_tests": [{"input": IN[0], "output": OUT[0]}],
        "private_tests": [{"input": IN[1], "output": OUT[1]}],
        "solutions": [{"language": "PYTHON3", "solution": ADD}], "time_limit": "2s",
        "memory_limit_bytes": 268435456,
    }, "9998_B. Sum", ADD, SUB, "messages"),
    Shape("codeforces", {
        "id": "9998/B", "title": "Sum", "description": "Print the sum.", "rating": None,
        "input_format": "two numbers", "output_format": "their sum", "interaction_format": "",
        "time_limit": 1.0, "memory_limit": 64.0, "generated_checker": None, "input_mode": "stdio",
        "examples": {"input": IN[:1], "output": OUT[:1]},
        "official_tests": {"input": [], "output": []}, "generated_tests": [{"input": IN[1], "output": OUT[1]}],
    }, "9998/B", ADD, SUB, "columns"),
    Shape("deepcoder", {
        "problem": "Print the sum of two whole numbers.", "solutions": [f"```python\n{ADD}\n```"],
        "tests": json.dumps([{"type": "stdin_stdout", "input": i, "output": o, "fn_name": None}
                             for i, o in zip(IN, OUT, strict=True)]),
    }, "deepcoder/2", ADD, SUB, "cases"),
    Shape("deepcoder", {
        "problem_id": "decoded", "problem": "Double a list.", "starter_code": "",
        "tests": [{"type": "function_call", "fn_name": "twice", "input": [[2]], "output": [[2, 2]]},
                  {"type": "function_call", "fn_name": "twice", "input": [[]], "output": [[]]}],
    }, "decoded", TWICE, SAME, "decoded"),
    Shape("primeintellect", {
        "problem_id": "vcp_19", "prompt": "Double it.", "task_type": "verifiable_code",
        "gold_standard_solution": f"```python\n{TWICE}\n```", "source": "apps",
        "verification_info": {"language": "python", "test_cases": json.dumps(_CALL)},
    }, "vcp_19", TWICE, SAME, "columns"),
    Shape("verl", {
        "data_source": "leetcode", "ability": "code", "prompt": [{"role": "user", "content": "Double it."}],
        "reward_model": {"style": "rule", "ground_truth": json.dumps(
            {"functional": f"{_HUMANEVAL_TEST}\n\ncheck(Solution().twice)"})},
        "extra_info": {"index": 3, "split": "train"},
    }, "leetcode/3", METHOD, METHOD_WRONG, "functional"),
    Shape("verl", {
        "data_source": "kodcode", "prompt": "Double it.",
        "reward_model": {"ground_truth": {"pytest": (
            "from solution import twice\n\ndef test_twice():\n    assert twice(2) == 4\n")}},
        "extra_info": {"index": 4},
    }, "kodcode/4", TWICE, SAME, "pytest"),
    Shape("verl", {
        "question": "Double it.", "ground_truth": json.dumps([
            {"input": "2", "output": "4", "testtype": "functional", "metadata": {"func_name": "twice"}},
            {"input": "5", "output": "10", "testtype": "functional", "metadata": {"func_name": "twice"}}]),
        "data_source": "livecodebench", "uid": "lcb_3", "index": 3, "metadata": "{}",
        "starter_code": "class Solution:\n    def twice(self, x: int) -> int:\n        ",
    }, "lcb_3", METHOD, METHOD_WRONG, "rllm"),
    Shape("verl", {
        "data_source": "train-code-leetcode", "ability": "code", "prompt": [{"role": "user", "content": "Double it."}],
        "reward_model": {"style": "rule", "ground_truth": json.dumps({
            "import_prefix": "import math\n", "entry_point": "twice", "test_code": _HUMANEVAL_TEST})},
        "extra_info": {"index": 5, "split": "train"},
    }, "train-code-leetcode/5", "def twice(x):\n    return math.floor(2 * x)", SAME, "skywork"),
    Shape("verl", {
        "data_source": "AceCode", "ability": "code", "prompt": [{"role": "user", "content": "Double it."}],
        "reward_model": {"style": "rule", "ground_truth": ""},
        "extra_info": {"index": 6, "split": "train", "question": "Double it.", "inputs_outputs": None,
                       "test_cases": ["assert twice(2) == 4", "assert twice(5) == 10"]},
    }, "AceCode/6", TWICE, SAME, "verl-tool"),
    Shape("verl", {
        "data_source": "taco", "ability": "code", "prompt": [{"role": "user", "content": "Print the sum."}],
        "reward_model": {"style": "rule", "ground_truth": ""},
        "extra_info": {"index": 7, "test_cases": None, "inputs_outputs": json.dumps(IN_OUT)},
    }, "taco/7", ADD, SUB, "verl-tool-pairs"),
    Shape("cure", {
        "task_id": 5, "question": "Print the sum.", "example_input": IN[:1], "example_output": OUT[:1],
        "test_input": IN, "test_output": OUT, "test_time_limit": 1,
    }, "5", ADD, SUB),
    Shape("humaneval", {
        "task_id": "HumanEval/901", "prompt": "def twice(x):\n    \"\"\"Double it.\"\"\"\n",
        "entry_point": "twice", "canonical_solution": "    return 2 * x\n",
        "test": _PLUS_CHECKS + "def check(candidate):\n    inputs = [[2], [[1.5]], [5]]\n"
                "    results = [4, [1.5, 1.5], 10]\n"
                "    for i, (inp, exp) in enumerate(zip(inputs, results)):\n"
                "        assertion(candidate(*inp), exp, 0)\n",
    }, "HumanEval/901", TWICE, SAME, "plus"),
    Shape("mbpp", {
        "task_id": 9003, "code": TWICE, "prompt": "Write a function to double.", "source_file": "x",
        "test_imports": [], "test_list": ["assert twice(2) == 4"],
        "test": _PLUS_CHECKS + "inputs = [[2], [2.5], [[1]]]\nresults = [4, 5.0, [1, 1]]\n"
                "for i, (inp, exp) in enumerate(zip(inputs, results)):\n"
                "    assertion(twice(*inp), exp, 0)\n",
    }, "Mbpp/9003", TWICE, SAME, "plus-table"),
    Shape("leetcodedataset", {
        "task_id": "double-list", "question_id": 90002, "difficulty": "Easy", "tags": [],
        "problem_description": "Double", "estimated_date": "2031-04-06", "prompt": _NODES,
        "starter_code": "class Solution:\n    def twice(self, head: Optional[ListNode]) -> Optional[ListNode]:\n        ",
        "completion": _LIST_METHOD, "entry_point": "Solution().twice",
        "test": "def check(candidate):\n    assert is_same_list(candidate(head = list_node([1, 2])), list_node([2, 4]))\n",
        "input_output": [{"input": "head = [1,2]", "output": "[2,4]"}], "query": "q", "response": "r",
    }, "double-list", _NODES + _LIST_METHOD, _NODES + METHOD_WRONG.replace("x", "head"), "nodes"),
]  # fmt: skip

BIGCODEBENCH = {
    "task_id": "BigCodeBench/9000", "complete_prompt": "import os\ndef task_func(x):\n",
    "instruct_prompt": "Do it.", "canonical_solution": "    return x\n", "code_prompt": "import os\n",
    "test": "import unittest\nclass TestCases(unittest.TestCase):\n"
            "    def test_it(self):\n        self.assertEqual(task_func(1), 1)\n",
    "entry_point": "task_func", "doc_struct": "{}", "libs": "['os']",
}  # fmt: skip


def find_shape(name: str) -> Shape:
    """The shape of that name."""
    return next(shape for shape in SHAPES if str(shape) == name)
