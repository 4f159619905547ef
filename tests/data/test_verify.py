"""The judge itself says whether tests can be trusted, and which of them are needed."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_data.recipe import Verify
from microcoder_data.verify.kills import (
    order_by_spread,
    probe_kills,
    run_wrong_programs,
)
from microcoder_data.verify.mutants import make_mutants
from microcoder_data.verify.outputs import make_outputs
from microcoder_data.verify.randomness import is_random
from microcoder_data.verify.reduction import choose_tests, compute_budget, measure_sizes
from microcoder_data.verify.stage import VerifyStage
from microcoder_data.verify.steps import OUT_OF_STEPS, count_steps, seed_random
from microcoder_eval.api import Judge
from microcoder_eval.audit.trials import Runner
from microcoder_eval.errors import DataError
from microcoder_eval.formats import problem_from
from microcoder_eval.languages import LANGUAGES
from microcoder_eval.records import Limits, Solution
from microcoder_sandbox.toolchains.toolchain import find_toolchain
from tests.data.clean import problems
from tests.data.lines import Row, Run, read, write
from tests.judges import require_toolchain

RIGHT = "print(2 * int(input()))"
ALSO_RIGHT = "n = int(input())\nprint(n + n)"
SQUARE = "print(int(input()) ** 2)"
TESTS = [{"input": f"{n}\n", "output": f"{2 * n}\n"} for n in (0, 1, 2, 5, -3)]


@pytest.fixture(scope="module")
def judged() -> Iterator[Runner]:
    """A runner with a judge of its own."""
    with Judge(workers=1) as judge:
        yield Runner(judge)


def program(code: str, verdict: str = "AC") -> dict[str, str]:
    """One of a problem's own programs."""
    return {"code": code, "verdict": verdict}


def double(*programs: dict[str, str], **changes: Any) -> Row:
    """A problem: print twice the number."""
    row = {"problem_id": "p", "kind": "stdin", "tests": TESTS, "solutions": list(programs)}
    return {**row, **changes}


def verified(run: Run, *rows: Row, **recipe: Any) -> tuple[list[Row], dict[str, str]]:
    """What verify keeps and why it drops."""
    kept, dropped, _ = run(VerifyStage(Verify(**recipe)), *rows)
    return kept, dropped


def test_a_problem_that_holds_is_kept_with_what_was_run(run: Run) -> None:
    kept, dropped = verified(run, double(program(RIGHT), program(SQUARE, "WA")))
    assert dropped == {}
    assert kept[0]["verified"] == {"references": 1, "wrong": 1, "tests": 5}
    assert kept[0]["tests"] == TESTS


@pytest.mark.parametrize(
    ("own_s", "factor", "limit_s"), [(None, 4, 1.5), (0.5, 4, 0.5), (5, 1e6, 5)]
)
def test_a_limit_is_fitted_once_not_below_the_floor_nor_above_the_problems_own(
    run: Run, own_s: float | None, factor: float, limit_s: float
) -> None:
    original = double(program(RIGHT), limits={"time_s": own_s} if own_s else {})
    recipe = {"fit_limits": True, "limit_factor": factor, "limit_floor_s": 1.5}
    (row,), _ = verified(run, original, **recipe)
    assert row["limits"] == {"time_s": limit_s}
    (again,), _ = verified(run, row, **{**recipe, "limit_floor_s": 0.02})
    assert again["limits"] == row["limits"]


@pytest.mark.parametrize(("count", "checker"), [(5, "tokens"), (12, None)])
def test_a_problem_with_points_keeps_all_of_its_tests(
    run: Run, count: int, checker: str | None
) -> None:
    tests = [{"input": f"{n}\n", "output": f"{2 * n}\n"} for n in (0, *range(count - 1))]
    groups = [{"name": "a", "tests": [0, 1], "points": 40},
              {"name": "b", "tests": list(range(2, count)), "points": 60}]  # fmt: skip
    row = double(program(RIGHT), program(SQUARE, "WA"), tests=tests, groups=groups)
    kept, dropped = verified(run, row if checker is None else row | {"checker": checker})
    assert dropped == {}
    assert (kept[0]["tests"], kept[0]["groups"]) == (tests, groups)


def test_limits_stay_unless_the_recipe_says_otherwise(run: Run) -> None:
    (row,), _ = verified(run, double(program(RIGHT), limits={"time_s": 5}))
    assert row["limits"] == {"time_s": 5}
    assert "limits_derived" not in row


def own_checker(code: str) -> Row:
    """The changes that give a problem this checker."""
    return {"checker": {"source": code, "language": "python", "protocol": "python"}}


QUICK = {"limits": {"time_s": 0.2}}
LINES_OF_TWO = [{"input": f"10{n} 77\n", "output": f"{2 * n}\n"} for n in range(4)]
MORE_TESTS = [{"input": f"{n}\n", "output": f"{2 * n}\n"} for n in range(-3, 6)]
# Programs of a problem, other changes of it, and why it is dropped.
UNSOUND: dict[str, tuple[list[dict[str, str]], Row, str]] = {
    "wrong": ([program(SQUARE)], {}, "reference_fails"),
    "no program": ([program(RIGHT + ")")], {}, "reference_fails"),
    # One that crashes gives no answer that could differ.
    "crashes": ([program(RIGHT), program("open('/data/in.txt')")], {}, "reference_fails"),
    "another answer": ([program(RIGHT), program(SQUARE)], {}, "references_disagree"),
    "right all the same": (
        [program(RIGHT), program(ALSO_RIGHT, "WA")], {}, "wrong_accepted",
    ),
    "endless": ([program("while True: pass")], QUICK, "reference_too_slow"),
    "asleep": ([program(f"import time\ntime.sleep(600)\n{RIGHT}")], QUICK, "reference_too_slow"),
    "a torn checker": ([program(RIGHT)], own_checker("def check("), "unjudgeable"),
    "a checker that takes all": (
        [program(RIGHT)], own_checker("def check(input, output, expected):\n    return True"),
        "careless_checker",
    ),
    "a checker that takes all digits": (
        [program(RIGHT)],
        own_checker("def check(input, output, expected):\n"
                    "    return output.strip('-\\n').isdigit()"),
        "careless_checker",
    ),
    "a table of answers": (
        [program("print({'100 77': 0, '101 77': 2, '102 77': 4, '103 77': 6}[input()])")],
        {"tests": LINES_OF_TWO}, "hard_coded_reference",
    ),
    "a table of answers by keys of two": (
        [program(f"answers = { {(n, 0): 2 * n for n in range(-3, 6)} }\n"
                 "print(answers[int(input()), 0])")],
        {"tests": MORE_TESTS}, "hard_coded_reference",
    ),
    "a wrong example": (
        [program(RIGHT)], {"examples": [{"input": "7\n", "output": "15\n"}]}, "example_fails",
    ),
}  # fmt: skip


@pytest.mark.slow
def test_what_does_not_hold_is_dropped_by_name(run: Run) -> None:
    rows = [
        double(*programs, problem_id=name, **changes)
        for name, (programs, changes, _) in UNSOUND.items()
    ]
    reasons = {name: reason for name, (_, _, reason) in UNSOUND.items()}
    assert verified(run, *rows)[1] == reasons


def test_programs_that_say_little_are_flagged(run: Run) -> None:
    drawing = program(f"import random\nrandom.random()\n{RIGHT}")
    kept, _ = verified(run, double(drawing, program(SQUARE, "perhaps")))
    assert kept[0]["findings"] == ["random_reference", "unusable_programs"]
    assert kept[0]["verified"]["programs_not_usable"] == 1
    kept, _ = verified(run, double(drawing, program(RIGHT)))
    assert "findings" not in kept[0]


def test_a_wrong_program_that_draws_random_numbers_says_nothing(run: Run) -> None:
    lucky = program(f"import random\nrandom.random()\n{ALSO_RIGHT}", "WA")
    kept, dropped = verified(run, double(program(RIGHT), lucky))
    assert dropped == {}
    assert kept[0]["verified"]["wrong"] == 0


def test_weak_tests_may_be_kept_and_are_flagged(run: Run) -> None:
    kept, _ = verified(
        run, double(program(RIGHT), program(ALSO_RIGHT, "WA")), keep=["wrong_accepted"]
    )
    assert kept[0]["findings"] == ["wrong_accepted"]


def test_a_program_known_as_slow_that_passes_is_told_in_the_timings(
    run: Run, tmp_path: Path
) -> None:
    row = double(program(RIGHT), program(ALSO_RIGHT, "TLE"))
    kept, _ = verified(run, row)
    assert "findings" not in kept[0]
    assert len(read(tmp_path / "verify.timings.jsonl")[0]["slow_accepted"]) == 1
    assert verified(run, row, drop=["slow_accepted"])[1] == {"p": "slow_accepted"}


def test_programs_may_be_called_as_keys_of_the_timings_are(run: Run, tmp_path: Path) -> None:
    names = ["problem_id", "seconds", "near_limit"]
    programs = [{**program(f"{RIGHT}  # {name}"), "solution_id": name} for name in names]
    verified(run, double(*programs))
    (timing,) = read(tmp_path / "verify.timings.jsonl")
    assert (timing["problem_id"], timing["near_limit"]) == ("p", False)
    assert timing["cpu_s"].keys() == set(names)
    assert timing["seconds"] > max(timing["cpu_s"].values())


def test_the_program_of_an_answer_is_a_reference(run: Run, tmp_path: Path) -> None:
    lines = [
        {"problem_id": "p", "response": f"So:\n```python\n{code}\n```", "verdict": "AC"}
        for code in (RIGHT, ALSO_RIGHT)
    ]
    write(tmp_path / "solutions.jsonl", [*lines, {**lines[0], "response": "I cannot."}])
    stage = VerifyStage(Verify(), solutions=str(tmp_path / "solutions.jsonl"))
    kept, dropped, _ = run(stage, double(tests=[{"input": test["input"]} for test in TESTS]))
    assert dropped == {}
    assert kept[0]["tests"] == TESTS
    assert stage.describe_facts() == {"programs_left_out": {"the answer holds no program": 1}}


def test_without_a_reference_a_problem_is_unverified_or_dropped(run: Run) -> None:
    assert verified(run, double())[0][0]["findings"] == ["no_reference"]
    assert verified(run, double(), drop=["no_reference"])[1] == {"p": "no_reference"}


@pytest.mark.sampled(2, "slow")
@pytest.mark.parametrize(
    "row",
    [
        double(program(RIGHT), program(ALSO_RIGHT)),
        {"problem_id": "p", "kind": "call", "entry_point": "pair",
         "tests": [{"input": [n], "output": {"$tuple": [n, {"$set": [n]}]}} for n in (1, 2, 3)],
         "solutions": [program("def pair(n):\n    print('noise')\n    return (n, {n})"),
                       program("class Other: pass\npair = lambda n: (n, set([n]))")]},
    ],
    ids=["stdin", "call"],
)  # fmt: skip
def test_missing_outputs_come_from_programs_that_agree(run: Run, row: Row) -> None:
    whole = json.loads(json.dumps(row["tests"]))
    without = [{"input": test["input"]} for test in whole[:2]] + whole[2:]
    kept, dropped = verified(run, {**row, "tests": without})
    assert dropped == {}
    assert kept[0]["findings"] == ["outputs_generated"]
    texts = [str(test["output"]).strip() for test in kept[0]["tests"]]
    assert texts == [str(test["output"]).strip() for test in whole]


@pytest.mark.sampled(2, "slow")
@pytest.mark.parametrize("programs", [[program(RIGHT)], [program(RIGHT), program(SQUARE)]])
def test_one_program_or_two_that_differ_make_no_output(run: Run, programs: list[Any]) -> None:
    row = double(*programs, tests=[{"input": "3\n"}, *TESTS])
    assert verified(run, row)[1] == {"p": "output_not_generated"}


def test_texts_of_calls_that_differ_in_blanks_make_no_output(run: Run) -> None:
    programs = [program("same = lambda s: s"), program("same = lambda s: ' '.join(s.split())")]
    row = {"kind": "call", "entry_point": "same", "tests": [{"input": ["a  b"]}]}
    assert verified(run, double(*programs, **row))[1] == {"p": "output_not_generated"}


class CountingJudge(Judge):
    """Counts the processes that it starts."""

    count = 0

    def run(self, *args: Any, **options: Any) -> Any:
        """See Judge."""
        self.count += 1
        return super().run(*args, **options)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("endless", "expected", "count"),
    [("n == 3", [0, 1, 2, None, 4, 5], 3), ("n > 2", [0, 1, 2] + 21 * [None], 6)],
)
def test_an_input_that_is_too_slow_costs_a_process_and_no_other_output(
    endless: str, expected: list[int | None], count: int
) -> None:
    code = f"n = int(input())\nwhile {endless}: pass\nprint(n)"
    inputs = [f"{n}\n" for n in range(len(expected))]
    with CountingJudge(workers=1) as judge:
        runner = Runner(judge)
        limits = Limits(time_s=0.3)
        outputs = make_outputs(runner, {"kind": "stdin"}, Solution("p", "s", code), inputs, limits)
    assert [int(one.value) if one.has_ended else None for one in outputs] == expected
    assert judge.count == count


@pytest.mark.parametrize("line", ["[" * 100_000, '["4", true, [[1, Infinity]]]', "[1, 2"])
def test_lines_that_a_program_forges_are_no_outputs(line: str, judged: Runner) -> None:
    code = f"import os\nos.write(1, b'\\n\\x1eanswer {line}\\n')\nprint(4)"
    (output,) = make_outputs(judged, {"kind": "stdin"}, Solution("p", "s", code), ["2\n"], Limits())
    assert (output.value, output.has_ended) == ("4\n", True)


def test_programs_come_from_files_with_labels(run: Run, tmp_path: Path) -> None:
    texts = {"a": RIGHT, "b": SQUARE, "c": ALSO_RIGHT, "d": RIGHT}
    codes = {name: (code, name == "a") for name, code in texts.items()}
    solutions = write(tmp_path / "s.jsonl", [
        {"problem_id": "p", "solution_id": name, "code": code, "language": "python"}
        for name, (code, _) in codes.items()
    ] + [{"problem_id": "p", "solution_id": "e", "code": "", "language": "cobol"}])  # fmt: skip
    labels = write(tmp_path / "l.jsonl", [
        {"solution_id": name, "accept": accept, "verdict": "AC" if accept else "WA",
         "validation": {"c": "weak", "d": "unconfirmed"}.get(name, "confirmed")}
        for name, (_, accept) in codes.items()
    ])  # fmt: skip
    stage = VerifyStage(Verify(), solutions=str(solutions), labels=str(labels))
    kept, dropped, manifest = run(stage, double())
    assert dropped == {}
    assert kept[0]["verified"] == {"references": 1, "wrong": 1, "tests": 5}
    assert sum(manifest["facts"]["programs_left_out"].values()) == 3
    unlabelled = VerifyStage(
        Verify(), solutions=str(solutions), labels=str(write(tmp_path / "none.jsonl", []))
    )
    assert run(unlabelled, double())[2]["facts"]["programs_left_out"]["no label"] == 4


TWICE_IN_CPP = """\
#include <iostream>
int main() { long long n; std::cin >> n; std::cout << 2 * n << '\\n'; }
"""
in_cpp = {**program(TWICE_IN_CPP), "language": "c++"}


def test_programs_of_a_language_that_the_recipe_does_not_name_are_left_out(
    run: Run, tmp_path: Path
) -> None:
    kept, _ = verified(run, double(program(RIGHT), in_cpp))
    verdict = {"references": 1, "wrong": 0, "tests": 5, "programs_not_usable": 1}
    assert kept[0]["verified"] == verdict
    line = {"problem_id": "p", "solution_id": "a", "accept": True, **in_cpp}
    stage = VerifyStage(Verify(), solutions=str(write(tmp_path / "s.jsonl", [line])))
    assert run(stage, double())[2]["facts"]["programs_left_out"] == {
        "in cpp, which this stage does not run": 1
    }


@pytest.mark.slow
@pytest.mark.skipif(find_toolchain("g++") is None, reason="this machine has no g++")
def test_programs_of_a_language_that_the_recipe_names_are_judged(run: Run) -> None:
    wrong = {**in_cpp, "code": TWICE_IN_CPP.replace("2 * n", "n * n"), "verdict": "WA"}
    row = double(in_cpp, program(ALSO_RIGHT), wrong, tests=[*TESTS, {"input": "9\n"}])
    kept, dropped = verified(run, row, languages=["python", "c++"])
    assert dropped == {}
    assert kept[0]["verified"] == {"references": 2, "wrong": 1, "tests": 6}
    assert kept[0]["tests"][-1]["output"].split() == ["18"]


def test_a_problem_of_functions_takes_no_program_of_another_language(run: Run) -> None:
    require_toolchain("cpp")
    row = {"problem_id": "p", "kind": "call", "entry_point": "f",
           "tests": [{"input": [n], "output": 2 * n} for n in range(3)],
           "solutions": [program("def f(n):\n    return 2 * n"), in_cpp]}  # fmt: skip
    kept, _ = verified(run, row, languages=["python", "cpp"])
    assert kept[0]["verified"]["programs_not_usable"] == 1


def test_a_language_without_a_toolchain_stops_the_stage(run: Run) -> None:
    absent = [one.name for one in LANGUAGES
              if one.compiled and find_toolchain(one.toolchain) is None]  # fmt: skip
    if not absent:
        pytest.skip("this machine has the toolchains of all languages")
    with pytest.raises(DataError, match=f"names {absent[0]}, which cannot be compiled here"):
        verified(run, double(program(RIGHT)), languages=["python", absent[0]])


def test_assertions_are_judged_too(run: Run) -> None:
    row = {"problem_id": "p", "kind": "assert", "entry_point": "f",
           "test_code": "assert f(2) == 4\nassert f(0) == 0\n"}  # fmt: skip
    square, double_ = (program(f"def f(n):\n    return {text}") for text in ("n ** 2", "2 * n"))
    assert verified(run, {**row, "solutions": [square]})[1] == {}
    wrong = {**row, "solutions": [square, {**double_, "verdict": "WA"}]}
    assert verified(run, wrong)[1] == {"p": "wrong_accepted"}


@pytest.mark.slow
@pytest.mark.timed
def test_a_near_limit_is_told_in_the_timings_and_nowhere_else(run: Run, tmp_path: Path) -> None:
    busy = "import time\nn = int(input())\nwhile time.process_time() < 0.5: pass\nprint(2 * n)"
    recipe = {"near_from": 0.1, "slow_from": 5.0}
    kept, dropped = verified(run, double(program(busy), limits={"time_s": 0.6}), **recipe)
    assert dropped == {}
    assert kept[0]["findings"] == ["random_reference"]  # it reads a clock
    assert read(tmp_path / "verify.timings.jsonl")[0]["near_limit"] is True


@pytest.mark.slow
def test_many_tests_become_few_that_kill_as_much(run: Run) -> None:
    row = problems(1)[0]
    right = [one for one in row["solutions"] if one["verdict"] == "AC"]
    wrong = [one for one in row["solutions"] if one["verdict"] == "WA"]
    many = [test for _ in range(25) for test in row["tests"]]
    kept, dropped = verified(run, {**row, "tests": many}, min_tests=4)
    assert dropped == {}
    left = kept[0]["tests"]
    assert len(left) <= 0.2 * len(many)
    again, _ = verified(run, {**row, "tests": left, "solutions": [*right, *wrong]})
    assert again, "the wrong programs still fail"


# --- mutants ----------------------------------------------------------------------------------

PROGRAM = """\
def f(a, k):
    best = 0
    for i in range(1, len(a)):
        if a[i] > a[i - 1] and not a[i] % 2:
            best = max(best, sorted(a[:i + 1])[-1] + k)
    return best
"""


def test_every_mutant_is_another_program_that_compiles() -> None:
    made = make_mutants(PROGRAM, 60, seed=1)
    assert len(set(made)) == len(made) >= 15
    assert ast.unparse(ast.parse(PROGRAM)) not in made
    for changed in ("a[i] >= a[i - 1]", " or not ", "a[i] // 2", "[-1] - k", "best = 1"):
        assert any(changed in code for code in made), changed
    for code in made:
        compile(code, "mutant", "exec")


def test_mutants_depend_on_program_and_seed_alone() -> None:
    assert make_mutants(PROGRAM, 10, seed=1) == make_mutants(PROGRAM, 10, seed=1)
    assert make_mutants(PROGRAM, 10, seed=1) != make_mutants(PROGRAM, 10, seed=2)


def test_no_mutant_makes_a_while_loop_endless_by_dropping_its_step() -> None:
    code = "n = 5\nwhile n > 0:\n    n -= 1\nprint(n)"
    assert all("n -= " in made and "while n " in made for made in make_mutants(code, 50, 0))


@pytest.mark.parametrize("code", ["def f(:", "import random\nprint(random.randint(1, 2) + 1)"])
def test_what_is_no_program_or_draws_random_numbers_has_no_mutants(code: str) -> None:
    assert make_mutants(code, 5, 0) == []


STEPS_OF_EACH_KIND = """\
from __future__ import annotations
import sys
def f(n):
    return n and f(n - 1)
g = lambda n: n and g(n - 1)
f(3), g(3), [0 for _ in range(4)]
for _ in range(2): pass
n = 2
while n: n -= 1
print("done")
"""


def ended(code: str) -> tuple[str, str, int]:
    """stdout, stderr and status of a program."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    return done.stdout, done.stderr.strip(), done.returncode


def insert_steps(code: str, steps: int) -> str:
    """A program that counts its steps."""
    return count_steps(Solution("p", "s", code), steps).code or ""


def test_each_round_and_each_call_is_a_step() -> None:
    steps = 4 + 4 + 4 + 2 + 2
    assert ended(insert_steps(STEPS_OF_EACH_KIND, steps)) == ("done\n", "", 0)
    assert ended(insert_steps(STEPS_OF_EACH_KIND, steps - 1)) == ("", OUT_OF_STEPS, 1)


def test_visits_count_how_often_each_branch_loop_and_function_is_entered() -> None:
    code = """
def f(x):
    if x > 1:
        return "big"
    else:
        return "small" if x else "none"
print([f(x) for x in range(5) if x != 3])
"""
    stdout, _, status = ended(
        insert_steps(code, 100) + "\nprint(sorted(_microcoder_visits.values()))"
    )
    assert status == 0
    # "small" once, two branches twice, four calls, four rounds that go on, of five
    assert stdout == "['none', 'small', 'big', 'big']\n[1, 2, 2, 4, 4, 5]\n"


@pytest.mark.parametrize("code", ["while True: pass", "f = lambda: f()\nwhile True: f()"])
def test_what_runs_for_ever_runs_out_of_steps(code: str) -> None:
    assert ended(insert_steps(code, 500))[2] == 1


def test_a_mutant_that_runs_out_of_steps_is_killed_by_nothing(judged: Runner) -> None:
    loops = Solution("p", "m", code="n = int(input())\nwhile n: pass\nprint(n)")
    problem = problem_from(double(tests=[{"input": "3\n", "output": "6\n"}, *TESTS[:1]]))
    (found,) = probe_kills(judged, problem, [loops], [0, 1], 3, steps=500)
    assert (found.has_failed, found.tests) == (True, set())


@pytest.mark.parametrize(
    ("code", "is_chance"),
    [
        ("import random\nprint(random.randint(1, 6))", True),
        ("import random as r\nr.shuffle([1, 2])", True),
        ("from random import *\nprint(choice([1, 2]))", True),
        ("from time import time as now\nprint(now())", True),
        ("import numpy as np\nprint(np.random.rand())", True),
        ("from datetime import datetime\nprint(datetime.now())", True),
        ("import os\nprint(os.urandom(1))", True),
        # Imported, and not used.
        ("import random, time\nfrom random import *\nfrom time import *\nprint(1)", False),
        ("from random import *\nsample = [1, 2]\nprint(sample)", False),
        ("from random import *\ndef f(choice):\n    return choice", False),
        ("import random\nprint(random.Random(5).random())", False),
        ("import random\nrandom.seed(5)\nprint(random.random())", False),
        ("import random\nrandom.seed()\nprint(random.random())", True),
        ("import time\ntime.sleep(1)", False),
        ("print(", False),
    ],
)
def test_chance_is_what_a_program_uses_and_not_what_it_imports(code: str, is_chance: bool) -> None:
    assert is_random(code) == is_chance


def test_a_seed_decides_what_a_program_draws() -> None:
    draw = (
        "from __future__ import annotations\nfrom random import randint\nprint(randint(0, 10**9))"
    )
    copies = [seed_random(Solution("p", "s", draw), seed).code or "" for seed in (0, 0, 1)]
    first, again, other = map(ended, copies)
    assert first == again != other
    assert not any(map(is_random, copies))


@pytest.mark.slow
@pytest.mark.timed
@pytest.mark.parametrize(
    ("seconds", "failed", "near"), [(0.0, False, False), (0.5, True, True), (0.8, True, False)]
)
def test_a_wrong_program_that_is_slow_fails_and_near_the_limit_that_is_told(
    judged: Runner, seconds: float, failed: bool, near: bool
) -> None:
    busy = f"import time\nwhile time.process_time() < {seconds}: pass\n{RIGHT}"
    problem = problem_from(double(tests=TESTS[:1], limits={"time_s": 0.5}))
    recipe = Verify(near_from=0.7, slow_from=1.4, runs=2)
    (found,) = run_wrong_programs(judged, problem, [Solution("p", "s", code=busy)], [0], recipe)
    assert (found.has_failed, found.near_limit) == (failed, near)


# On one of them the program is stopped on every test, on the other on none.
SLOW_MACHINE, QUICK_MACHINE = {"time_s": 0.01}, {"time_s": 60}
SLOW_AND_WRONG = """\
n = int(input())
for _ in range(300_000):
    n += 0
print(2 * n if n not in (117, 131) else 0)
"""


@pytest.mark.slow
def test_what_time_does_to_a_wrong_program_does_not_change_the_choice(run: Run) -> None:
    tests = [{"input": f"{n}\n", "output": f"{2 * n}\n"} for n in range(100, 140)]
    wrong = program(SLOW_AND_WRONG, "WA")
    rows = [
        double(wrong, problem_id=name, tests=tests, limits=at)
        for name, at in (("p", SLOW_MACHINE), ("q", QUICK_MACHINE))
    ]
    kept, dropped = verified(run, *rows, max_tests=8, min_tests=4)
    assert dropped == {}
    assert kept[0]["tests"] == kept[1]["tests"]
    assert {"117\n", "131\n"} <= {test["input"] for test in kept[0]["tests"]}


# --- choice -----------------------------------------------------------------------------------


@given(
    st.lists(st.integers(1, 2000), min_size=1, max_size=60),
    st.lists(st.sets(st.integers(0, 59), min_size=1), max_size=12),
)
def test_every_kill_is_kept_whatever_the_budget(sizes: list[int], kills: list[set[int]]) -> None:
    kills = [{test % len(sizes) for test in some} for some in kills]
    positions, _ = choose_tests(sizes, kills, Verify(min_tests=1, max_tests=3))
    assert all(some & set(positions) for some in kills)
    assert positions == sorted(set(positions))
    # Programs that are only too slow fail on it.
    assert max(sizes) in {sizes[position] for position in positions}


@given(st.lists(st.integers(1, 2000), min_size=9, max_size=300))
def test_the_budget_holds_where_nothing_asks_for_more(sizes: list[int]) -> None:
    recipe = Verify()
    assert len(choose_tests(sizes, [], recipe)[0]) == compute_budget(len(sizes), recipe)


def test_tests_that_are_too_large_stay_only_where_nothing_else_kills() -> None:
    recipe = Verify(max_test_kb=1, min_tests=1, max_tests=2)
    sizes = [10, 20, 5000]
    assert choose_tests(sizes, [{0, 2}], recipe)[1] == []
    assert choose_tests(sizes, [{2}], recipe)[1] == [2]


def test_the_size_of_a_test_is_that_of_its_bytes() -> None:
    row = double(tests=[{"input": "two", "output": "2"}, {"input": "два", "output": "4"}])
    assert measure_sizes(problem_from(row)) == [4, 7]


@given(st.lists(st.integers(0, 99), max_size=70))
def test_the_spread_is_an_order_of_all_tests(sizes: list[int]) -> None:
    assert sorted(order_by_spread(sizes)) == list(range(len(sizes)))


# And how many of sixty may be kept: one in 729, or in 64, passes all three times.
RANDOM_REFERENCES = {
    "a guess of three": ("import random\ninput()\nprint(random.choice([0, 2, 4]))", 2),
    "the time": (
        "import time\nn = int(input())\nprint(2 * n if time.time_ns() // 100 % 2 else 7)",
        6,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("code", "most"), RANDOM_REFERENCES.values(), ids=RANDOM_REFERENCES)
def test_a_reference_that_passes_by_chance_is_not_kept(run: Run, code: str, most: int) -> None:
    tests = TESTS[1:3]
    rows = [
        double(program(f"{code}\n# {n}"), tests=tests, problem_id=f"chance {n}") for n in range(60)
    ]
    kept, dropped = verified(run, double(program(RIGHT), tests=tests, problem_id="right"), *rows)
    names = {row["problem_id"] for row in kept}
    assert "right" in names
    assert len(names - {"right"}) <= most  # 7 or 15 without the further runs
    assert set(dropped.values()) <= {"flaky", "reference_fails"}
