"""A solution passes only if its own code ran; test code that reaches no program is the problem's
fault, which shows before any program runs."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from microcoder_eval import Judge, Judgement, Limits

# {0}: the operand, {1}: the right result, {name}: the function.
STYLES = {
    "assertions": "assert {name}({0}) + 0 == {1}\n",
    "literal assertions": "assert {name}({0}) == {1}\n",
    "assertions in a loop": "for _ in range(2):\n    assert {name}({0}) + 0 == {1}\n",
    "check(f)": "def check(f):\n    assert f({0}) + 0 == {1}\ncheck({name})\n",
    "check(name)": "def check({name}):\n    assert {name}({0}) + 0 == {1}\ncheck({name})\n",
    "a function that is called": "def run():\n    assert {name}({0}) + 0 == {1}\nrun()\n",
    "a main guard": "def run():\n    assert {name}({0}) + 0 == {1}\n"
    "if __name__ == '__main__':\n    run()\n",
    "an attribute of a class": "class Held:\n    held = {name}\nassert Held.held({0}) + 0 == {1}\n",
    "a class": "class Tests:\n    def run(self):\n        assert {name}({0}) + 0 == {1}\n"
    "Tests().run()\n",
    "unittest": "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n"
    "        self.assertEqual({name}({0}), {1})\n",
    "pytest": "import pytest\n@pytest.mark.parametrize('x, y', [({0}, {1})])\n"
    "def test_a(x, y):\n    assert {name}(x) == y\n",
    "a pytest class": "class TestIt:\n    def test_a(self):\n"
    "        assert {name}({0}) + 0 == {1}\n",
    "an import of the program": "from solution import {name}\nassert {name}({0}) + 0 == {1}\n",
    "the program as a module": "import solution\nassert solution.{name}({0}) + 0 == {1}\n",
}
HEADS = ["", "'''What it does.'''\n", "'''Doc.'''\nfrom __future__ import annotations\n"]
HEADS.append("import math\n'''A text after an import.'''\n")
STARTERS = [
    None,
    "def {name}(x):\n    pass\n",
    "def {name}(x):\n    return x + {step}\n",
    "def {name}(x):\n    return 0\n",
    "def {name}(x):\n    raise NotImplementedError\n",
    "def {name}(x):\n    return 1 // 0\n",
    "def {name}(x):\n    import math\n    '''Doc.'''\n",
    "def helper(x):\n    return x\ndef {name}(x):\n    '''Doc.'''\n",
]
PROGRAMS = {
    "right": ("def {name}(x):\n    return x + {step}\n", {"AC"}),
    "wrong": ("def {name}(x):\n    return x - {step}\n", {"WA"}),
    "another name": ("def misnamed(x):\n    return x + {step}\n", {"CE", "RE", "WA"}),
    "empty": ("pass\n", {"CE", "RE", "WA"}),
}
UNREACHED = {
    "it defines the function itself": "def f(x):\n    return 2\nassert f(1) + 0 == 2\n",
    "assertions that never run": "if False:\n    assert f(1) == 3\nassert 1 + 1 == 2\n",
    "callable": "assert callable(f)\n",
    "not None": "assert f is not None\n",
    "doctest": "import doctest\nassert doctest.testmod().failed == 0\n",
    "a function that nobody calls": "def run():\n    assert f(1) + 0 == 2\n",
    "a failure before the first call": "assert 1 == 2\nassert f(1) + 0 == 2\n",
}


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    """Two workers."""
    with Judge(workers=2, limits=Limits(time_s=2, wall_s=60), reuse=False) as judge:
        yield judge


def judged(judge: Judge, code: str, test_code: str, **fields: Any) -> Judgement:
    return judge.judge({"code": code}, {"kind": "assert", "test_code": test_code, **fields})


@pytest.mark.parametrize("style", ["check(name)", "unittest", "a function that is called"])
@pytest.mark.parametrize("starter", [text for text in STARTERS if text is not None])
def test_the_starter_codes_function_never_takes_the_programs_place(
    judge: Judge, style: str, starter: str
) -> None:
    test_code = STYLES[style].format(1, 2, name="f")
    for code, verdicts in PROGRAMS.values():
        judgement = judged(
            judge,
            code.format(name="f", step=1),
            test_code,
            starter_code=starter.format(name="f", step=1),
        )
        assert judgement.verdict in verdicts, judgement


@pytest.mark.parametrize("name", UNREACHED)
def test_test_code_that_reaches_no_program_is_the_problems_fault(judge: Judge, name: str) -> None:
    for code in ("def f(x): return x + 1", "def f(x): return 7", "pass"):
        assert judged(judge, code, UNREACHED[name]).verdict == "JE"


@pytest.mark.parametrize(
    "test_code",
    [
        "try:\n    f(1)\nexcept NameError:\n    pass\nassert 1 + 1 == 2\n",
        "import pytest\ndef test_a():\n    with pytest.raises(Exception):\n        f('a')\n",
    ],
)
def test_a_program_neither_passes_nor_abstains_by_lacking_the_name(
    judge: Judge, test_code: str
) -> None:
    assert judged(judge, "def f(x): return x + 1", test_code).verdict == "AC"
    for code in ("pass", "def g(x): return x + 1"):
        judgement = judged(judge, code, test_code)
        assert (judgement.verdict, judgement.flags) == ("WA", ("not_called",))


def test_a_global_value_is_compared_by_what_it_is(judge: Judge) -> None:
    for code, verdict in {"LIMIT = 5": "AC", "LIMIT = 4": "WA", "pass": "RE"}.items():
        assert judged(judge, code, "assert LIMIT == 5\nassert LIMIT != 4\n").verdict == verdict


@pytest.mark.slow
def test_no_style_accepts_a_wrong_program_or_refuses_a_right_one(judge: Judge) -> None:
    """2,048 cases: every style, beside drawn heads, starter code and entry points."""
    draw = random.Random(35)
    combinations = list(itertools.product(STYLES, HEADS, STARTERS, (False, True)))
    draw.shuffle(combinations)
    failures = []
    submissions = []
    for number, (style, head, starter, has_entry) in enumerate(combinations[:512]):
        names = {"name": draw.choice(["inc", "solve", "helper_of", "compute"]), "step": number + 1}
        problem = {"kind": "assert", "test_code": _write_test(style, head, draw, names)}
        if starter is not None:
            problem["starter_code"] = starter.format(**names)
        if has_entry:
            problem["entry_point"] = names["name"]
        for kind, (code, verdicts) in PROGRAMS.items():
            future = judge.submit({"code": code.format(**names)}, problem)
            submissions.append((kind, verdicts, problem, future))
    for kind, verdicts, problem, future in submissions:
        judgement = future.result()
        if judgement.verdict not in verdicts:
            failures.append((kind, judgement.verdict, problem))
    assert len(submissions) >= 2_000
    assert failures == []


def _write_test(style: str, head: str, draw: random.Random, names: dict[str, Any]) -> str:
    operand = draw.randrange(1, 1000)
    return head + STYLES[style].format(operand, operand + names["step"], **names)
