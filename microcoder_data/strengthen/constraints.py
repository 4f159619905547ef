"""Widens a model's domains by the constraints that a statement gives.

Only where it is certain which values a constraint bounds: the arguments of a call by the names of
starter code, and the numbers of the first line of a text, or of each test case (process/bounds.py).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import replace

from microcoder_data.process.bounds import Bounds, find_first_line_bounds, make_plain, parse_value
from microcoder_data.rows import Row, get_text
from microcoder_eval.syntax import parse_starter_code

from .layout import Layout, PartKind
from .model import Model
from .properties import ListLength, WordLengths
from .relations import Bounded
from .views import Domain, Form, LeafKind, View

MAX_LENGTH = 60  # items of a list, however long the statement lets it be: tests stay readable
_NUMBER = r"-?\d[\d,]*(?:(?: ?[*·×] ?\d+)?\^\{?\d+\}?)?"
_SIGN = r"\s*(?:≤|<=)\s*"
# "1 <= nums.length <= 10^5", "-10^9 <= nums[i] <= 10^9", "1 <= k <= 100"
_CONSTRAINT = re.compile(
    rf"(?P<low>{_NUMBER}){_SIGN}(?P<names>[A-Za-z_][\w.\[\], ]*?){_SIGN}(?P<high>{_NUMBER})"
)


# "n == nums1.length == nums2.length"
_EQUATION = re.compile(r"\b(?P<name>[A-Za-z]\w*)(?P<terms>(?:\s*==?\s*[A-Za-z]\w*\.length)+)")
# A bound of several sizes together, such as "the sum of all lengths is at most 10^5".
_JOINT_BOUND = re.compile(
    r"(?:\b(?:sum|total|product|[HhNn][WwMm])\b|\w\s*[*×·]\s*[A-Za-z])"
    r"(?:[^.\n;]|\.(?=\w)){0,80}?"
    r"(?:≤|<=|exceed|at most|no more than|not greater than)\s*"
    r"(?:\d{3,}|\d[\d,]*\s*(?:[*×·]\s*10)?\s*\^)",
    re.IGNORECASE,
)
_OVER_ALL_CASES = re.compile(r"(?:[^.\n;]|\.(?=\w))*\bover all\b(?:[^.\n;]|\.(?=\w))*")


def widen_model(
    model: Model, row: Row, layout: Layout | None, max_length: int = MAX_LENGTH
) -> Model:
    """Return the model with the ranges that the statement allows, where they contain those
    observed. max_length: of what is listed, unless a longer list was observed."""
    statement = get_text(row, "statement")
    if not statement:
        return model
    if layout is None:
        return _widen(model, _find_argument_bounds(statement, row), max_length)
    model = _widen(model, _find_line_bounds(statement, layout), max_length)
    groups = [part for part in layout.parts if part.kind is PartKind.GROUPS]
    submodels = {
        field: _widen(
            submodel, _find_line_bounds(statement, Layout(part.body), of_case=True), max_length
        )
        for (field, submodel), part in zip(model.submodels.items(), groups, strict=True)
    }
    return replace(model, submodels=submodels)


def bounds_sizes_together(row: Row) -> bool:
    """Whether a statement bounds a sum or a product, so that not all sizes may be largest at
    once. Sums over all test cases do not count."""
    statement = make_plain(get_text(row, "statement"))
    return bool(_JOINT_BOUND.search(_OVER_ALL_CASES.sub(" ", statement)))


def _find_line_bounds(
    statement: str, layout: Layout, *, of_case: bool = False
) -> dict[tuple[int, str], Bounds]:
    """Bounds of the numbers of the first line, of the whole text or of each test case."""
    bounds, first = find_first_line_bounds(statement, of_case=of_case), layout.parts[0]
    if first.kind is not PartKind.SCALARS or len(bounds) != first.width:
        return {}
    return {(index, ""): pair for index, pair in enumerate(bounds)}


def _find_argument_bounds(statement: str, row: Row) -> dict[tuple[int, str], Bounds]:
    """Bounds by the position of the argument and what of it: "", ".length" or "[i]"."""
    parameters = _list_parameters(get_text(row, "starter_code"))
    bounds: dict[tuple[int, str], Bounds] = {}
    text = make_plain(statement)
    equal_terms = {
        match["name"]: re.findall(r"[A-Za-z]\w*\.length", match["terms"])
        for match in _EQUATION.finditer(text)
    }
    for match in _CONSTRAINT.finditer(text):
        low, high = parse_value(match["low"]), parse_value(match["high"])
        if low is None or high is None or low > high:
            continue
        names = [re.sub(r"\s", "", name) for name in match["names"].split(",")]
        for term in (term for name in names for term in (name, *equal_terms.get(name, ()))):
            name, _, rest = term.partition(".")
            name, bracket, _ = name.partition("[")
            if name in parameters:
                aspect = ".length" if rest.startswith("length") and not bracket else ""
                aspect = "[i]" if bracket and not rest else aspect
                bounds[parameters.index(name), aspect] = (low, high)
    return bounds


def _list_parameters(starter_code: str) -> list[str]:
    """Return the parameters of the only function of starter code, without self."""
    tree = parse_starter_code(starter_code)
    functions = [
        node for node in ast.walk(tree or ast.Module([], [])) if isinstance(node, ast.FunctionDef)
    ]
    if len(functions) != 1:
        return []
    return [argument.arg for argument in functions[0].args.args if argument.arg != "self"]


def _widen(model: Model, bounds: Mapping[tuple[int, str], Bounds], max_length: int) -> Model:
    domains, lengths = dict(model.domains), dict(model.lengths)
    sizes = model.list_size_fields()
    for view in model.views:
        if (pair := bounds.get((view.field, _name_aspect(view)))) is not None:
            is_size = view.field in sizes or view.kind is LeafKind.WORD
            domains[view] = _widen_domain(domains[view], pair, max_length if is_size else None)
    for field, (low, high) in lengths.items():
        pair = bounds.get((field, ".length"))
        if pair is not None and pair[0] <= low and high <= pair[1]:
            lengths[field] = (pair[0], min(pair[1], max(high, max_length)))
    scalars = {view.field: view for view in model.views if view.form is Form.SCALAR}
    for each in model.properties:
        if isinstance(each, ListLength) and each.field in lengths:
            domain = domains[scalars[each.scalar]]
            lengths[each.field] = (each.find_length(domain.low), each.find_length(domain.high))
        elif isinstance(each, WordLengths) and each.scalar >= 0:
            _extend(domains, each.view, domains[scalars[each.scalar]].high)
        elif isinstance(each, Bounded) and each.is_reached:
            _extend(domains, each.view, domains[each.scalar].high + each.offset)
    return replace(model, domains=domains, lengths=lengths)


def _extend(domains: dict[View, Domain], view: View, high: int) -> None:
    domains[view] = replace(domains[view], high=max(domains[view].high, high))


def _name_aspect(view: View) -> str:
    if view.form == "scalar":
        return ".length" if view.kind is LeafKind.WORD else ""
    return "[i]"


def _widen_domain(domain: Domain, bounds: Bounds, max_length: int | None) -> Domain:
    """Return the domain with the bounds of a statement; unchanged where values contradict them.

    max_length: of lengths; None: these are other values.
    """
    low, high = bounds
    if domain.pool or low > domain.low or high < domain.high:
        return domain
    if max_length is not None:
        high = min(high, max(domain.high, max_length))
    return replace(domain, low=low, high=high)
