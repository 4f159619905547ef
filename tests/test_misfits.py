"""What a text that does not compile seems to be."""

from __future__ import annotations

import pytest

from microcoder_eval.misfits import find_misfit

JAVA = "package main;\nimport java.util.List;\nclass Main { int x = ; }\n"


@pytest.mark.parametrize(
    ("code", "language", "flag"),
    [
        (JAVA, "java", None),
        (JAVA, "python", "other_language:java"),
        ("package main\nfunc main() { x }\n", "python", "other_language:go"),
        ("package main // it\nfunc main() { x }\n", "go", None),
    ],
)
def test_a_package_of_java_is_no_program_in_go(code: str, language: str, flag: str | None) -> None:
    assert find_misfit(code, language) == flag
