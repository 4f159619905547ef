"""How long do the comparers take for large outputs, and in how much memory?

    python benchmarks/compare.py [--mb N] [--only COMPARER ...] [--shape SHAPE ...] [--out NAME]

Every comparer meets outputs of 10 MB of each shape, in each relation to what is expected:

spaced    the same words, a blank more at the end: no comparer may stop at "equal to the byte"
end       the last word differs
all       every word differs
order     the same lines in the opposite order

Each pair is compared once, in a process forked for it: CPU seconds, and what the resident memory
grew by at its highest, as a multiple of the output's size. The table shows the worst pair of each
comparer. Writes compare.json and compare.md to results/ (--out: other names).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from common import REPOSITORY, RESULTS, BenchmarkError, describe_machine

sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "sandbox")]

from microcoder_eval import __version__  # noqa: E402
from microcoder_eval.compare import Comparer, list_comparers, make_comparer  # noqa: E402

VARIANTS = (
    "floats:abs=null,rel=1e-9",
    "kattis:case_sensitive",
    "kattis:space_change_sensitive",
    "kattis:float_tolerance=1e-6",
    "kattis:float_absolute_tolerance=1e-9,case_sensitive,space_change_sensitive",
    "tokens:case_sensitive=false",
)
RELATIONS = ("spaced", "end", "all", "order")
Word = Callable[[random.Random], str]


def integer(rng: random.Random) -> str:
    """Make a number of up to seven digits."""
    return str(rng.randrange(-(10**6), 10**7))


def real(rng: random.Random) -> str:
    """Make a number with six decimals."""
    return f"{rng.random() * 1000:.6f}"


def scientific(rng: random.Random) -> str:
    """Make a number with an exponent."""
    return f"{rng.random():.9e}"


def word(rng: random.Random) -> str:
    """Make a word of some letters."""
    return f"{rng.getrandbits(40):x}".translate(_LETTERS)


def accented(rng: random.Random) -> str:
    """Make a word of letters outside ASCII."""
    return "".join(chr(rng.randrange(0xC0, 0x180)) for _ in range(6))


def verdict(rng: random.Random) -> str:
    """Return yes or no."""
    return rng.choice(("YES", "NO"))


def digit(rng: random.Random) -> str:
    """Make a word of one digit."""
    return str(rng.randrange(10))


def pair(rng: random.Random) -> str:
    """Make a list of two numbers."""
    return f"[{rng.randrange(1000)}, {rng.randrange(1000)}]"


def quoted(rng: random.Random) -> str:
    """Make a list of strings."""
    return f"['{word(rng)}', '{digit(rng)}']"


_LETTERS = str.maketrans("0123456789", "ghijklmnop")
# name: what makes a word, what stands between words, and around them all
SHAPES: dict[str, tuple[Word, str, str]] = {
    "integers, one a line": (integer, "\n", "{}"),
    "integers, one line": (integer, " ", "{}"),
    "reals, one a line": (real, "\n", "{}"),
    "reals, one line": (real, " ", "{}"),
    "with exponents": (scientific, "\n", "{}"),
    "words, one a line": (word, "\n", "{}"),
    "words, one line": (word, " ", "{}"),
    "words beyond ASCII": (accented, "\n", "{}"),
    "YES and NO": (verdict, "\n", "{}"),
    "digits, one a line": (digit, "\n", "{}"),
    "blank lines between": (integer, "\n\n\n", "{}"),
    "lists, one a line": (pair, "\n", "{}"),
    "lists of texts": (quoted, "\n", "{}"),
    "one list": (integer, ", ", "[{}]"),
    "one word": (word, "", "{}"),
    "one number": (digit, "", "7{}"),
    "one real": (digit, "", "0.7{}"),
}


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU seconds and growth of resident memory, as a multiple of the output's size."""

    seconds: float
    memory: float


def outputs(shape: str, size: int) -> dict[str, tuple[bytes, bytes]]:
    """Make (output, expected) by relation, of about ``size`` bytes each."""
    make, gap, around = SHAPES[shape]
    rng = random.Random(shape)
    some = [make(rng) for _ in range(10_000)]
    count = size // max(1, len(gap.join(some).encode()) // len(some))
    # Words must be distinct, which costs most memory, so the ten thousand are not just repeated.
    texts = [*some, *(make(rng) for _ in range(count - len(some)))]
    spoilt = [_spoilt(text) for text in texts]
    expected = around.format(gap.join(texts)).encode()
    return {
        "spaced": (expected + b" \n", expected),
        "end": (around.format(gap.join([*texts[:-1], spoilt[-1]])).encode(), expected),
        "all": (around.format(gap.join(spoilt)).encode(), expected),
        "order": (around.format(gap.join(reversed(texts))).encode(), expected),
    }


def _spoilt(text: str) -> str:
    """Change the first character that may change, so that the word stays of its kind."""
    if text in ("YES", "NO"):
        return "NO" if text == "YES" else "YES"
    at = next(index for index, character in enumerate(text) if character.isalnum())
    return text[:at] + ("8" if text[at].isdigit() and text[at] != "8" else "3") + text[at + 1 :]


def cost(compare: Comparer, actual: bytes, expected: bytes) -> Cost:
    """Compare once in a process of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            Path("/proc/self/clear_refs").write_text("5")  # resets the peak
            before, start = _memory("VmRSS"), time.process_time()
            compare.compare_text(actual, expected)
            measured = time.process_time() - start, (_memory("VmHWM") - before) / len(expected)
            os.write(writer, json.dumps(measured).encode())
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    with open(reader, "rb") as pipe:
        answer = pipe.read()
    if os.waitpid(child, 0)[1] != 0:
        raise BenchmarkError(f"{compare.name} did not end well")
    return Cost(*(round(value, 3) for value in json.loads(answer)))


def _memory(key: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(key):
            return int(line.split()[1]) << 10
    raise BenchmarkError(f"no {key} in /proc/self/status")


def measured(
    specs: list[str], shapes: list[str], size: int
) -> Iterator[tuple[str, str, dict[str, Cost]]]:
    """Yield (shape, comparer, cost by relation) of each shape."""
    for shape in shapes:
        pairs = outputs(shape, size)
        for spec in specs:
            compare = make_comparer(spec)
            yield shape, spec, {name: cost(compare, *pairs[name]) for name in RELATIONS}


def markdown(results: dict[str, dict[str, dict[str, Cost]]]) -> str:
    """Format for each comparer the median, the slowest pair and the one with most memory."""
    lines = [["comparer", "median", "slowest", "of", "memory", "of"], ["---"] * 6]
    for spec, by_shape in results.items():
        costs = {f"{shape}: {name}": c for shape, by in by_shape.items() for name, c in by.items()}
        slow = max(costs, key=lambda pair: costs[pair].seconds)
        large = max(costs, key=lambda pair: costs[pair].memory)
        median = statistics.median(c.seconds for c in costs.values())
        times = f"{median:.2f} s", f"{costs[slow].seconds:.2f} s"
        lines.append([spec, *times, slow, f"{costs[large].memory:.1f}x", large])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def main() -> int:
    """Measure, print and save."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mb", type=float, default=10, help="size of each output")
    parser.add_argument("--only", nargs="+", default=[*(n[0] for n in list_comparers()), *VARIANTS])
    parser.add_argument("--shape", nargs="+", default=list(SHAPES), choices=SHAPES)
    parser.add_argument("--out", default="compare", help="of the result files, without ending")
    options = parser.parse_args()
    import numpy  # imported here, since a process pays for it once and not for each comparison

    facts = describe_machine()
    results: dict[str, dict[str, dict[str, Cost]]] = {}
    for shape, spec, costs in measured(options.only, options.shape, int(options.mb * 10**6)):
        results.setdefault(spec, {})[shape] = costs
        if any(c.seconds > 1 or c.memory > 10 for c in costs.values()):
            print(f"over the line: {shape}, {spec}: {costs}", flush=True)
    text = markdown(results)
    print(text)
    record = {
        "machine": facts,
        "microcoder": __version__,
        "numpy": numpy.__version__,
        "mb": options.mb,
        "costs": {
            spec: {
                shape: {name: asdict(c) for name, c in costs.items()} for shape, costs in by.items()
            }
            for spec, by in results.items()
        },
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{options.out}.json").write_text(json.dumps(record, indent=1) + "\n")
    (RESULTS / f"{options.out}.md").write_text(
        f"# Comparing outputs of {options.mb:g} MB\n\nCPU seconds; growth of memory as a multiple "
        f"of the output's size. {facts['cpu']}, {facts['cores']} cores, Python {facts['python']}, "
        f"numpy {numpy.__version__}.\n\n{text}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
