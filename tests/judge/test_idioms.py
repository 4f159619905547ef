"""Every way in which real programs read and write works as in a cold interpreter."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_eval import Judge, Limits, Verdict
from tests.files import read_table, shared_rows
from tests.judge.conftest import Judging

IDIOMS = read_table(__file__)
READS, WRITES = IDIOMS["reads"], IDIOMS["writes"]
GIVEN, SUM = "3\n1 2 3\n", "6\n"


@pytest.mark.parametrize("row", shared_rows("io_idioms.jsonl"))
def test_each_shared_idiom_is_accepted(pool: Judge, row: dict[str, Any]) -> None:
    problem = {key: row[key] for key in ("kind", "tests")}
    judgement = pool.judge({"code": row["code"]}, problem)
    assert judgement.verdict is Verdict.AC, judgement.tests


@pytest.mark.parametrize("name", READS)
def test_each_way_to_read_reads_the_input(stdin: Judging, name: str) -> None:
    code = READS[name]
    if "numpy" in code:
        pytest.importorskip("numpy")
    judgement = stdin(f"{code}\nprint(sum(d))", (GIVEN, SUM), (GIVEN, SUM))
    assert judgement.verdict is Verdict.AC, judgement.tests


@pytest.mark.parametrize("name", WRITES)
def test_each_way_to_write_and_to_end_gives_the_output(stdin: Judging, name: str) -> None:
    if name == "sortedcontainers":
        pytest.importorskip("sortedcontainers")
    judgement = stdin(WRITES[name], ("", SUM))
    assert judgement.verdict is Verdict.AC, judgement.tests


@pytest.mark.parametrize("flush", ["", "\nsys.stdout.flush()"])
def test_the_fast_io_template_of_contestants_works(stdin: Judging, flush: str) -> None:
    code = f"{IDIOMS['fast_io']}\nn = int(input())\nprint(sum(map(int, input().split()))){flush}"
    assert stdin(code, (GIVEN, SUM)).verdict is Verdict.AC


BYTES_OF_INPUT = 100_000_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "code",
    [
        "import sys\nprint(sum(map(len, sys.stdin.buffer)))",
        "import sys\nn = 0\nwhile b := sys.stdin.buffer.read(1 << 20): n += len(b)\nprint(n)",
        "import os\nprint(len(os.read(0, os.fstat(0).st_size)))",
        "print(len(open(0).read()))",
    ],
)
def test_a_hundred_megabytes_of_input_are_read(judge: Judge, code: str) -> None:
    line = "1234567 " * 124 + "1234567\n"
    text = line * (BYTES_OF_INPUT // len(line))
    roomy = judge.with_changes(limits=Limits(time_s=20, memory_mb=1024))
    judgement = roomy.judge({"code": code}, [{"input": text, "output": str(len(text))}])
    assert judgement.verdict is Verdict.AC, judgement.tests


@pytest.mark.parametrize("encoding", ["undefined", "idna", "punycode", "latin-1"])
def test_no_encoding_that_a_program_names_fails_the_judge(pool: Judge, encoding: str) -> None:
    code = f"# coding: {encoding}\nprint({'1' * 99})"
    ascii_text, other_text = (
        pool.judge({"code": text}, [{"input": "", "output": "1" * 99}])
        for text in (code, f"#!é\n{code}")
    )
    assert ascii_text.verdict in (Verdict.AC, Verdict.CE)  # as Python reads such a file
    assert other_text.verdict is Verdict.AC


@pytest.mark.parametrize(
    ("code", "given", "expected"),
    [
        ("print(len(input()))", b"\xff\xfe\xe9\n", b"3"),
        ("import sys\nsys.stdout.write(sys.stdin.read())", b"a\xffb", b"a\xffb"),
        ("import sys\nprint(len(sys.stdin.buffer.read()))", bytes(range(256)), b"256\n"),
        ("print(input().upper())", "é…\n".encode(), "É…\n".encode()),
        ("print(repr(input()))", b"a\r\n", b"'a\\r'\n"),
        ("import sys\nprint(len(sys.stdin.read()))", b"a\x00b\x1a", b"4\n"),
        ("import sys\nprint(sys.stdin.encoding, sys.stdout.encoding)", b"", b"utf-8 utf-8\n"),
    ],
)
def test_input_that_is_not_utf8_arrives_and_leaves_as_it_is(
    pool: Judge, code: str, given: bytes, expected: bytes
) -> None:
    outcome = pool.run(code, given)
    assert outcome.exit == 0, outcome.stderr
    assert outcome.stdout.rstrip(b"\n") == expected.rstrip(b"\n")
