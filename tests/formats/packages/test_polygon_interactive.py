"""Polygon packages with an interactor: what it writes to its output file goes to the checker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from microcoder_eval import Judge
from microcoder_eval.formats import problem_from
from microcoder_eval.formats.packages import PackageError, make_row, read_package
from tests.files import read_table, write_files
from tests.judges import require_toolchain

FILES = read_table(__file__)
XML = FILES["xml"]
# What these two use of testlib.h, in few lines: the real one is its user's.
TESTLIB = FILES["testlib"]
# The number of guesses is for the checker.
INTERACTOR = FILES["interactor"]
CHECKER = FILES["checker"]
HALVING = FILES["halving"]
COUNTING = FILES["counting"]
SILENT = "input()\n"
NEVER = "for guess in range(2000):\n    print(501, flush=True)\n    input()\n"


def write_package(folder: Path, xml: str = XML) -> Path:
    texts = {
        "problem.xml": xml,
        "tests/01": "250\n",
        "tests/01.a": "",
        "tests/02": "400\n",
        "tests/02.a": "",
        "files/interactor.cpp": INTERACTOR,
        "files/check.cpp": CHECKER,
        "solutions/halving.py": HALVING,
    }
    return write_files(folder, texts)


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    require_toolchain("cpp")
    header = tmp_path_factory.mktemp("testlib") / "testlib.h"
    header.write_text(TESTLIB)
    with Judge(workers=1, testlib=header) as judge:
        yield judge


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "verdict"),
    [(HALVING, "AC"), (COUNTING, "WA"), (SILENT, "TLE"), (NEVER, "WA")],
    ids=["few guesses", "refused by the checker", "says nothing", "refused by the interactor"],
)
def test_the_interactor_and_then_the_checker_decide(
    program: str, verdict: str, judge: Judge, tmp_path: Path
) -> None:
    problem = problem_from(make_row(read_package(write_package(tmp_path))))
    judgement = judge.judge(program, problem)
    assert str(judgement.verdict) == verdict, judgement.error or judgement.tests


@pytest.mark.slow
def test_a_comparer_of_testlibs_reads_what_the_interactor_writes(
    judge: Judge, tmp_path: Path
) -> None:
    xml = XML.replace(
        '<checker type="testlib"><source path="files/check.cpp"/>',
        '<checker name="std::ncmp.cpp">',
    )
    folder = write_package(tmp_path, xml)
    (folder / "tests/01.a").write_text("1\n")
    (folder / "tests/02.a").write_text("3\n")
    problem = problem_from(make_row(read_package(folder)))
    judgement = judge.judge(HALVING, problem)
    assert [str(test.verdict) for test in judgement.tests if test] == ["AC", "WA"]


def test_an_interactor_without_a_source_is_named(tmp_path: Path) -> None:
    xml = XML.replace('<interactor><source path="files/interactor.cpp"/>', "<interactor>")
    with pytest.raises(PackageError, match="interactor"):
        read_package(write_package(tmp_path, xml))
