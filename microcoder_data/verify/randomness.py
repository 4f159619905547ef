"""Finds programs that may give another answer in the next run: by random numbers or clocks."""

from __future__ import annotations

import ast
import random
import re
import time
from collections.abc import Iterable, Mapping

from microcoder_data.rows import list_nodes

# What may have another value in the next run, by its full name.
_RANDOM = re.compile(
    r"random\.(?!seed$|Random$)\w+|secrets\.\w+|uuid\.uuid[14]|os\.(?:getrandom|getpid)"
    r"|time\.(?:(?:time|perf_counter|process_time|monotonic)(?:_ns)?|ctime|localtime)"
    r"|.*\.(?:now|utcnow|today|urandom|default_rng|random\.\w+)"
)
_SEEDED = re.compile(r"random\.(?!SystemRandom)\w+")
_STARRED = {"random": random.__all__, "time": dir(time)}  # the names of "from random import *"
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def is_random(code: str) -> bool:
    """Whether a program uses random numbers or clocks, so that it may fail other tests next time.

    Only uses count, since many programs import more than they use; numbers of the module random
    do not count after a call of its ``seed`` with a value. False for a program that does not parse.
    """
    nodes = list_nodes(code)
    names = _list_imported(nodes)
    is_seeded = any(
        isinstance(node, ast.Call) and node.args and _spell(node.func, names) == "random.seed"
        for node in nodes
    )
    uses = (_spell(node, names) for node in nodes if isinstance(node, ast.Name | ast.Attribute))
    return any(
        _RANDOM.fullmatch(name) and not (is_seeded and _SEEDED.fullmatch(name)) for name in uses
    )


def _list_imported(nodes: Iterable[ast.AST]) -> dict[str, str]:
    """Return the full names of what a program imports, by its own names for them. A name that is
    imported from a module and bound again is the program's."""
    modules: dict[str, str] = {}
    names: dict[str, str] = {}
    own: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            modules |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                starred = _STARRED.get(node.module or "", ()) if alias.name == "*" else [alias.name]
                names |= {alias.asname or name: f"{node.module}.{name}" for name in starred}
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            own.add(node.id)
        elif isinstance(node, _DEFINITIONS):
            own.add(node.name)
        elif isinstance(node, ast.arg):
            own.add(node.arg)
    return {name: full for name, full in names.items() if name not in own} | modules


def _spell(node: ast.AST, names: Mapping[str, str]) -> str:
    """Return the full name of a value, such as random.choice; what is computed has no name."""
    if isinstance(node, ast.Attribute):
        return f"{_spell(node.value, names)}.{node.attr}"
    return names.get(node.id, "") if isinstance(node, ast.Name) else ""
