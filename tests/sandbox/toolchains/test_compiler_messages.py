"""The line of a compiler's messages that is shown."""

from __future__ import annotations

import pytest

from microcoder_sandbox.toolchains.compiler_messages import find_reason
from microcoder_sandbox.toolchains.toolchain import find_toolchain, how_to_install
from tests.files import read_table
from tests.judges import SharedJudge

MESSAGES = read_table(__file__)


@pytest.mark.parametrize("name", MESSAGES)
def test_the_first_line_that_says_why_is_shown(name: str) -> None:
    assert find_reason(MESSAGES[name]["printed"]) == MESSAGES[name]["shown"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("toolchain", "language", "code", "reason"),
    [
        ("gcc", "c", "int foo(int);\nint main(void) { return foo(1); }\n", "`foo'"),
        ("g++", "cpp", "int foo(int);\nint main() { return foo(1); }\n", "`foo(int)'"),
        (
            "rustc",
            "rust",
            'extern "C" { fn foo(); }\nfn main() { unsafe { foo() } }\n',
            "`foo'",
        ),
    ],
)
def test_what_does_not_link_says_what_is_missing(
    toolchain: str, language: str, code: str, reason: str
) -> None:
    if find_toolchain(toolchain) is None:
        pytest.skip(f"this machine has no toolchain for it: {how_to_install(toolchain)}")
    with SharedJudge(workers=1, reuse=False) as judge:
        result = judge.judge({"code": code}, [{"input": "", "output": ""}], language=language)
    assert result.verdict == "CE", result.error
    assert result.tests[0] is not None
    assert f"undefined reference to {reason}" in (result.tests[0].detail or "")
