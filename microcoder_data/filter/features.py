"""What can be measured of a problem without solving it: statement, constraints, references."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Mapping

from microcoder_eval.data.rows import Row, kind_of, tests_of, text_of
from microcoder_eval.data.similarity import words_of
from microcoder_eval.data.syntax import parsed

_TOPICS = re.compile(
    r"\b(?:graph|tree|edge|vertex|vertices|node|path|shortest|cycle|connected|subsequence|"
    r"substring|"
    r"subarray|permutation|dynamic|optimal|minimum cost|maximum profit|interval|segment|queries|"
    r"query|"
    r"matrix|grid|palindrom\w+|partition|knapsack|greedy|heap|stack|queue|bipartite|flow|"
    r"probability|"
    r"expected|game|winner|optimally|lexicographically|binary search|sorted|longest|"
    r"combination)s?\b",
    re.IGNORECASE,
)
_MATHS = re.compile(
    r"\b(?:modulo|mod|prime|divisor|divisible|gcd|lcm|factorial|fibonacci|binomial|power|square|"
    r"cube|"
    r"triangle|circle|area|volume|angle|polygon|coordinates?|sum|product|digits?|binary|"
    r"hexadecimal|"
    r"xor|bitwise|roots?|equation|average|mean|median|probability|sequence|series|perfect|even|"
    r"odd)\b",
    re.IGNORECASE,
)
_EDGES = re.compile(
    r"\b(?:empty|negative|zero|impossible|otherwise|except|unless|at least|at most|exactly|no such|"
    r"not exist|cannot|ties?|duplicates?|invalid|distinct|none|ignore|case[- ](?:in)?sensitive|"
    r"rounded?|if there (?:is|are))\b|-1\b",
    re.IGNORECASE,
)
_POWER = re.compile(r"(\d+)\s*\^\s*\(?(\d+)")
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?![\w.]*\w)")
_VARIABLE = re.compile(r"(?<![\w'])[A-Za-z](?:_\w)?(?![\w'])")
_HARD_IMPORTS = frozenset({"heapq", "bisect", "itertools", "collections", "functools", "math"})
NAMES = (
    "words", "topics", "maths", "edges", "variables", "magnitude", "examples", "tests",
    "code_nodes", "code_depth", "code_branches", "code_functions", "code_imports", "has_code",
    "calls",
)  # fmt: skip


def features_of(row: Row, statement: str) -> dict[str, float]:
    """Numbers by name, logarithms of counts. statement: without our instruction."""
    words = words_of(statement)
    examples = row.get("examples")
    found = {
        "words": _log(len(words)),
        "topics": _log(_distinct(_TOPICS, statement)),
        "maths": _log(_distinct(_MATHS, statement)),
        "edges": _log(_distinct(_EDGES, statement)),
        "variables": _log(len(set(_VARIABLE.findall(statement)))),
        "magnitude": magnitude(statement),
        "examples": _log(len(examples) if isinstance(examples, list) else 0),
        "tests": _log(len(tests_of(row))),
        "calls": float(kind_of(row) != "stdin"),
    }
    return {**found, **_of_code(row)}


def _log(count: float) -> float:
    return round(math.log1p(count), 6)


def _distinct(pattern: re.Pattern[str], text: str) -> int:
    return len({found.lower() for found in pattern.findall(text)})


def magnitude(statement: str) -> float:
    """Decimal digits of the largest number the statement names."""
    most = 0.0
    for base, exponent in _POWER.findall(statement):
        if int(base) > 1 and len(exponent) <= 4:
            most = max(most, int(exponent[:4]) * math.log10(int(base[:15])))
    for number in _NUMBER.findall(statement):
        most = max(most, float(len(number.replace(",", "").lstrip("0")) or 0))
    return round(min(most, 40.0), 6)


def _of_code(row: Row) -> dict[str, float]:
    """Of the shortest reference: the easiest way known."""
    best: dict[str, float] | None = None
    for code in right_programs(row):
        measured = _measured(code)
        if measured and (best is None or measured["code_nodes"] < best["code_nodes"]):
            best = measured
    if best is None:
        return dict.fromkeys((name for name in NAMES if name.startswith("code_")), 0.0) | {
            "has_code": 0.0
        }
    return {**best, "has_code": 1.0}


def right_programs(row: Row) -> Iterator[str]:
    """The Python programs that the row itself knows to be right."""
    known = row.get("solutions")
    for one in known if isinstance(known, list) else []:
        if not isinstance(one, Mapping) or one.get("language") not in (None, "python"):
            continue
        if str(one.get("verdict", "AC")).upper() in ("AC", "ACCEPTED", "TRUE"):
            yield str(one.get("code", ""))
    if text_of(row, "completion"):
        yield text_of(row, "completion")


def _measured(code: str) -> dict[str, float] | None:
    tree = parsed(code)
    if tree is None:
        return None
    nodes = list(ast.walk(tree))
    branches = sum(isinstance(n, ast.If | ast.IfExp | ast.BoolOp | ast.Compare) for n in nodes)
    functions = sum(isinstance(node, ast.FunctionDef | ast.Lambda) for node in nodes)
    imported = {
        name.partition(".")[0]
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else
                     [alias.name for alias in node.names])
    }  # fmt: skip
    return {
        "code_nodes": _log(len(nodes)),
        "code_depth": float(_depth(tree)),
        "code_branches": _log(branches),
        "code_functions": _log(functions),
        "code_imports": _log(len(imported & _HARD_IMPORTS)),
    }


def _depth(node: ast.AST) -> int:
    """How deep loops and comprehensions stand in each other."""
    deeper = isinstance(node, ast.For | ast.While | ast.comprehension)
    return deeper + max((_depth(child) for child in ast.iter_child_nodes(node)), default=0)
