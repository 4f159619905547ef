"""What a program does to the folder it may write to is gone before the next one, and costs
nobody but itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from microcoder_eval import Judge, Limits
from tests.files import read_table
from tests.levels import levels

TABLE = read_table(__file__)
FILES = Limits(time_s=1.0, wall_s=20.0, memory_mb=256, output_mb=1, files_mb=1)
DIG = TABLE["dig"]
FILL = TABLE["fill"]
LOOK = "import os\nprint(os.listdir())"


@pytest.fixture(scope="module", params=levels(4, 3))
def judge(request: pytest.FixtureRequest) -> Iterator[Judge]:
    with Judge(workers=1, min_level=3, max_level=request.param, limits=FILES) as held:
        yield held


@pytest.mark.parametrize(
    ("program", "verdicts"),
    [
        (DIG.format(levels=2000, name="d", there="pass"), {"RE"}),
        (DIG.format(levels=2000, name="d" * 250, there="pass"), {"RE"}),
        (DIG.format(levels=40, name="d", there="os.umask(0o777)"), {"RE"}),
        (DIG.format(levels=40, name="d", there="open('x', 'w').write('x')"), {"RE"}),
        (FILL, {"WA", "RE", "TLE"}),
    ],
    ids=["deep", "deep and long", "closed", "files at each level", "countless files"],
)
def test_the_next_program_finds_an_empty_folder(
    judge: Judge, program: str, verdicts: set[str]
) -> None:
    test = {"kind": "stdin", "tests": [{"input": "", "output": "[]\n"}]}
    judgement = judge.judge({"code": program}, test)
    assert str(judgement.verdict) in verdicts, judgement.error or judgement.tests
    assert judge.judge({"code": LOOK}, test).verdict == "AC"
