"""In judge, guest and test runner: linked lists and binary trees, from their list form and back.

Annotations of the program or of the starter code, read as text, say which arguments of a call are
nodes: "Optional[ListNode]", "List[Optional[TreeNode]]", "'ListNode'".
The list form of a tree is by level, null for a missing child, without trailing nulls.
"""

from __future__ import annotations

import operator

# As they are now, whatever a program assigns later.
from builtins import id, iter, len, reversed, set, setattr, type
from collections.abc import Callable, Iterable

from .light_record import Any, LightRecord

MAX_NODES = 5_000_000
_get_value = operator.attrgetter("val")


class ListNode:
    """One cell of a linked list."""

    def __init__(self, val: Any = 0, next: ListNode | None = None) -> None:
        self.val = val
        self.next = next

    def __repr__(self) -> str:
        return f"ListNode{{val: {self.val}, next: {self.next}}}"


class TreeNode:
    """One node of a binary tree."""

    def __init__(
        self, val: Any = 0, left: TreeNode | None = None, right: TreeNode | None = None
    ) -> None:
        self.val = val
        self.left = left
        self.right = right


NODE_CLASSES: dict[str, Any] = {"ListNode": ListNode, "TreeNode": TreeNode}
EMPTY_HINTS: list[Any] = [[], ""]  # those of a starter code that names no class of nodes


class Hints(LightRecord):
    """What annotations say: a text per positional parameter, and one for the result."""

    parameters: list[str]
    result: str


def find_hints(function: Any, starter: list[Any] | None) -> Hints | None:
    """Return the hints that hold for a function.

    starter: those of the starter code, [texts of the parameters, text of the result]; None, as what
    is returned, where neither it nor the program names a class of nodes.
    """
    if starter is None:
        return None
    bare_function = getattr(function, "__func__", function)
    annotations = getattr(bare_function, "__annotations__", {})
    code = getattr(bare_function, "__code__", None)
    names = list(code.co_varnames[: code.co_argcount]) if code is not None else []
    if bare_function is not function:
        names = names[1:]
    program_hints = Hints(
        [_annotation_to_text(annotations.get(n)) for n in names],
        _annotation_to_text(annotations.get("return")),
    )
    parameters, result = starter
    own_texts = program_hints.parameters + [""] * len(parameters)
    texts = [
        text if _find_node_class(text) else own_text
        for text, own_text in zip(parameters, own_texts, strict=False)
    ]
    return Hints(
        texts or program_hints.parameters,
        result if _find_node_class(result) else program_hints.result,
    )


def _annotation_to_text(annotation: Any) -> str:
    if annotation is None:
        return ""
    if isinstance(annotation, str):
        return annotation
    return annotation.__name__ if isinstance(annotation, type) else repr(annotation)


def _find_node_class(text: str) -> str | None:
    return next(
        (
            class_name
            for class_name in NODE_CLASSES
            # The first test is cheap, and fails for most texts.
            if class_name in text and f" {class_name} " in _separate_words(text)
        ),
        None,
    )


def _separate_words(text: str) -> str:
    """Return the identifiers of an annotation, each between blanks."""
    return f" {' '.join(''.join(c if c.isalnum() or c == '_' else ' ' for c in text).split())} "


def _read_type(text: str) -> tuple[str, list[str]]:
    """Return the name of the type in an annotation and the types in its brackets; a union has no
    name."""
    members = _split(text.strip(" \"'"), "|")
    if len(members) > 1:
        return "", members
    name, _, rest = members[0].partition("[")
    return name.rpartition(".")[2].strip(), _split(rest.removesuffix("]"), ",")


def _split(text: str, mark: str) -> list[str]:
    """Return the parts of a text between the marks that no bracket encloses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "[") - (character == "]")
        if character == mark and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _convert(value: Any, text: str, convert: Callable[[str, Any], Any]) -> Any:
    """Return a value with ``convert(class, part)`` in the place of each part that is a node by the
    annotation."""
    class_name = _find_node_class(text)
    if class_name is None:
        return value
    name, types = _read_type(text)
    if name in ("List", "list", "Tuple", "tuple") and isinstance(value, (list, tuple)):
        if name in ("List", "list") or "..." in text:
            types = types[:1] * len(value)
        types += [""] * (len(value) - len(types))
        return [_convert(item, type_, convert) for item, type_ in zip(value, types, strict=False)]
    inner = next((type_ for type_ in types if _find_node_class(type_)), None)
    return convert(class_name, value) if inner is None else _convert(value, inner, convert)


def build_nodes(arguments: list[Any], hints: Hints | None, namespace: dict[str, Any]) -> list[Any]:
    """Return the arguments; list forms become nodes where the hints name a node class."""
    if hints is None:
        return arguments

    def build(class_name: str, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        make = make_list if class_name == "ListNode" else make_tree_of_values
        return make(namespace.get(class_name) or NODE_CLASSES[class_name], value)

    texts = hints.parameters + [""] * len(arguments)
    return [_convert(value, text, build) for value, text in zip(arguments, texts, strict=False)]


def make_list(cls: Any, values: list[Any]) -> Any:
    """Build a linked list of the values; None if there are none."""
    head = None
    for value in reversed(values):
        node = cls(value)
        node.next = head
        head = node
    return head


def make_tree_of_values(cls: Any, values: list[Any]) -> Any:
    """Build a binary tree from its list form: a value for a node, None for a missing one."""
    return make_tree(cls, [None if value is None else (value,) for value in values])


def make_tree(cls: Any, entries: Iterable[Any]) -> Any:
    """Build a binary tree from its entries by level: a sequence of one value for a node, None for
    a missing one. Nodes after the last entry are missing."""
    remaining = iter(entries)
    first_entry = next(remaining, None)
    if first_entry is None:
        return None
    (value,) = first_entry
    parents = [cls(value)]
    for parent in parents:  # the list grows in the loop
        for side in ("left", "right"):
            entry = next(remaining, None)
            if entry is not None:
                (value,) = entry
                node = cls(value)
                setattr(parent, side, node)
                parents.append(node)
    return parents[0]


def flatten_nodes(result: Any, hints: Hints | None) -> Any:
    """Return the result in list form: nodes by their structure, None as [] where a node is
    promised."""
    if type(result).__name__ in NODE_CLASSES:
        return _flatten("", result)
    return _convert(result, hints.result if hints is not None else "", _flatten)


def _flatten(_class_name: str, value: Any) -> Any:
    name = type(value).__name__
    if name == "ListNode":
        return flatten_list(value, _get_value, ValueError("the returned linked list has a cycle"))
    if name == "TreeNode":
        error = ValueError("the returned tree has a cycle, or too many nodes")
        return flatten_tree(value, _get_value, error)
    return [] if value is None else value


def flatten_list(head: Any, encode: Callable[[Any], Any], error: Exception) -> list[Any]:
    """Return what ``encode`` makes of each node of a linked list. Raises ``error`` for a cycle."""
    entries: list[Any] = []
    visited_ids: set[int] = set()
    node = head
    while node is not None:
        if id(node) in visited_ids or len(entries) > MAX_NODES:
            raise error
        visited_ids.add(id(node))
        entries.append(encode(node))
        node = node.next
    return entries


def flatten_tree(root: Any, encode: Callable[[Any], Any], error: Exception) -> list[Any]:
    """Return what ``encode`` makes of each node of a binary tree, by level, None for a missing one;
    trailing Nones are left out. A shared child is written out for each parent. Raises ``error`` for
    a cycle, and for more than MAX_NODES nodes."""
    entries: list[Any] = []
    visited_ids: set[int] = set()
    level, depth = [root], 0
    while level:
        next_level = []
        for node in level:
            if node is None:
                entries.append(None)
                continue
            if len(entries) > MAX_NODES:
                raise error
            visited_ids.add(id(node))
            entries.append(encode(node))
            next_level += [node.left, node.right]
        level, depth = next_level, depth + 1
        # A path that is longer than there are nodes meets one of them twice.
        if depth > len(visited_ids) + 1:
            raise error
    while entries and entries[-1] is None:
        entries.pop()
    return entries
