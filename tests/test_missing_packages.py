"""What a program failed to import is read from the detail of its failure."""

from __future__ import annotations

import pytest

from microcoder_eval.missing_packages import find_missing_module


@pytest.mark.parametrize(
    ("detail", "module"),
    [
        ("ModuleNotFoundError: No module named 'networkx'", "networkx"),
        ("ModuleNotFoundError: No module named 'numpy.moved'", "numpy.moved"),
        ("assert f({1: 2}) == 3: ModuleNotFoundError: No module named 'scipy'", "scipy"),
        ("ValueError: ModuleNotFoundError: No module named 'networkx'", None),
        ("exit status 1", None),
        (None, None),
    ],
)
def test_the_module_that_is_missing_is_read_from_a_detail(
    detail: str | None, module: str | None
) -> None:
    assert find_missing_module(detail) == module
