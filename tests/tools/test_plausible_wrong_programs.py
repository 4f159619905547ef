"""Wrong programs that somebody would write: some that an earlier set of tests accepted, and those
written from the statements of tiers B and C alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from microcoder_eval import Judge
from tests.tools.bundled import rows_of

WRITTEN_FROM_STATEMENTS = Path(__file__).with_name("plausible_wrong_programs.jsonl")

# By problem; written anew, not taken from the tables.
PROGRAMS = {
    "mini-b/longest_subsequence": """
def longest_subsequence(xs):
    taken = []
    for x in xs:
        if not taken or taken[-1] < x:
            taken += [x]
    return len(taken)
""",
    "mini-b/common_subsequence": """
def common_subsequence(a, b):
    rest, kept = iter(b), 0
    b = list(b)
    for letter in a:
        if letter in b:
            b = b[b.index(letter) + 1:]
            kept += 1
    return kept
""",
    "mini-b/can_split_evenly": """
def can_split_evenly(xs):
    gap = 0
    for x in sorted(xs)[::-1]:
        gap = abs(gap - x)
    return gap == 0
""",
    "mini-b/one_edit_apart": """
def one_edit_apart(a, b):
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    i = 0
    while i < min(len(a), len(b)) and a[i] == b[i]:
        i += 1
    return a[i + 1:] == b[i + 1:] or a[i:] == b[i + 1:] or a[i + 1:] == b[i:]
""",
    "mini-b/covered_length": """
def covered_length(pairs):
    return sum(b - a for a, b in pairs if b > a)
""",
    "mini-b/border_sum": """
def border_sum(grid):
    sides = sum(row[0] for row in grid[1:-1]) + sum(row[-1] for row in grid[1:-1])
    return sum(grid[0]) + sides + (sum(grid[-1]) if len(grid) > 1 else 0)
""",
    "mini-b/is_balanced": """
def is_balanced(bits):
    ones = bits.count("1")
    return 2 * ones == len(bits) and bits.startswith("1") and bits.endswith("0")
""",
    "mini-b/are_anagrams": """
def are_anagrams(a, b):
    return len(a) == len(b) and set(a) == set(b)
""",
    "mini-b/run_length_code": """
from itertools import groupby
def run_length_code(word):
    return "".join(c + str(len(list(run)))[0] for c, run in groupby(word))
""",
    "mini-a/has_key": """
def has_key(table, key):
    return bool(table.get(key))
""",
    "mini-c/count_islands": """
h, w = map(int, input().split())
rows = [list(input()) for _ in range(h)]
def visit(i, j):
    if 0 <= i < h and 0 <= j < w and rows[i][j] == "#":
        rows[i][j] = "."
        visit(i + 1, j)
        visit(i, j + 1)
        visit(i, j - 1)
count = 0
for i in range(h):
    for j in range(w):
        if rows[i][j] == "#":
            visit(i, j)
            count += 1
print(count)
""",
    "mini-c/divisor_gap": """
n = int(input())
d = 2
while n % d and d < n:
    d += 1
print(d - 1 if n > 1 else 0)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_found_out(pool: Judge, name: str) -> None:
    tier = name[len("mini-")]
    (row,) = [
        row for split in ("train", "heldout") for row in rows_of(tier, split)
        if row["problem_id"] == name
    ]  # fmt: skip
    judgement = pool.judge({"code": PROGRAMS[name]}, row)
    assert judgement.verdict == "WA", judgement.error


@pytest.mark.slow
def test_at_least_95_in_100_of_those_written_from_statements_are_found_out(pool: Judge) -> None:
    problems = {row["problem_id"]: row for tier in "bc" for split in ("train", "heldout")
                for row in rows_of(tier, split)}  # fmt: skip
    text = WRITTEN_FROM_STATEMENTS.read_text(encoding="utf-8")
    programs = [row for row in map(json.loads, text.splitlines()) if "right_after_all" not in row]
    assert len(programs) >= 150
    assert {row["problem_id"] for row in programs} == set(problems)
    pending = [pool.submit({"code": row["code"]}, problems[row["problem_id"]]) for row in programs]
    accepted = [
        row["solution_id"]
        for row, future in zip(programs, pending, strict=True)
        if future.result().passed
    ]
    assert len(accepted) <= 0.05 * len(programs), accepted
