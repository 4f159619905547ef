"""What a call problem costs in other languages: beside the same program that reads and prints text.

    python benchmarks/compiled_calls.py [--rounds N]

cold    seconds until the first verdict of a program that nobody has compiled yet (both kinds)
call    milliseconds a test of a compiled program whose function is called, 10 tests a solution
stdin   milliseconds a test of a program in the same language that reads and prints the same

One worker; the least and the median of the rounds. The difference of call and stdin is the driver.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from typing import Any

from common import HERE, describe_machine, make_stamped_name, read_commit, save

from microcoder_eval import Judge
from microcoder_eval.languages import find_language
from microcoder_sandbox.toolchains.toolchain import find_toolchain

TEST_COUNT = 10
CALLS = {
    "python": "def add(a, b):\n    return sum(a) + b\n",
    "cpp": "int add(vector<int>& a, int b) { for (int x : a) b += x; return b; }\n",
    "java": "class Solution { int add(int[] a, int b) { for (int x : a) b += x; return b; } }\n",
    "javascript": "const add = (a, b) => a.reduce((s, x) => s + x, b);\n",
    "rust": "fn add(a: Vec<i32>, b: i32) -> i32 { a.iter().sum::<i32>() + b }\n",
    "go": "func add(a []int, b int) int { for _, x := range a { b += x }; return b }\n",
}
TEXTS = {
    "python": "*a, b = map(int, input().split())\nprint(sum(a) + b)\n",
    "cpp": "#include <iostream>\nint main() { int x, s = 0; while (std::cin >> x) s += x; "
    'std::cout << s << "\\n"; }\n',
    "java": "import java.util.*; public class Main { public static void main(String[] a) { "
    "Scanner in = new Scanner(System.in); int s = 0; while (in.hasNextInt()) s += in.nextInt(); "
    "System.out.println(s); } }\n",
    "javascript": "console.log(require('fs').readFileSync(0, 'utf8').trim().split(' ')"
    ".reduce((s, x) => s + Number(x), 0));\n",
    "rust": "use std::io::*; fn main() { let mut t = String::new(); "
    "stdin().read_to_string(&mut t).unwrap(); "
    'println!("{}", t.split_whitespace().map(|x| x.parse::<i32>().unwrap()).sum::<i32>()); }\n',
    "go": 'package main\nimport "fmt"\nfunc main() { var x, s int; '
    "for { if _, e := fmt.Scan(&x); e != nil { break }; s += x }; fmt.Println(s) }\n",
}


def make_problem(kind: str) -> dict[str, Any]:
    """The same tests as calls or as texts."""
    tests = []
    for number in range(TEST_COUNT):
        items = [number, 2 * number, 7]
        total = sum(items) + number
        if kind == "call":
            tests.append({"input": [items, number], "output": total})
        else:
            text = " ".join(map(str, [*items, number]))
            tests.append({"input": f"{text}\n", "output": f"{total}\n"})
    entry = {"entry_point": "add"} if kind == "call" else {}
    return {"problem_id": kind, "kind": kind, "tests": tests, **entry}


def measure_language(language: str, rounds: int, programs: Mapping[str, str]) -> dict[str, Any]:
    """Seconds of the first judgement, milliseconds a test of the later ones, by kind."""
    figures: dict[str, Any] = {}
    with Judge(workers=1, reuse=False, stop="never") as judge:
        judge.judge({"code": "print()"}, [{"input": "", "output": ""}])  # the worker is there
        for kind, code in programs.items():
            seconds = [time_once(judge, kind, code, language) for _ in range(rounds + 1)]
            per_test = [1000 * value / TEST_COUNT for value in seconds[1:]]
            figures[kind] = {
                "cold_s": round(seconds[0], 3),
                "test_ms": round(statistics.median(per_test), 3),
                "least_test_ms": round(min(per_test), 3),
            }
    return figures


def time_once(judge: Judge, kind: str, code: str, language: str) -> float:
    """Seconds until the verdict, which must be AC."""
    start = time.perf_counter()
    judgement = judge.judge({"code": code, "language": language}, make_problem(kind))
    if judgement.verdict != "AC":
        raise SystemExit(f"{language}, {kind}: {judgement.verdict} {judgement.error}")
    return time.perf_counter() - start


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every language that has a toolchain here."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(arguments)
    record: dict[str, Any] = {
        "machine": describe_machine(),
        "commit": read_commit(),
        "tests": TEST_COUNT,
    }
    record["rounds"], record["languages"] = options.rounds, {}
    for name, call in CALLS.items():
        language = find_language(name)
        if language is None or (language.compiled and not find_toolchain(language.toolchain)):
            continue
        programs = {"call": call, "stdin": TEXTS[name]}
        record["languages"][name] = measure_language(name, options.rounds, programs)
        print(name, record["languages"][name], flush=True)
    save(HERE / "results" / f"{make_stamped_name('compiled_calls')}.json", record)


if __name__ == "__main__":
    # What an earlier run has compiled would be taken from the user's cache folder.
    with tempfile.TemporaryDirectory() as cache:
        import os

        os.environ["XDG_CACHE_HOME"] = cache
        main()
