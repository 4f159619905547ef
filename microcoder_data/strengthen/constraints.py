"""Widens a model's domains by the constraints that a statement gives.

Only where it is certain which values a constraint bounds: the arguments of a call by the names of
starter code, and the numbers of a text's first line (process/bounds.py).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import replace

from microcoder_data.process.bounds import Bounds, find_first_line_bounds, parse_value
from microcoder_data.rows import Row, get_text
from microcoder_data.syntax import parse_python

from .layout import Layout, PartKind
from .model import Model
from .properties import ListLength
from .views import Domain, LeafKind, View

_MAX_LENGTH = 60  # items of a list, however long the statement lets it be: tests stay readable
_NUMBER = r"-?\d[\d,]*(?:(?: ?[*·×] ?\d+)?\^\{?\d+\}?)?"
_SIGN = r"\s*(?:≤|<=|\\le(?:q)?)\s*"
# "1 <= nums.length <= 10^5", "-10^9 <= nums[i] <= 10^9", "1 <= k <= 100"
_CONSTRAINT = re.compile(
    rf"(?P<low>{_NUMBER}){_SIGN}(?P<names>[A-Za-z_][\w.\[\], ]*?){_SIGN}(?P<high>{_NUMBER})"
)


def widen_model(model: Model, row: Row, layout: Layout | None) -> Model:
    """Return the model with the ranges that the statement allows, where they contain those
    observed."""
    statement = get_text(row, "statement")
    if not statement:
        return model
    if layout is not None:
        names = find_first_line_bounds(statement)
        first = layout.parts[0]
        if first.kind is not PartKind.SCALARS or len(names) != first.width:
            return model
        return _widen(model, {(index, ""): bounds for index, bounds in enumerate(names)})
    bounds = _find_argument_bounds(statement, row)
    return _widen(model, bounds)


def _find_argument_bounds(statement: str, row: Row) -> dict[tuple[int, str], Bounds]:
    """Bounds by the position of the argument and what of it: "", ".length" or "[i]"."""
    parameters = _list_parameters(get_text(row, "starter_code"))
    bounds: dict[tuple[int, str], Bounds] = {}
    for match in _CONSTRAINT.finditer(statement.replace("`", "").replace("$", "")):
        low, high = parse_value(match["low"]), parse_value(match["high"])
        if low is None or high is None or low > high:
            continue
        for term in match["names"].split(","):
            name, _, rest = re.sub(r"\s", "", term).partition(".")
            name, bracket, _ = name.partition("[")
            if name in parameters:
                aspect = ".length" if rest.startswith("length") and not bracket else ""
                aspect = "[i]" if bracket and not rest else aspect
                bounds[parameters.index(name), aspect] = (low, high)
    return bounds


def _list_parameters(starter_code: str) -> list[str]:
    """Return the parameters of the only function of starter code, without self."""
    tree = parse_python(starter_code) or parse_python(starter_code.rstrip() + "\n        pass")
    functions = [
        node for node in ast.walk(tree or ast.Module([], [])) if isinstance(node, ast.FunctionDef)
    ]
    if len(functions) != 1:
        return []
    return [argument.arg for argument in functions[0].args.args if argument.arg != "self"]


def _widen(model: Model, bounds: Mapping[tuple[int, str], Bounds]) -> Model:
    domains, lengths = dict(model.domains), dict(model.lengths)
    counts = {each.scalar for each in model.properties if isinstance(each, ListLength)}
    for view in model.views:
        if (pair := bounds.get((view.field, _name_aspect(view)))) is not None:
            is_count = view.field in counts
            domains[view] = _widen_domain(domains[view], pair, view, is_count=is_count)
    for field, (low, high) in lengths.items():
        pair = bounds.get((field, ".length"))
        if pair is not None and pair[0] <= low and high <= pair[1]:
            lengths[field] = (pair[0], min(pair[1], max(high, _MAX_LENGTH)))
    for each in model.properties:
        if isinstance(each, ListLength) and each.field in lengths:
            view = next(view for view in model.views if view.field == each.scalar)
            domain = domains[view]
            lengths[each.field] = (domain.low + each.offset, domain.high + each.offset)
    return replace(model, domains=domains, lengths=lengths)


def _name_aspect(view: View) -> str:
    if view.form == "scalar":
        return ".length" if view.kind is LeafKind.WORD else ""
    return "[i]"


def _widen_domain(domain: Domain, bounds: Bounds, view: View, *, is_count: bool) -> Domain:
    """Return the domain with the bounds of a statement; unchanged where values contradict them."""
    low, high = bounds
    if domain.pool or low > domain.low or high < domain.high:
        return domain
    if is_count or view.kind is LeafKind.WORD:
        high = min(high, max(domain.high, _MAX_LENGTH))
    return replace(domain, low=low, high=high)
