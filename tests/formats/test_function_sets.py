"""Sets of functions in the shapes of EvalPlus's own files, CRUXEval and QuixBugs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import DataError, Judge, Limits
from microcoder_eval.formats.problems import open_problems, problem_from
from microcoder_eval.formats.solutions import solution_from
from tests.files import read_table, write_jsonl
from tests.judges import require_toolchain

NODE = """\
class Node:
    def __init__(self, value=None, successor=None, successors=[], incoming_nodes=[],
                 outgoing_nodes=[]):
        self.value = value
        self.successor = successor
        self.successors = successors
        self.incoming_nodes = incoming_nodes
        self.outgoing_nodes = outgoing_nodes

    def successor(self):
        return self.successor

"""
PROGRAMS = read_table(__file__, "node_programs.toml")
TASK = {
    "task_id": "HumanEval/900",
    "prompt": "from typing import *\n\ndef mean(xs: List[float]) -> float:\n    '''The mean.'''\n",
    "canonical_solution": "    return sum(xs) / len(xs)\n",
    "entry_point": "mean",
    "contract": "",
    "base_input": [[[1.0, 2.0]], [[3.0]]],
    "plus_input": [[[0.1, 0.2, 0.3]], [[1e300, -1e300, 5.0]]],
    "atol": 0,
}
ALGEBRA = {
    "task_id": "HumanEval/160",
    "prompt": "def do_algebra(operator, operand):\n",
    "canonical_solution": "    text = str(operand[0])\n"
    "    for sign, number in zip(operator, operand[1:]):\n        text += sign + str(number)\n"
    "    return eval(text)\n",
    "entry_point": "do_algebra",
    "base_input": [[["+", "*"], [2, 3, 4]], [["**", "-"], [3, 2, 1]]],
    "plus_input": [[["//"], [7, 2]]],
    "atol": 0,
}
PAIRS = {
    "task_id": "Mbpp/2",
    "prompt": '"""\nCommon members.\n"""\n',
    "canonical_solution": "def similar_elements(a, b):\n    return tuple(set(a) & set(b))\n",
    "entry_point": "similar_elements",
    "base_input": [[[3, 4, 5], [5, 7, 4]]],
    "plus_input": {},
    "atol": 0,
}
CRUX = {"id": "sample_3", "code": "def f(t):\n    return t[::-1], len(t)", "input": "'ab'",
        "output": "('ba', 2)"}  # fmt: skip
QUIX = {
    "name": "lowest_bit",
    "buggy_program": "def lowest_bit(n):\n    return n & n\n",
    "docstring": "The lowest bit that is set.",
    "solution": "def lowest_bit(n):\n    return n & -n\n",
    "tests": "assert lowest_bit(6) == 2\nassert lowest_bit(0) == 0\n",
}


@pytest.fixture
def judge(judge: Judge) -> Judge:
    return judge.with_changes(limits=Limits(time_s=1.0))


def judge_code(judge: Judge, row: dict[str, Any], code: str) -> str:
    problem = problem_from(row)
    return judge.judge({"problem_id": problem.problem_id, "code": code}, problem).verdict


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("return sum(xs) / len(xs)", "AC"),
        ("return sum(x / len(xs) for x in xs) + 1e-9", "AC"),  # EvalPlus allows 1e-6
        ("return xs[0]", "WA"),
        ("return [sum(xs) / len(xs)]", "WA"),
    ],
)
def test_evalplus_compares_with_its_reference(judge: Judge, body: str, verdict: str) -> None:
    assert judge_code(judge, TASK, f"def mean(xs):\n    {body}\n") == verdict


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        (ALGEBRA["canonical_solution"], "AC"),
        ("    return {2: 14, 3: 8, 7: 3}[operand[0]]\n", "AC"),
        ("    return sum(operand)\n", "WA"),
        ("    return '14'\n", "WA"),
    ],
)
def test_a_reference_of_evalplus_may_evaluate_text(judge: Judge, body: str, verdict: str) -> None:
    assert judge_code(judge, ALGEBRA, ALGEBRA["prompt"] + body) == verdict


def test_evalplus_gives_a_program_no_imports_of_its_prompt(judge: Judge) -> None:
    program = "def mean(xs: List[float]):\n    return sum(xs) / len(xs)\n"
    assert judge_code(judge, TASK, program) == "RE"
    assert judge_code(judge, TASK, f"from typing import List\n{program}") == "AC"


def test_humaneval_plus_as_released_is_judged_by_its_additional_inputs(judge: Judge) -> None:
    released = {**TASK, "test": "def check(candidate):\n    assert candidate([1.0, 2.0]) == 1.5\n"}
    base_only = "def mean(xs):\n    return {2: 1.5, 1: 3.0}[len(xs)]\n"
    assert judge_code(judge, released, base_only) == "RE"
    assert judge_code(judge, released, "def mean(xs):\n    return sum(xs) / len(xs)\n") == "AC"


_STUBS = {
    "import before the docstring": 'def fill(xs, n):\n    import math\n    """Fill."""\n',
    "import above": 'import math\n\ndef fill(xs, n):\n    """Fill."""\n',
    "import after the docstring": 'def fill(xs, n):\n    """Fill."""\n    import math\n',
    "no docstring": "import math\ndef fill(xs, n):\n    # Fill.\n",
    "comment and imports": "def fill(xs, n):\n    # Fill.\n    import re\n    import math\n",
    "decorated": 'import math\n@staticmethod\ndef fill(xs, n):\n    """Fill."""\n',
    "nested helper": "import math\ndef fill(xs, n):\n    def up(x):\n        return math.ceil(x)\n",
    "constant": 'def fill(xs, n):\n    import math\n    LIMIT = 9\n    """Fill."""\n',
    "helper above": "import math\ndef up(x):\n    return math.ceil(x)\n\ndef fill(xs, n):\n"
    '    import math\n    """Fill."""\n',
}


@pytest.mark.parametrize("stub", _STUBS, ids=str)
def test_the_function_of_a_prompt_is_the_programs_wherever_its_docstring_stands(
    judge: Judge, stub: str
) -> None:
    row = {
        "task_id": "Python/900",
        "prompt": _STUBS[stub],
        "test": "def check(fill):\n    assert fill([3, 4], 2) == 4\n    assert True\n"
        "    assert fill([], 2) == 0 and fill([5], 4) == 2\n\ncheck(fill)\n",
    }
    body = "    return math.ceil(sum(xs) / n)\n"
    assert judge_code(judge, row, row["prompt"] + body) == "AC"
    assert judge_code(judge, row, row["prompt"] + "    return len(xs)\n") == "WA"
    assert judge_code(judge, row, "") != "JE"


@pytest.mark.parametrize("code", ["def mean(xs): return 1.0\n", "exit()\n", "1 / 0\n"])
def test_a_reference_that_fails_is_the_problems_fault(judge: Judge, code: str) -> None:
    row = {**TASK, "canonical_solution": "    return xs[9]\n"}
    assert judge_code(judge, row, code) == "JE"


@pytest.mark.parametrize(
    ("result", "verdict"), [("[5, 4]", "AC"), ("(4, 5, 5)", "AC"), ("(4,)", "WA")]
)
def test_evalplus_compares_some_lists_as_sets(judge: Judge, result: str, verdict: str) -> None:
    code = f"def similar_elements(a, b):\n    assert type(a) is tuple\n    return {result}\n"
    assert judge_code(judge, PAIRS, code) == verdict


@pytest.mark.parametrize(
    ("generation", "verdict"),
    [
        ("('ba', 2)", "AC"),
        ("[THOUGHT]x[/THOUGHT][ANSWER]assert f('ab') == ('ba', 1 + 1)[/ANSWER]", "AC"),
        ("('ab', 2)", "WA"),
        ("['ba', 2]", "WA"),
        ("f('ab')", "RE"),
        ("type('A', (), {'__eq__': lambda *a: True})()", "RE"),
        ("", "WA"),
    ],
)
def test_cruxeval_predictions(judge: Judge, generation: str, verdict: str) -> None:
    solution = solution_from({"id": "sample_3", "generation": generation}, default_id="s")
    judgement = judge.judge(solution, problem_from(CRUX))
    assert judgement.verdict == verdict


def test_a_function_of_cruxeval_may_take_nothing() -> None:
    assert problem_from({**CRUX, "input": ""}).statement == f"{CRUX['code']}\n\nassert f() == ??"


@pytest.mark.parametrize("part", ["CPP", "Go", "Java", "JavaScript", "Rust"])
def test_rows_of_humanevalpack_are_those_of_humaneval_x(part: str) -> None:
    opening = "use std::cmp;\n\n/* The larger one. */\nfn larger(a: i32, b: i32) -> i32 {\n"
    row = {
        "task_id": f"{part}/900",
        "prompt": opening,
        "declaration": "use std::cmp;\nfn larger(a: i32, b: i32) -> i32 {\n",
        "canonical_solution": "    cmp::max(a, b)\n}\n",
        "buggy_solution": "    cmp::min(a, b)\n}\n",
        "entry_point": "larger",
        "test": "mod tests {}",
    }
    problem = problem_from(row)
    assert problem.test_language is not None
    assert (problem.starter_code or "").count("fn larger") == 1


@pytest.mark.parametrize("key", ["completion", "generation"])
def test_a_completion_in_python_continues_the_prompt_of_a_row_with_an_entry_point(
    judge: Judge, tmp_path: Path, key: str
) -> None:
    row = {
        "task_id": "Python/900",
        "prompt": 'def larger(a: int, b: int) -> int:\n    """The larger one."""\n',
        "entry_point": "larger",
        "test": "def check(larger):\n    assert larger(1, 2) == 2\n\ncheck(larger)\n",
    }
    with open_problems(write_jsonl(tmp_path / "problems.jsonl", row)) as problems:
        for body, verdict in (("    return max(a, b)\n", "AC"), ("    return a\n", "WA")):
            sample = {"task_id": row["task_id"], key: body}
            solution = solution_from(sample, default_id="1", problems=problems)
            assert judge.judge(solution, problems.get(row["task_id"])).verdict == verdict


@pytest.mark.parametrize(
    "test",
    [
        "assert double(2) == 4\n",
        "def test_double():\n    assert double(2) == 4\n\ntest_double()\n",
        "def test_double():\n    assert double(2) == 4\n",
    ],
)
def test_rows_with_the_keys_of_humaneval_may_have_tests_without_check(
    judge: Judge, test: str
) -> None:
    row = {"task_id": "Python/25", "prompt": "def double(x):\n", "entry_point": "double",
           "test": test}  # fmt: skip
    assert judge_code(judge, row, "def double(x):\n    return 2 * x\n") == "AC"
    assert judge_code(judge, row, "def double(x):\n    return x\n") == "WA"


def test_rows_in_a_language_without_tests_say_what_is_judged() -> None:
    row = {"task_id": "R/1", "prompt": "double <- function(x)", "entry_point": "double",
           "test": "stopifnot(double(2L) == 4)\n"}  # fmt: skip
    with pytest.raises(DataError, match=r'as Python .* need "test_language", one of cpp, .*rust'):
        problem_from(row)


def test_a_prompt_in_go_that_is_a_whole_file_gets_no_second_package() -> None:
    row = {"task_id": "Go/900", "prompt": "package main\n\nfunc Two() int {\n", "test": "func T"}
    assert problem_from(row).starter_code == row["prompt"]


def test_quixbugs_tells_the_repaired_program_from_the_faulty_one(judge: Judge) -> None:
    problem = problem_from(QUIX)
    verdicts = [judge_code(judge, QUIX, program["code"]) for program in problem.solutions]
    assert verdicts == [program["verdict"] for program in problem.solutions] == ["AC", "WA"]


# Without a program, the tests of reverse_linked_list end only at the dry run's limit of 5 s.
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name == "reverse_linked_list" else ())
        for name in PROGRAMS
    ],
)
def test_quixbugs_with_a_class_of_the_tests(judge: Judge, name: str) -> None:
    program = PROGRAMS[name]
    right, wrong = program["right"], program["wrong"]
    tests = (NODE if program.get("node") else "") + program["tests"]
    row = {"name": name, "buggy_program": wrong, "solution": right, "tests": tests}
    assert judge_code(judge, row, right) == "AC"
    assert judge_code(judge, row, wrong) in ("WA", "RE")


def test_a_sample_of_multipl_e_without_a_language_is_in_that_of_its_problem(tmp_path: Path) -> None:
    problem = {"name": "HumanEval_0_inc", "language": "rs", "prompt": "fn inc(x: i64) -> i64 {\n",
               "tests": "}\nfn main() { assert_eq!(inc(1), 2); }\n"}  # fmt: skip
    sample = {"name": "HumanEval_0_inc", "completion": "    x + 1\n"}
    with open_problems(write_jsonl(tmp_path / "problems.jsonl", problem)) as problems:
        assert solution_from(sample, default_id="1", problems=problems).language == "rust"


@pytest.mark.parametrize(
    "row",
    [
        {"name": "HumanEval_0_inc", "language": "py", "prompt": "def inc(x):\n",
         "tests": "def check(inc):\n    assert inc(1) == 2\n\ncheck(inc)\n"},
        {"name": "inc", "buggy_program": "def inc(x): return x", "solution": "",
         "tests": "assert inc(1) == 2\n"},
    ],
    ids=["multipl_e", "quixbugs"],
)  # fmt: skip
def test_a_row_whose_tests_are_a_text_is_judged_by_itself(
    judge: Judge, row: dict[str, str]
) -> None:
    verdicts = [judge.judge(f"def inc(x): return x + {n}", row).verdict for n in (1, 0)]
    assert verdicts == ["AC", "WA"]


def test_rows_of_multipl_e_may_be_in_python(judge: Judge, tmp_path: Path) -> None:
    problem = {"name": "HumanEval_0_inc", "language": "py", "prompt": "def inc(x: int) -> int:\n",
               "tests": "def check(candidate):\n    assert candidate(1) == 2\n\n"
                        "def test_check():\n    check(inc)\n\ntest_check()\n"}  # fmt: skip
    with open_problems(write_jsonl(tmp_path / "problems.jsonl", problem)) as problems:
        for body, verdict in (("    return x + 1\n", "AC"), ("    return 1\n", "WA")):
            sample = {"name": "HumanEval_0_inc", "language": "py", "completion": body}
            solution = solution_from(sample, default_id="1", problems=problems)
            assert judge.judge(solution, problems.get("HumanEval_0_inc")).verdict == verdict


MBXP = {
    "task_id": "MBCPP/900", "language": "cpp", "entry_point": "twice",
    "prompt": "#include <bits/stdc++.h>\nusing namespace std;\n\nint twice(int n) {\n",
    "test": "\nint main() {\n    int x0 = twice(4);\n"
            "    if (!(x0 == 8)) { throw runtime_error(\"test case 0 did not pass.\"); }\n}\n",
    "canonical_solution": "    return n + n;\n}\n",
}  # fmt: skip


def test_rows_of_mbxp_have_tests_in_their_own_language(judge: Judge, tmp_path: Path) -> None:
    require_toolchain("cpp")
    with open_problems(write_jsonl(tmp_path / "problems.jsonl", MBXP)) as problems:
        problem = problems.get("MBCPP/900")
        assert [program["language"] for program in problem.solutions] == ["cpp"]
        for body, verdict in (("    return n + n;\n}\n", "AC"), ("    return n * n;\n}\n", "RE")):
            sample = {"task_id": "MBCPP/900", "completion": body, "language": "cpp"}
            solution = solution_from(sample, default_id="1", problems=problems)
            judgement = judge.judge(solution, problem)
            assert (judgement.verdict, judgement.flags) == (verdict, ("in_process_tests",))


@pytest.mark.parametrize(
    ("language", "name"), [("ruby", 'the string "ruby"'), (["cpp"], "a list of 1")]
)
def test_a_language_without_tests_is_named(language: Any, name: str) -> None:
    with pytest.raises(DataError, match=f"tests in {name} are not judged; judged: cpp"):
        problem_from({**MBXP, "language": language})


def test_a_helper_in_humanevals_prompt_is_the_tests_own(judge: Judge) -> None:
    prompt = (
        "import math\n\ndef turn(text: str):\n    '''Turn.'''\n    return text[::-1]\n\n\n"
        "def turn_back(text: str):\n    '''Undo turn.'''\n"
    )
    problem = problem_from({
        "task_id": "HumanEval/901", "prompt": prompt, "entry_point": "turn_back",
        "test": "def check(candidate):\n    for text in ('ab', 'abc'):\n"
                "        assert candidate(turn(text)) == text\n",
    })  # fmt: skip
    assert problem.starter_code == (
        "import math\ndef turn(text: str):\n    '''Turn.'''\n    return text[::-1]\n"
    )
    alone = "def turn_back(text):\n    return text[::-1]\n"
    assert judge.judge({"code": alone}, problem).verdict == "AC"
    cheat = "def turn(text): return text\ndef turn_back(text): return text\n"
    assert judge.judge({"code": cheat}, problem).verdict == "WA"
