"""What reads a candidate's text takes time linear in it, and memory that does not depend on it."""

from __future__ import annotations

import json
import re
import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import product

import pytest

from microcoder_eval import extract, java_names, syntax
from microcoder_eval.compare import COMPARERS, make_comparer
from microcoder_eval.html import markup
from microcoder_eval.integrations import openrlhf
from microcoder_eval.languages import LANGUAGES, TEST_LANGUAGES
from microcoder_eval.missing_packages import find_missing_name
from microcoder_eval.plain import gate
from microcoder_eval.records import Judgement, Kind, Problem, Solution, Status, Verdict
from microcoder_eval.report import rerun as sides
from microcoder_eval.results.hints import Hints
from microcoder_eval.serve.body import count_values
from microcoder_eval.worker.drivers.call_target import CallTarget
from microcoder_eval.worker.drivers.tests import DatasetTests, make_test_program
from microcoder_eval.worker.error_lines import find_error_line, find_failed_assertion
from microcoder_eval.worker.expectations import expect_result
from microcoder_eval.worker.judge_programs.programs import CheckerFailedError
from microcoder_eval.worker.judge_programs.scores import read_program_result
from microcoder_eval.worker.kinds import compiled_call
from microcoder_eval.worker.program_files import gather_files, includes_testlib
from microcoder_eval.worker.text_programs import encode_python
from microcoder_sandbox.host import programs
from microcoder_sandbox.host.outcome import Outcome, Phase
from microcoder_sandbox.toolchains.compiler_messages import find_reason

SMALL, TIMES = 1_250, 8
# CPU time: quadratic is 64 times as much; linear 8, and more where others use the caches.
MOST_GROWTH = 3 * TIMES
NEGLIGIBLE_SECONDS = 0.003  # of the larger text: below, the clock says little
PIECES = [
    "a", "1", " ", "\n", "\t", '"', "'", "\\", "/* ", "/*", "//", '"""', "{", "}", "[", "]", "(",
    ")", ",", ":", "-", "<", "\r\n", " \n", "1.", "a.", "a/", "/a/", "~", "1_", "- ", "'a", "\\u",
    "1,", "()", "{a: b}: ", "a: ", "[] ", "é", "\0", '"\\', '\\"', "\\`", "\t\n", "# include ",
    "[ ", "'\"", "\r", "\v", "\u2028", "\ufeff", ".", ". ", "1e9", "1e9999 ", "*  ", " *\n", "nan ",
    "yes ", "｜",
]  # fmt: skip
# Words of programs, messages and answers. To a comparer of outputs they are all "a " or "a\n".
WORDS = [
    "</s>", "</s> ", "<|a|>", "<|", "public ", "public final ", "class ", "static ", "package ",
    "package a.", "```", "```python\n", "<think>", "</think>", "import ", "from a ", '\n"""\n```\n',
    "import(\n", "import\n", 'import "a"\n', "package a\n", "add", "add ", "add(", "add<", "add.",
    "func add(", "func add ", "fn add<", "fn ", "class Solution ", "impl ", "struct ", "@param {",
    "@returns {", "use rand", "use rand\n", "rand ", "static void ", "A: ", "error: ", "ErrorA",
    "exit code 1", "Traceback \n a\n", " ^\n", "aError\n  at ", "thread ':\n",
    "Assertion failed\n", ": Assertion `", "AssertionError", "--- FAIL\n  at",
    'Exception in thread "',
]  # fmt: skip
# What precedes and follows a row of pieces.
FRAMES = (("", "\n"), ("[", "x"), ('"', "\\"))
DECLARATIONS = (("add", "x"), ("func add(", "\n"), ("import (", ")"))
# Test code in the language of each way to build it, by the start of that way's name.
TEST_CODE = {
    "cpp": "int main() {}", "java": "class Main {}", "javascript": "", "rust": "fn main() {}",
    "go": "func TestAdd(t *testing.T) {}",
}  # fmt: skip
OUTPUT = "an output by"
LATER = ("a call of Solution.", "tests in ")  # which share most of their code with the others
UNCOMPILED = Judgement(
    "", "", Verdict.CE, False, 0.0, Status.INCORRECT, (), None, (), 0, "", "", "", "", "", ""
)
READERS: dict[str, Callable[[str], object]] = {
    "the program in an answer": extract.extract,
    "the syntax of a text": syntax.compiles,
    "the class of a Java program": java_names.derive_names,
    "the end of a decoded answer": lambda text: openrlhf.extract_answer(text, ""),
    "a compiler's messages": find_reason,
    "imports": lambda text: programs.find_imports(text.encode()),
    "why an answer holds no program": extract.explain_no_program,
    "what a checker says": lambda text: _read_checker(text),
    "what a compiler misses": find_missing_name,
    "what a failed program says": lambda text: find_error_line(text.encode()),
    "what a failed assertion says": lambda text: find_failed_assertion(
        text.encode(), text.encode()
    ),
    "a difference in a report": lambda text: sides.diff_values(text, text[:-1]),
    "text in a report": markup.escape_html,
    "why programs do not compile": lambda text: Hints().add(
        UNCOMPILED, Solution("", "", text), Problem("", Kind.STDIN)
    ),
    "a header of testlib": lambda text: includes_testlib([text]),
    "a request's body": lambda text: count_values(text.encode()),
    "a program that names its encoding": lambda text: _encode_program(text),
    "whether a program is plain": lambda text: gate.is_plain(text.encode(), call=True),
}
COMPARERS = (
    *sorted(COMPARERS),
    "floats:abs=null,rel=1e-9",
    "kattis:case_sensitive",
    "kattis:space_change_sensitive",
    "kattis:float_tolerance=1e-6",
    "tokens:case_sensitive=false",
)
for name in COMPARERS:
    READERS[f"{OUTPUT} {name}"] = lambda text, name=name: _compare(name, text)
# Every language that takes a program: one that is added is tried, too.
for language in LANGUAGES:
    READERS[f"files of a program in {language.name}"] = lambda text, language=language: (
        gather_files(language, text, files={f"other{(*language.unit_suffixes, '')[0]}": text})
    )
for name, make_program in compiled_call._MAKERS.items():
    for entry in ("add", "Solution.add"):
        target = CallTarget(entry, starter="", argument_count=2)
        READERS[f"a call of {entry} in {name}"] = partial(make_program, target=target)
for name in TEST_LANGUAGES:
    test_code = next(
        code for word, code in TEST_CODE.items() if re.match(rf"{word}(?![a-z])", name)
    )
    READERS[f"tests in {name}"] = partial(
        make_test_program, name, tests=DatasetTests(test_code, False, "")
    )


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.long if name.startswith(LATER) else pytest.mark.slow)
        for name in READERS
    ],
)
def test_time_grows_with_the_text_and_no_faster(name: str) -> None:
    slow = {}
    words, declarations = ([], ()) if name.startswith(OUTPUT) else (WORDS, DECLARATIONS)
    for piece, (head, tail) in product([*PIECES, *words], (*FRAMES, *declarations)):
        small, large = (
            head + piece * (size // len(piece)) + tail for size in (SMALL, SMALL * TIMES)
        )
        seconds = _seconds(READERS[name], large, 1)
        if seconds < NEGLIGIBLE_SECONDS:
            continue
        growth = seconds / _seconds(READERS[name], small, 2)
        if growth > MOST_GROWTH:  # or so it seems: measured with more care
            seconds = min(seconds, _seconds(READERS[name], large, 4))
            growth = seconds / _seconds(READERS[name], small, 8)
        if growth > MOST_GROWTH:
            slow[head, piece, tail] = round(growth)
    assert slow == {}


def _seconds(read: Callable[[str], object], text: str, runs: int) -> float:
    durations = []
    for _ in range(runs):
        start = time.process_time()
        read(text)
        durations.append(time.process_time() - start)
    return min(durations)


@pytest.mark.parametrize("piece", ["[]", "{}", '{"$set":[]}', '{"a":1}', "[[[]]]", "1"])
def test_a_result_that_unfolds_is_not_decoded(piece: str) -> None:
    body = b"V[" + ",".join([piece] * (4_000_000 // len(piece))).encode() + b"]"
    expectation = expect_result(make_comparer("calibrated"), [1, 2])
    tracemalloc.start()
    comparison = expectation.compare(_make_outcome(body))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert comparison.verdict is Verdict.WA
    assert comparison.detail == "the result has far more elements than expected"
    assert peak < 3 * len(body)


@pytest.mark.slow
def test_a_result_as_large_as_the_expected_one_is_compared() -> None:
    expected = [[n, n + 1] for n in range(200_000)]
    expectation = expect_result(make_comparer("calibrated"), expected)
    assert (
        expectation.compare(_make_outcome(b"V" + json.dumps(expected).encode())).verdict
        is Verdict.AC
    )


@pytest.mark.parametrize("lead", [b"X", b"V"])
@pytest.mark.parametrize(
    "body", [b"[" * 100_000, b"[" * 400 + b"]" * 400, b"1" * 5000, b'{"a":' * 2000, b'"\\ud800"']
)
def test_a_forged_result_is_the_candidates_failure(lead: bytes, body: bytes) -> None:
    expectation = expect_result(make_comparer("calibrated"), 1)
    assert expectation.compare(_make_outcome(lead + body)).verdict in (Verdict.RE, Verdict.WA)


def _compare(name: str, text: str) -> None:
    output = text.encode().replace("é".encode(), b"\xff")
    for expected in (b"[]\n[ ]\n", output + b"1"):
        match = make_comparer(name).compare_text(output, expected)
        assert (match.method is None) == (match.detail is not None)


def _encode_program(text: str) -> bytes:
    letters = "".join(map(chr, range(0x4E00, 0x4E00 + len(text) // 20)))
    return encode_python(f"# coding: punycode\n{text}{letters}")


def _read_checker(stderr: str) -> None:
    outcome = Outcome(7 << 8, None, Phase.FINISHED, 0.0, 0.0, 0, b"", stderr.encode(), b"")
    with suppress(CheckerFailedError):  # it gave no points
        read_program_result("testlib", True, outcome)


def _make_outcome(result: bytes) -> Outcome:
    return Outcome(0, None, Phase.FINISHED, 0.0, 0.0, 0, b"", b"", result)
