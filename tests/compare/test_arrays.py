"""Large outputs of numbers: by blocks with numpy the verdicts are those of word by word."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from microcoder_eval import judge
from microcoder_eval.compare import Comparer, arrays, calibrated, make_comparer

pytest.importorskip("numpy")

WORDS = (
    b"0", b"1", b"-1", b"0.0", b"-0.0", b"1.0", b"1.000001", b"1.0000011", b"0.999999", b"1.",
    b".5", b"+.5", b"1e-7", b"1E5", b"100000.0", b"1e-400", b"0.00000001", b"0.0000000100000001",
    b"2e-8",
    b"1e400", b"-1e400", b"1.7e308", b"-1.7e308", b"nan", b"inf", b"1.5.5",
    b"1.5-2", b"1.5+2.5", b"--1.5", b"1.5e",
    b"1e5.5",
    b".", b"-", b"1_0.5", b"0x1.8", b"1,5", b"\xff", b"1\x005", b"9" * 20 + b".5",
    b"1." + b"0" * 400,
    b"0." + b"0" * 330 + b"1", b"123456789.123456", b"123456789.123457", b"yes", b"YES", b"Case",
)  # fmt: skip
TINY = (b"0.00000001", b".01", b"0.00000000999999999", b"0.0000000100000001", b"0.00000002", b".0")
GAPS = (b" ", b"\n", b"  ", b"\r\n", b"\t", b"\x0b", b"\x0c", b" \n", b"\x1c")


def _verdict(methods: Comparer, actual: bytes, expected: bytes) -> tuple[str, str]:
    for method in methods.text_methods:
        if (refusal := method.find_refusal(actual, expected)) is None:
            return method.name, ""
        if method.name == methods.reporting_method:
            detail = repr(refusal())
    return "", detail


def _vary(rng: random.Random, word: bytes) -> bytes:
    """Return a word that is the same, close to, or other than the given one."""
    try:
        number = float(word)
    except ValueError:
        return rng.choice((word, word, rng.choice(WORDS)))
    scale = rng.choice((0, 0, 1e-9, 0.99e-6, 1e-6, 1.01e-6, 1e-3))
    close = number + scale * rng.choice((1, -1, number))
    return rng.choice((word, b"%.7f" % close, b"%.12g" % close, b"%r" % close))


def _make_reals(rng: random.Random) -> list[bytes]:
    places = rng.choice((1, 6, 16, 17, 18))
    return [b"%.*f" % (places, rng.uniform(-99, 99)) for _ in range(9)]


def _write(rng: random.Random, words: list[bytes]) -> bytes:
    gap = rng.choice((GAPS, GAPS[:2], GAPS[:1]))
    return b"".join([word + rng.choice(gap) for word in words])


@pytest.mark.sampled(4, "slow")
@pytest.mark.parametrize("name", ["calibrated", "floats"])
@pytest.mark.parametrize("seed", range(40))
def test_verdicts_are_the_same(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    methods = make_comparer({"name": name})
    monkeypatch.setattr(arrays, "_BLOCK_BYTES", rng.choice((1, 40, 1 << 18)))
    for _ in range(60):
        pool = rng.choice((WORDS, WORDS[3:10], TINY, _make_reals(rng)))
        words = [rng.choice(pool) for _ in range(rng.randrange(1, 200))]
        changes = rng.choice((0, 1, 5, len(words)))
        varied = list(words)
        for _ in range(changes):
            index = rng.randrange(len(words))
            varied[index] = _vary(rng, words[index])
        if rng.random() < 0.1:
            varied.pop()
        actual, expected = _write(rng, varied), _write(rng, words)
        verdicts = []
        for size in (0, 1 << 60):
            monkeypatch.setattr(arrays, "_MIN_BYTES_LOADED", size)
            verdicts.append(_verdict(methods, actual, expected))
        assert verdicts[0] == verdicts[1], (actual, expected)


def test_it_knows_of_reals_that_are_close(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "_MIN_BYTES_LOADED", 0)
    expected = b"\n".join(b"%d.%06d" % (n, n) for n in range(100_000))
    actual = expected.replace(b"5\n", b"51\n")
    find = calibrated.find_token_mismatch
    assert calibrated.words_are_close(actual, expected, 0, find)
    assert not calibrated.words_are_close(actual + b" 1.0", expected, 0, find)
    assert not calibrated.words_are_close(actual[:-7] + b"0.099999", expected, 0, find)
    assert not calibrated.words_are_close(
        actual.replace(b"5.0000051", b"5.0.0", 1), expected, 0, find
    )
    for words, values in (
        (b"5 .5.5", b"0.05 5.5"),  # a point a word, on average
        (b"1.5.5 5", b"0.155 0.005"),
        (b"5.5 -.", b"5.5 .0"),
        (b".", b".0"),
        (b"98.100000000000001421", b"99.099999999999994316"),  # more digits than 64 bits hold
    ):
        assert not calibrated.words_are_close(words, values, 0, find)
    monkeypatch.setattr(arrays, "_BLOCK_BYTES", 1)  # the last block holds no number
    assert calibrated.words_are_close(b"5.5\n \n", b"5.5\n", 0, find)
    assert not calibrated.words_are_close(b"5.5\n\x00", b"5.5\n", 0, find)


def test_a_process_without_numpy_on_its_path_gets_it_from_its_folder() -> None:
    import numpy

    code = (
        f"import sys; sys.path += {[str(Path(p)) for p in _source_roots()]!r}\n"
        "from microcoder_eval.compare import arrays\n"
        "import os, threading\n"
        "assert arrays._find_numpy(1 << 30) is None\n"
        f"arrays.provide_numpy({os.path.dirname(numpy.__file__)!r})\n"
        "assert arrays._find_numpy(1 << 16) is None\n"
        "assert arrays._find_numpy(1 << 30).__name__ == 'numpy'\n"
        "assert arrays._find_numpy(1 << 16).__name__ == 'numpy'\n"
        "assert len(os.listdir('/proc/self/task')) == 1\n"
    )
    subprocess.run([sys.executable, "-S", "-c", code], check=True, timeout=60)


def _source_roots() -> Iterator[str]:
    import microcoder_eval
    import microcoder_sandbox

    for package in (microcoder_eval, microcoder_sandbox):
        yield os.path.dirname(os.path.dirname(str(package.__file__)))


def test_large_outputs_are_compared_so_by_a_judge() -> None:
    expected = "\n".join(f"{n}.{n:06d}" for n in range(200_000))
    tests = [{"input": "200000", "output": expected}]
    program = 'print("\\n".join(f"{n}.{n:06d}1" for n in range(int(input()))))'
    (test,) = judge({"code": program}, tests).tests
    assert test.matched_by == "close_tokens"


def test_integers_do_not_load_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    monkeypatch.setattr(arrays, "_find_numpy", sizes.append)
    for expected in (b"7 " * (1 << 20), b" " * (2 << 20)):
        assert not calibrated.words_are_close(expected, expected, 0, calibrated.find_token_mismatch)
    assert sizes == []
    real = b"7.5 " * 9
    assert not calibrated.words_are_close(real, real, 0, calibrated.find_token_mismatch)
    assert len(sizes) == 1
