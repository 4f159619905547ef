"""A program under Python tests finds what its problem's text imports, and no other names."""

from __future__ import annotations

import pytest

from microcoder_eval import Judge
from microcoder_eval.python_tests.given_names import add_imports

ROOT = "def f(n):\n    return math.sqrt(n)"
STARS = "from math import *\nfrom collections import *\n"
FIRST = "def f(xs: List[int]) -> int:\n    return xs[0]"
METHOD = "class Solution:\n    def f(self, xs: List[int]) -> int:\n        return min(inf, *xs)"
PROMPT = 'from typing import List\n\ndef f(xs: List[int]) -> int:\n    """First."""\n'
DESIGN = "class Least:\n    def get(self) -> int:\n        return inf"
DESIGN_STARTER = "class Least:\n\n    def get(self) -> int:\n        \n\n"
DESIGN_END = "# Your Least object will be instantiated and called as such:\n# obj = Least()\n"
LEAST = "assert Least().get() > 9"
ONE = "assert f([1]) == 1"
PLAIN, CHECK = "assert f(9) == 3", "def check(c):\n    assert c(9) == 3\ncheck(f)"
KEPT = "def g():\n    x = f(9)\n    assert x == 3\ng()"  # stays test code


@pytest.mark.parametrize(
    ("code", "test_code", "starter", "verdict"),
    [
        (ROOT, PLAIN, "", "RE"),
        (ROOT, f"{PLAIN}\nassert f(4) == 2", "", "RE"),
        (ROOT, KEPT, "", "RE"),
        (f"import math\n{ROOT}", PLAIN, "", "AC"),
        (ROOT, f"import math\n{PLAIN}", "", "AC"),
        (ROOT, f"import math\n{KEPT}", "", "AC"),
        (ROOT, f"import math\nfrom solution import f\n{PLAIN}", "", "RE"),  # a module of its own
        (ROOT, CHECK, "import math\ndef f(n):\n", "AC"),
        (f"\ufeff{ROOT}", CHECK, "import math\ndef f(n):\n", "AC"),
        (ROOT, CHECK, "import math as m\ndef f(n):\n", "RE"),
        (ROOT.replace("math.", ""), CHECK, "from math import *\ndef f(n):\n", "AC"),
        (ROOT.replace("math.", ""), CHECK, f"{STARS}def f(n):\n", "AC"),
        (FIRST, ONE, PROMPT, "AC"),
        (FIRST, ONE, "", "RE"),
        (f'"""Text."""\nfrom __future__ import division\n{FIRST}', ONE, PROMPT, "AC"),
        (f"import math\n{FIRST}", ONE, PROMPT, "AC"),
        (ROOT, PLAIN, PROMPT, "RE"),
        (ROOT, f"from solution import *\nimport math\n{PLAIN}", "", "RE"),
        (ROOT, f"# A Solution of a ListNode.\n{PLAIN}, 'Solution'", "", "RE"),
        (ROOT, f"try:\n    import math\nexcept ImportError:\n    math = None\n{PLAIN}", "", "AC"),
        (ROOT, f"def g():\n    import math\n{PLAIN}", "", "RE"),
        (FIRST, ONE, "def f(xs: List[int]) -> int:\n", "AC"),
        (METHOD, "assert Solution().f([1]) == 1", "", "AC"),
        (DESIGN, LEAST, DESIGN_STARTER + DESIGN_END, "AC"),
        (DESIGN, LEAST, DESIGN_STARTER, "RE"),
    ],
)  # fmt: skip
def test_names_are_those_of_the_problem_s_text(
    judge: Judge, code: str, test_code: str, starter: str, verdict: str
) -> None:
    problem = {"kind": "assert", "test_code": test_code, "starter_code": starter}
    judgement = judge.judge({"code": code}, problem)
    assert judgement.verdict == verdict, judgement
    assert verdict == "AC" or "is not defined" in str(judgement.tests)


def test_programs_whose_tests_run_apart_have_the_same_names(judge: Judge) -> None:
    apart = judge.with_changes(isolation="test")
    for test_code, verdict in ((PLAIN, "RE"), (f"import math\n{PLAIN}", "AC"), (KEPT, "RE")):
        problem = {"kind": "assert", "test_code": test_code}
        assert apart.judge({"code": ROOT}, problem).verdict == verdict, test_code


@pytest.mark.parametrize(
    "code",
    [
        '"""Text."""\nfrom __future__ import annotations\n\n\n@cache\ndef f():\n    return sqrt(1)',
        "x = sqrt(1)",
        "def f(): return sqrt(1)",
        "\nif sqrt(1):\r\n    pass\r\nelse:\r\n    y = '''\r\n'''",
        "from __future__ import annotations; y = sqrt(1)",
        '("""a\n\u00e9"""); from __future__ import annotations  # c\nx = sqrt(1)',
        "@(\n    cache\n)\ndef f():\n    return sqrt(1)",
        f"x = sqrt(1), 0x{'f' * 5000}",
        "x = sqrt(1), f\"{'\u200b'}\"",
    ],
)
def test_imports_come_before_the_first_statement_that_may_use_them(code: str) -> None:
    imports = {"sqrt": "from math import sqrt", "cache": "from functools import cache"}
    changed = add_imports(code, imports)
    exec(changed, {})
    added = "; ".join(text for name, text in imports.items() if name in code)
    unchanged = changed.replace(f"; {added}", "").replace(f"{added}\n", "")
    assert unchanged == code.replace("\r\n", "\n")


@pytest.mark.parametrize(
    "code",
    ["sqrt = 1\nx = sqrt", "from math import sqrt\nsqrt(1)", "def f(:", "x = 1", "'\ud800sqrt'"],
)
def test_other_programs_stay_as_they_are(code: str) -> None:
    assert add_imports(code, {"sqrt": "from math import sqrt"}) == code


def test_a_function_that_is_not_there_is_a_name_error(judge: Judge) -> None:
    judgement = judge.judge({"code": "def h(n): return 3"}, {"kind": "assert", "test_code": KEPT})
    assert judgement.verdict == "RE"
    assert "NameError: name 'f' is not defined" in str(judgement.tests)
    assert "_Missing" not in str(judgement.tests)
