"""A program is plain if it can carry nothing from one test to the next; all others are not."""

from __future__ import annotations

import time
import tracemalloc
import warnings

import pytest

from microcoder_eval import judge
from microcoder_eval.plain.catalogue import load_catalogue
from microcoder_eval.plain.gate import find_batch_obstacle, is_plain
from tests.files import read_table


def reason(source: str, *, is_call: bool = False) -> str | None:
    names = load_catalogue(call=is_call)
    return find_batch_obstacle(source.encode(), names)


TABLE = read_table(__file__)


@pytest.mark.parametrize("source", TABLE["plain"])
def test_ordinary_programs_are_plain(source: str) -> None:
    assert reason(source) is None
    assert reason(source, is_call=True) is None


@pytest.mark.parametrize("source", TABLE["call"])
def test_calls_use_the_names_that_programs_find(source: str) -> None:
    assert reason(source, is_call=True) is None


@pytest.mark.parametrize("why", TABLE["not_plain"])
def test_what_could_keep_something_is_not_plain(why: str) -> None:
    for source in TABLE["not_plain"][why]:
        assert reason(source) == why
        assert reason(source, is_call=True) is not None


@pytest.mark.parametrize("source", TABLE["looks_harmless"])
def test_what_only_looks_harmless_is_not_plain(source: str) -> None:
    assert reason(source) is not None


def test_a_function_may_have_the_name_that_the_compiler_gives_to_modules() -> None:
    assert is_plain(b"def top(items):\n    type = items[0]\n    print(type)\n", call=False)


def test_a_long_program_is_not_plain() -> None:
    assert reason("#" * (1 << 17)) == "is long"


def test_a_private_name_is_the_programs_only_if_it_defines_it() -> None:
    assert reason("class A:\n    def f(self): self._x = 1\n    def g(self): return self._x") is None
    assert reason("from collections import Counter\nprint(Counter()._keep_positive())") is not None


@pytest.mark.parametrize(
    "source", ["(" * 300 + ")" * 300, "-" * 5000 + "1", "+".join("x" * 9000), "x" + ".a" * 9000]
)
def test_odd_texts_end_in_a_reason_and_in_nothing_else(source: str) -> None:
    assert reason(source)


def test_a_plain_call_may_name_what_a_plain_script_may_not() -> None:
    assert is_plain(b"print(1)", call=False)
    assert not is_plain(b"print(id(1))", call=True)
    source = b"def f(a: List[int]): return a"
    assert (is_plain(source, call=True), is_plain(source, call=False)) == (True, False)


def many_classes(size: int) -> str:
    """Classes, each of the next one's type, and one with many bases."""
    chain = "".join(f"class c{n}(c{n + 1}): 0\n" for n in range(size))
    return f"{chain}@print\nclass c{size}: 0\nclass d({'int,' * (10 * size)}): 0\n"


@pytest.mark.slow
def test_the_gate_takes_as_long_as_the_text_is() -> None:
    def measure(size: int) -> float:
        source, start = many_classes(size), time.process_time()
        reason(source)
        return time.process_time() - start

    # Four times the text: four times the time, or sixteen where each class were compared with each.
    assert min(measure(600) for _ in range(5)) < 8 * min(measure(150) for _ in range(5))


@pytest.mark.slow
def test_names_of_functions_in_functions_do_not_add_up() -> None:
    names = "=".join(f"v{n}" for n in range(2000))
    source = f"def f():\n {names}=0;[" + ("lambda a:" * 40 + "0,") * 50 + "]\n"
    tracemalloc.start()
    try:
        reason(source)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100 << 20


def test_no_text_makes_the_driver_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert reason(r"print('\d', 1if 1 else 2)") is None


def test_the_catalogue_knows_every_name_that_a_program_finds() -> None:
    names = load_catalogue(call=False)
    problem = {"kind": "stdin", "tests": [{"input": "", "output": "found"}]}
    known = sorted(names.builtins.keys() | names.unlisted)
    code = f"print('found' if {{*dir(__builtins__)}} <= {{*{known}}} else 'lost')"
    assert judge(code, problem).passed


def test_every_listed_name_is_there_or_belongs_to_another_python() -> None:
    scripts, calls = load_catalogue(call=False), load_catalogue(call=True)
    assert {"print", "ValueError", "exit"} <= scripts.builtins.keys()
    assert {"ListNode", "Counter", "List", "heappush"} <= calls.builtins.keys()
    assert calls.modules["heapq"] == "heapq"
    assert scripts.builtins["print"] is None  # nobody can change a function in C
    assert calls.builtins["Counter"] is not None
