"""Lists, objects, functions and variables that test code and program share: the judge says what
plain Python says."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from microcoder_sandbox.test_code import test_names
from microcoder_sandbox.wire.runner_messages import RunnerReport
from tests.files import read_table

Run = Callable[..., RunnerReport]
TABLE = read_table(__file__)
PRELUDE = {name: test_names.look_up_name(name) for name in ("list_node", "is_same_list")}
CASES = [(name, number) for name, case in TABLE.items() for number in range(len(case["programs"]))]


def passes_in_plain_python(code: str, tests: str) -> bool:
    """Whether program and tests, in one module, end without an exception."""
    module = compile(f"{code}\n{tests}", "solution", "exec", dont_inherit=True)
    try:
        exec(module, {"__name__": "solution", **PRELUDE})
    except Exception:
        return False
    return True


@pytest.mark.sampled(3, "slow")
@pytest.mark.parametrize(("name", "number"), CASES)
def test_what_is_shared_is_judged_as_in_plain_python(opaque: Run, name: str, number: int) -> None:
    code, tests = TABLE[name]["programs"][number], TABLE[name]["tests"]
    report = opaque(code, tests)
    assert report.unsupported is False
    assert report.passed is passes_in_plain_python(code, tests), report.error


@pytest.mark.parametrize("name", TABLE)
def test_each_test_accepts_one_program_and_refuses_another(name: str) -> None:
    tests, programs = TABLE[name]["tests"], TABLE[name]["programs"]
    results = {passes_in_plain_python(code, tests) for code in programs}
    assert results == {True, False}
