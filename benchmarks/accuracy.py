"""Wrong answers accepted and right answers refused, on labelled data, by us and by other judges.

    python benchmarks/accuracy.py [--corpus [--every K] [--prime]] [--out NAME]

cases    88 pairs (output, expected) with the right answer (../shared/data/compare_cases.jsonl):
         our comparers by their functions; LiveCodeBench and verl's prime_code by judging a
         program that prints or returns the output
corpus   programs that an official judge accepted or refused (../shared/data/corpus), judged
         by us, by LiveCodeBench's evaluator and, with --prime, by prime_code

Writes a JSON file and a table (Markdown) to results/.
"""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from corpus import DATA, make_job, read_labelled_programs
from evaluators import LIVECODEBENCH, PRIME_CODE, drive
from measurement import adopt_orphans
from publication import format_table, make_parser, publish_table

from microcoder_eval import Judge, Limits, __version__
from microcoder_eval.compare import make_comparer

OURS = ("calibrated", "paper", "lcb")
PEERS = {peer.title: peer for peer in (LIVECODEBENCH, PRIME_CODE)}
RUN_SECONDS = 3000
EVIL = "".join(
    f"class {name}({base}):\n    def __eq__(self, other): return True\n    __hash__ = None\n"
    for name, base in (("Evil", "int"), ("EvilList", "list"))
)


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of right answers accepted and refused, and of wrong answers accepted and refused."""

    right_accepted: int
    right_refused: int
    wrong_accepted: int
    wrong_refused: int

    @classmethod
    def of(cls, pairs: list[tuple[bool, bool]]) -> Confusion:
        """Count pairs of (should be accepted, was accepted)."""
        kinds = ((True, True), (True, False), (False, True), (False, False))
        return cls(*(sum(pair == kind for pair in pairs) for kind in kinds))

    @property
    def false_accepts(self) -> str:
        """The share of wrong answers that were accepted."""
        return _share(self.wrong_accepted, self.wrong_accepted + self.wrong_refused)

    @property
    def false_rejects(self) -> str:
        """The share of right answers that were refused."""
        return _share(self.right_refused, self.right_accepted + self.right_refused)


def _share(part: int, total: int) -> str:
    return f"{part} of {total} ({100 * part / total:.2f} %)" if total else "-"


def read_cases() -> list[dict[str, Any]]:
    """Read the labelled pairs that are certain and name no checker."""
    rows = [json.loads(line) for line in (DATA / "compare_cases.jsonl").read_text().splitlines()]
    return [row for row in rows if row["certain"] and "checker" not in row]


def judge_cases(rows: list[dict[str, Any]]) -> dict[str, Confusion]:
    """Compare the pairs with our comparers and with other judges."""
    confusions = {}
    for name in OURS:
        comparer = make_comparer(name)
        decisions = [_accepts(comparer, row) for row in rows]
        confusions[f"ours: {name}"] = _count_confusion(rows, decisions)
    for name in PEERS:
        confusions[name] = _count_confusion(rows, peer(name, list(map(_make_job, rows))))
    return confusions


def _count_confusion(rows: list[dict[str, Any]], decisions: list[bool]) -> Confusion:
    return Confusion.of([(row["accept"], was) for row, was in zip(rows, decisions, strict=True)])


def _accepts(comparer: Any, row: dict[str, Any]) -> bool:
    if row["kind"] == "stdin":
        output, expected = (_get_text(row, key) for key in ("output", "expected"))
        return comparer.compare_text(output.encode(), expected.encode()).method is not None
    output_text = row["output"]
    if "Evil" in output_text:
        return False  # such an object cannot be sent out of the program's process
    if output_text.startswith("np."):
        output_text = output_text[output_text.index("(") + 1 : -1]
    value = eval(output_text, {"__builtins__": {}, "nan": float("nan")})
    return comparer.compare_value(value, json.loads(row["expected"])).method is not None


def _get_text(row: dict[str, Any], key: str) -> str:
    if "5001-digit" not in row["why"]:
        return str(row[key])
    return "1" * 5000 + ("2" if key == "output" and "wrong" in row["why"] else "1")


def _make_job(row: dict[str, Any]) -> dict[str, Any]:
    """Make a program that gives the output, and its test."""
    if row["kind"] == "stdin":
        code = f"print({_get_text(row, 'output')!r}, end='')"
        tests: list[dict[str, Any]] = [{"input": "1\n", "output": _get_text(row, "expected")}]
        return {"kind": "stdin", "codes": [code], "tests": tests}
    lines = ["nan = float('nan')", EVIL, "def f(x):", f"    return {row['output']}"]
    if "np." in row["output"]:
        lines.insert(0, "import numpy as np")
    tests = [{"input": [1], "output": json.loads(row["expected"])}]
    return {"kind": "call", "codes": ["\n".join(lines)], "entry_point": "f", "tests": tests}


def peer(name: str, jobs: list[dict[str, Any]]) -> list[bool]:
    """Ask another judge's package about each job."""
    with tempfile.TemporaryDirectory() as place:
        job_file = {"jobs": jobs, "workers": 2}
        _usage, answer = drive(PEERS[name], job_file, Path(place), RUN_SECONDS)
        return list(answer["passed"])


def judge_corpus(every: int, prime: bool) -> dict[str, Confusion]:
    """Judge programs of the corpus."""
    selection = list(read_labelled_programs(every))
    should = [accept for _problem, _solution, accept in selection]
    with Judge(limits=Limits()) as judge:
        pairs = ((solution, problem) for problem, solution, _accept in selection)
        passes = [judgement.passed for judgement in judge.map(pairs)]
    confusions = {"ours: calibrated": Confusion.of(list(zip(should, passes, strict=True)))}
    jobs = [make_job(problem, [solution["code"]]) for problem, solution, _accept in selection]
    for name in ("LiveCodeBench", *(("prime_code",) if prime else ())):
        confusions[name] = Confusion.of(list(zip(should, peer(name, jobs), strict=True)))
    return confusions


def format_confusions(title: str, confusions: dict[str, Confusion]) -> str:
    """Format one table, with false accepts and false rejects in separate columns."""
    rows = [[name, c.false_accepts, c.false_rejects] for name, c in confusions.items()]
    return format_table([title, "wrong ones accepted", "right ones refused"], rows)


def main() -> int:
    """Run, print and save."""
    parser = make_parser(__doc__)
    parser.add_argument("--corpus", action="store_true", help="whole programs too: ten minutes")
    parser.add_argument("--prime", action="store_true", help="prime_code on the corpus: an hour")
    parser.add_argument(
        "--every", type=int, default=1, metavar="K", help="only every Kth program of the corpus"
    )
    options = parser.parse_args()
    if not DATA.exists():
        print(f"no labelled data at {DATA}: nothing to measure", file=sys.stderr)
        return 2
    adopt_orphans()
    parts = {"compare cases": judge_cases(read_cases())}
    if options.corpus:
        parts["corpus"] = judge_corpus(options.every, options.prime)
    text = "\n\n".join(format_confusions(title, counts) for title, counts in parts.items())
    print(text)
    record = {
        "microcoder": __version__,
        "peers": {name: peer.versions() for name, peer in PEERS.items()},
        **{
            title: {k: asdict(c) for k, c in confusions.items()}
            for title, confusions in parts.items()
        },
    }
    publish_table("accuracy", options.out, record, "Accuracy", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
