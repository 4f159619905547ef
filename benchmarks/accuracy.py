"""Who accepts wrong answers, and who refuses right ones? On labelled data, beside the peers.

    python benchmarks/accuracy.py [--corpus [--every K] [--prime]] [--out NAME]

cases    88 pairs (output, expected) with the right answer (../shared/data/compare_cases.jsonl):
         our comparers by their own functions; LiveCodeBench and verl's prime_code by judging a
         program that prints, or returns, the output
corpus   programs that an official judge accepted or refused (../shared/data/corpus), judged
         whole by us, by LiveCodeBench's evaluator and, with --prime, by prime_code

Writes a JSON file, a table (Markdown) and a plot (SVG) to results/.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from common import REPOSITORY, adopt_orphans, machine, publish, stamped
from corpus import DATA, as_job, programs
from evaluators import LIVECODEBENCH, PRIME_CODE, drive
from plot import bars

sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "sandbox")]

from microcoder_eval import Judge, Limits, __version__  # noqa: E402
from microcoder_eval.compare import comparer  # noqa: E402

OURS = ("calibrated", "paper", "lcb")
PEERS = {peer.title: peer for peer in (LIVECODEBENCH, PRIME_CODE)}
RUN_SECONDS = 3000
EVIL = "".join(
    f"class {name}({base}):\n    def __eq__(self, other): return True\n    __hash__ = None\n"
    for name, base in (("Evil", "int"), ("EvilList", "list"))
)


@dataclass(frozen=True, slots=True)
class Confusion:
    """Of the right ones: accepted and refused; of the wrong ones: accepted and refused."""

    right_accepted: int
    right_refused: int
    wrong_accepted: int
    wrong_refused: int

    @classmethod
    def of(cls, pairs: list[tuple[bool, bool]]) -> Confusion:
        """pairs: (should be accepted, was accepted)."""
        kinds = ((True, True), (True, False), (False, True), (False, False))
        return cls(*(sum(pair == kind for pair in pairs) for kind in kinds))

    @property
    def false_accepts(self) -> str:
        """Share of the wrong ones that were accepted."""
        return _share(self.wrong_accepted, self.wrong_accepted + self.wrong_refused)

    @property
    def false_rejects(self) -> str:
        """Share of the right ones that were refused."""
        return _share(self.right_refused, self.right_accepted + self.right_refused)


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / whole:.2f} %)" if whole else "-"


def cases() -> list[dict[str, Any]]:
    """The labelled pairs that are certain, and that name no checker of their own."""
    rows = [json.loads(line) for line in (DATA / "compare_cases.jsonl").read_text().splitlines()]
    return [row for row in rows if row["certain"] and "checker" not in row]


def on_cases(rows: list[dict[str, Any]]) -> dict[str, Confusion]:
    """Ours by their functions, the peers by programs."""
    found = {}
    for name in OURS:
        ours = comparer(name)
        accepted = [_accepts(ours, row) for row in rows]
        found[f"ours: {name}"] = _confusion(rows, accepted)
    for name in PEERS:
        found[name] = _confusion(rows, peer(name, list(map(_as_job, rows))))
    return found


def _confusion(rows: list[dict[str, Any]], accepted: list[bool]) -> Confusion:
    return Confusion.of([(row["accept"], was) for row, was in zip(rows, accepted, strict=True)])


def _accepts(ours: Any, row: dict[str, Any]) -> bool:
    if row["kind"] == "stdin":
        output, expected = (_text(row, key) for key in ("output", "expected"))
        return ours.text(output.encode(), expected.encode()).method is not None
    written = row["output"]
    if "Evil" in written:
        return False  # such an object never leaves the program's process
    if written.startswith("np."):
        written = written[written.index("(") + 1 : -1]
    value = eval(written, {"__builtins__": {}, "nan": float("nan")})
    return ours.value(value, json.loads(row["expected"])).method is not None


def _text(row: dict[str, Any], key: str) -> str:
    if "5001-digit" not in row["why"]:
        return str(row[key])
    return "1" * 5000 + ("2" if key == "output" and "wrong" in row["why"] else "1")


def _as_job(row: dict[str, Any]) -> dict[str, Any]:
    """A program that gives the output, and the test it is for."""
    if row["kind"] == "stdin":
        code = f"print({_text(row, 'output')!r}, end='')"
        tests: list[dict[str, Any]] = [{"input": "1\n", "output": _text(row, "expected")}]
        return {"kind": "stdin", "codes": [code], "tests": tests}
    lines = ["nan = float('nan')", EVIL, "def f(x):", f"    return {row['output']}"]
    if "np." in row["output"]:
        lines.insert(0, "import numpy as np")
    tests = [{"input": [1], "output": json.loads(row["expected"])}]
    return {"kind": "call", "codes": ["\n".join(lines)], "entry_point": "f", "tests": tests}


def peer(name: str, jobs: list[dict[str, Any]]) -> list[bool]:
    """What a peer's own package says of each job."""
    with tempfile.TemporaryDirectory() as place:
        order = {"jobs": jobs, "workers": 2}
        _usage, answer = drive(PEERS[name], order, Path(place), RUN_SECONDS)
        return list(answer["passed"])


def on_corpus(every: int, prime: bool) -> dict[str, Confusion]:
    """Whole programs, judged whole."""
    chosen = list(programs(every))
    should = [accept for _problem, _solution, accept in chosen]
    with Judge(limits=Limits()) as judge:
        pairs = ((solution, problem) for problem, solution, _accept in chosen)
        ours = [judgement.passed for judgement in judge.map(pairs)]
    found = {"ours: calibrated": Confusion.of(list(zip(should, ours, strict=True)))}
    jobs = [as_job(problem, [solution["code"]]) for problem, solution, _accept in chosen]
    for name in ("LiveCodeBench", *(("prime_code",) if prime else ())):
        found[name] = Confusion.of(list(zip(should, peer(name, jobs), strict=True)))
    return found


def markdown(title: str, found: dict[str, Confusion]) -> str:
    """One table: false accepts and false rejects apart."""
    lines = [
        f"## {title}",
        "",
        "| judge | wrong ones accepted | right ones refused |",
        "|---|---|---|",
    ]
    lines += [f"| {name} | {c.false_accepts} | {c.false_rejects} |" for name, c in found.items()]
    return "\n".join(lines) + "\n"


def plot(found: dict[str, Confusion]) -> str:
    """Bars: wrong ones accepted, right ones refused."""
    groups = {
        name: {
            "wrong ones accepted": float(c.wrong_accepted),
            "right ones refused": float(c.right_refused),
        }
        for name, c in found.items()
    }
    return bars("Mistakes on labelled pairs", groups)


def main() -> int:
    """Run, print, save."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", action="store_true", help="whole programs too: ten minutes")
    parser.add_argument("--prime", action="store_true", help="prime_code on the corpus: an hour")
    parser.add_argument(
        "--every", type=int, default=1, metavar="K", help="only every Kth program of the corpus"
    )
    parser.add_argument("--out", metavar="NAME", help="of the result files, without ending")
    asked = parser.parse_args()
    if not DATA.exists():
        print(f"no labelled data at {DATA}: nothing to measure", file=sys.stderr)
        return 2
    adopt_orphans()
    facts = machine()
    parts = {"compare cases": on_cases(cases())}
    if asked.corpus:
        parts["corpus"] = on_corpus(asked.every, asked.prime)
    text = "\n".join(markdown(title, found) for title, found in parts.items())
    print(text)
    record = {
        "machine": facts,
        "microcoder": __version__,
        "peers": {name: peer.versions() for name, peer in PEERS.items()},
        **{title: {k: asdict(c) for k, c in found.items()} for title, found in parts.items()},
    }
    name = asked.out or stamped("accuracy")
    publish(name, record, f"# Accuracy\n\n{text}", plot(parts["compare cases"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
