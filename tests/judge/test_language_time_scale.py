"""Factors on the time limits of programs in some languages."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_eval import run
from microcoder_eval.cli import main
from microcoder_eval.cli.parser import judge_parser
from microcoder_eval.settings import JudgeOptions
from tests.files import read_table
from tests.judges import SharedJudge, require_toolchain

TABLE = read_table(__file__)
# About 0.3 s of CPU time by its own clock, whatever the machine.
BUSY = TABLE["busy"]
BUSY_C = TABLE["busy_c"]
TESTS = [{"input": "", "output": "1\n"}]
LIMITS = {"time_s": 0.1, "wall_s": 60}


def test_only_programs_in_the_language_have_more_time() -> None:
    require_toolchain("c")
    with SharedJudge(workers=1, limits=LIMITS, language_time_scale={"python": 30.0}) as judge:
        verdicts = [
            judge.judge({"code": code}, TESTS, language=language).verdict
            for code, language in ((BUSY, "py"), (BUSY_C, "c"), (BUSY, "python"))
        ]
        assert verdicts == ["AC", "TLE", "AC"]
        assert judge.run(BUSY).killed is None
        assert judge.with_changes(language_time_scale=None).judge(BUSY, TESTS).verdict == "TLE"


def test_it_multiplies_the_other_factor_and_is_hashed_only_where_set() -> None:
    plain, scaled = (
        JudgeOptions(time_scale=2),
        JudgeOptions(time_scale=2, language_time_scale={"java": 1.5}),
    )
    assert scaled.get_time_scale("java") == 3
    assert scaled.get_time_scale("c++") == 2
    assert plain.config_sha256 == JudgeOptions(time_scale=2, language_time_scale={}).config_sha256
    assert plain.config_sha256 != scaled.config_sha256


@pytest.mark.parametrize(
    "scales", [{"cobol": 2.0}, {"python": 0}, {"python": "3"}, {"py": 2.0}, 3, "python=3"]
)
def test_a_factor_that_is_none_is_refused(scales: Any) -> None:
    with pytest.raises(ValueError, match="language_time_scale"):
        JudgeOptions(language_time_scale=scales)


def test_the_command_line_takes_several_languages_and_the_last_of_each() -> None:
    words = "s --tests t --language-time-scale py=3 --language-time-scale java=2"
    args = judge_parser().parse_args([*words.split(), "--language-time-scale=java=4"])
    assert dict(args.language_time_scale) == {"python": 3, "java": 4}


@pytest.mark.parametrize(
    ("value", "message"),
    [("cobol=2", "cobol"), ("python", "a number above 0"), ("python=-1", "a number above 0")],
)
def test_a_wrong_option_says_what_is_allowed(
    value: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["x.jsonl", "--tests", "y.jsonl", f"--language-time-scale={value}"]) == 2
    errors = capsys.readouterr().err
    assert "--language-time-scale" in errors
    assert message in errors


def test_running_a_program_takes_it_too() -> None:
    assert run(BUSY, limits=LIMITS).killed == "cpu"
    assert run(BUSY, limits=LIMITS, language_time_scale={"python": 30.0}).killed is None
