"""Programs are parsed by threads of a caller."""

from __future__ import annotations

import ast
import gc
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from microcoder_eval.syntax import parse_structure, parse_tree

PROGRAM = "\n".join(f"def f{i}(x):\n    return [[[x + {i}]]]" for i in range(100))


@pytest.fixture
def collector_that_yields() -> Iterator[None]:
    """The collector runs often, and lets another thread run each time."""

    def let_others_run(_phase: str, _info: dict[str, int]) -> None:
        time.sleep(1e-5)

    thresholds = gc.get_threshold()
    gc.set_threshold(20)
    gc.callbacks.append(let_others_run)
    try:
        yield
    finally:
        gc.callbacks.remove(let_others_run)
        gc.set_threshold(*thresholds)


@pytest.mark.usefixtures("collector_that_yields")
def test_threads_may_parse_at_the_same_time() -> None:
    """https://github.com/python/cpython/issues/106905"""
    expected = ast.dump(ast.parse(PROGRAM))
    with ThreadPoolExecutor(4) as threads:
        for tree in threads.map(parse_tree, [PROGRAM] * 24):
            assert ast.dump(tree) == expected


@pytest.mark.parametrize(
    "text", ["print(1if x else 2)", "1isx", "x = 0xfinx", "1.in2", "5jifoo", "a.5or"]
)
def test_a_program_is_parsed_without_warnings(text: str) -> None:
    """Python warns of a keyword at a number, and of names that begin with one."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with suppress(SyntaxError):
            parse_structure(text)
    assert caught == []
