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

from common import REPOSITORY, RESULTS, BenchmarkError, machine

sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "sandbox")]

from microcoder_eval import __version__  # noqa: E402
from microcoder_eval.compare import Comparer, comparer, names  # noqa: E402

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
    """A number of up to seven digits."""
    return str(rng.randrange(-(10**6), 10**7))


def real(rng: random.Random) -> str:
    """A number with six places."""
    return f"{rng.random() * 1000:.6f}"


def scientific(rng: random.Random) -> str:
    """A number with an exponent."""
    return f"{rng.random():.9e}"


def word(rng: random.Random) -> str:
    """Some letters."""
    return f"{rng.getrandbits(40):x}".translate(_LETTERS)


def accented(rng: random.Random) -> str:
    """Letters beyond ASCII."""
    return "".join(chr(rng.randrange(0xC0, 0x180)) for _ in range(6))


def verdict(rng: random.Random) -> str:
    """Yes or no."""
    return rng.choice(("YES", "NO"))


def digit(rng: random.Random) -> str:
    """The shortest of words."""
    return str(rng.randrange(10))


def pair(rng: random.Random) -> str:
    """A list of two."""
    return f"[{rng.randrange(1000)}, {rng.randrange(1000)}]"


def quoted(rng: random.Random) -> str:
    """A list of texts."""
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
    """CPU seconds and the growth of the resident memory, as a multiple of the output's size."""

    seconds: float
    memory: float


def outputs(shape: str, size: int) -> dict[str, tuple[bytes, bytes]]:
    """(output, expected) by relation, of about ``size`` bytes each."""
    make, gap, around = SHAPES[shape]
    rng = random.Random(shape)
    some = [make(rng) for _ in range(10_000)]
    count = size // max(1, len(gap.join(some).encode()) // len(some))
    # Distinct words cost the most memory: the ten thousand are not just repeated.
    found = [*some, *(make(rng) for _ in range(count - len(some)))]
    spoilt = [_spoilt(text) for text in found]
    expected = around.format(gap.join(found)).encode()
    return {
        "spaced": (expected + b" \n", expected),
        "end": (around.format(gap.join([*found[:-1], spoilt[-1]])).encode(), expected),
        "all": (around.format(gap.join(spoilt)).encode(), expected),
        "order": (around.format(gap.join(reversed(found))).encode(), expected),
    }


def _spoilt(text: str) -> str:
    """Another of the same kind: the first character that may change is another."""
    if text in ("YES", "NO"):
        return "NO" if text == "YES" else "YES"
    at = next(index for index, character in enumerate(text) if character.isalnum())
    return text[:at] + ("8" if text[at].isdigit() and text[at] != "8" else "3") + text[at + 1 :]


def cost(compare: Comparer, actual: bytes, expected: bytes) -> Cost:
    """Compare once, in a process of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
            before, started = _memory("VmRSS"), time.process_time()
            compare.text(actual, expected)
            found = time.process_time() - started, (_memory("VmHWM") - before) / len(expected)
            os.write(writer, json.dumps(found).encode())
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
    """(shape, comparer, cost by relation), a shape at a time."""
    for shape in shapes:
        pairs = outputs(shape, size)
        for spec in specs:
            compare = comparer(spec)
            yield shape, spec, {name: cost(compare, *pairs[name]) for name in RELATIONS}


def markdown(found: dict[str, dict[str, dict[str, Cost]]]) -> str:
    """For each comparer the median of all pairs, the slowest and the one that took most memory."""
    lines = [["comparer", "median", "slowest", "of", "memory", "of"], ["---"] * 6]
    for spec, by_shape in found.items():
        costs = {f"{shape}: {name}": c for shape, by in by_shape.items() for name, c in by.items()}
        slow = max(costs, key=lambda pair: costs[pair].seconds)
        large = max(costs, key=lambda pair: costs[pair].memory)
        median = statistics.median(c.seconds for c in costs.values())
        times = f"{median:.2f} s", f"{costs[slow].seconds:.2f} s"
        lines.append([spec, *times, slow, f"{costs[large].memory:.1f}x", large])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def main() -> int:
    """Measure, print, save."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mb", type=float, default=10, help="size of each output")
    parser.add_argument("--only", nargs="+", default=[*(n[0] for n in names()), *VARIANTS])
    parser.add_argument("--shape", nargs="+", default=list(SHAPES), choices=SHAPES)
    parser.add_argument("--out", default="compare", help="of the result files, without ending")
    asked = parser.parse_args()
    import numpy  # here: paid once by a process, not by each comparison

    facts = machine()
    found: dict[str, dict[str, dict[str, Cost]]] = {}
    for shape, spec, costs in measured(asked.only, asked.shape, int(asked.mb * 10**6)):
        found.setdefault(spec, {})[shape] = costs
        if any(c.seconds > 1 or c.memory > 10 for c in costs.values()):
            print(f"over the line: {shape}, {spec}: {costs}", flush=True)
    text = markdown(found)
    print(text)
    record = {
        "machine": facts,
        "microcoder": __version__,
        "numpy": numpy.__version__,
        "mb": asked.mb,
        "costs": {
            spec: {
                shape: {name: asdict(c) for name, c in costs.items()} for shape, costs in by.items()
            }
            for spec, by in found.items()
        },
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{asked.out}.json").write_text(json.dumps(record, indent=1) + "\n")
    (RESULTS / f"{asked.out}.md").write_text(
        f"# Comparing outputs of {asked.mb:g} MB\n\nCPU seconds; growth of memory as a multiple of "
        f"the output's size. {facts['cpu']}, {facts['cores']} cores, Python {facts['python']}, "
        f"numpy {numpy.__version__}.\n\n{text}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
