"""Linked lists and binary trees of call problems: from their list form and back.

Which arguments are nodes is said by annotations, of the program or of the starter code, read as
text: "Optional[ListNode]", "List[Optional[TreeNode]]", "'ListNode'".
The list form of a tree is by level, null for a missing child, trailing nulls left out.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_NODES = 5_000_000
_KINDS = ("ListNode", "TreeNode")


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


_OWN = {"ListNode": ListNode, "TreeNode": TreeNode}


class Hints:
    """What annotations say: a text per positional parameter, and one for the result."""

    __slots__ = ("parameters", "result")

    def __init__(self, parameters: list[str], result: str) -> None:
        self.parameters = parameters
        self.result = result


def hints_of(function: Any, starter: list[Any] | None, wanted: bool) -> Hints | None:
    """The hints that hold for a function, or None when no node type is named anywhere.

    starter: [texts of the parameters, text of the result] from the starter code, or None.
    """
    if not wanted:
        return None
    plain = getattr(function, "__func__", function)
    annotations = getattr(plain, "__annotations__", {})
    code = getattr(plain, "__code__", None)
    names = list(code.co_varnames[: code.co_argcount]) if code is not None else []
    if plain is not function:
        names = names[1:]
    own = Hints([_text(annotations.get(n)) for n in names], _text(annotations.get("return")))
    if starter is None:
        return own
    parameters, result = starter
    merged = [
        p if _kind(p) else (own.parameters[i] if i < len(own.parameters) else "")
        for i, p in enumerate(parameters)
    ]
    return Hints(merged or own.parameters, result if _kind(result) else own.result)


def _text(annotation: Any) -> str:
    if annotation is None:
        return ""
    if isinstance(annotation, str):
        return annotation
    return annotation.__name__ if isinstance(annotation, type) else repr(annotation)


def _kind(text: str) -> str | None:
    for kind in _KINDS:
        if kind in text:
            return kind
    return None


def _is_list_of(text: str, kind: str) -> bool:
    return "ist[" in text.split(kind)[0]  # List[, list[


def build(arguments: list[Any], hints: Hints | None, namespace: dict[str, Any]) -> list[Any]:
    """The arguments, list forms turned into nodes where the hints say so."""
    if hints is None:
        return arguments
    built = list(arguments)
    for index, text in enumerate(hints.parameters[: len(built)]):
        kind = _kind(text)
        if kind is None:
            continue
        make = _make_list if kind == "ListNode" else _make_tree
        cls = namespace.get(kind) or _OWN[kind]
        if _is_list_of(text, kind) and isinstance(built[index], list):
            built[index] = [make(cls, item) for item in built[index]]
        else:
            built[index] = make(cls, built[index])
    return built


def _make_list(cls: Any, values: Any) -> Any:
    if not isinstance(values, list):
        return values
    head = None
    for value in reversed(values):
        node = cls(value)
        node.next = head
        head = node
    return head


def _make_tree(cls: Any, values: Any) -> Any:
    if not isinstance(values, list):
        return values
    if not values or values[0] is None:
        return None
    root = cls(values[0])
    level, index = [root], 1
    while level and index < len(values):
        following = []
        for node in level:
            for side in ("left", "right"):
                if index < len(values):
                    value = values[index]
                    index += 1
                    if value is not None:
                        setattr(node, side, cls(value))
                        following.append(getattr(node, side))
        level = following
    return root


def unbuild(result: Any, hints: Hints | None) -> Any:
    """The result in list form: nodes by their structure, None as [] where a node is promised."""
    name = type(result).__name__
    if name == "ListNode":
        return _list_form(result)
    if name == "TreeNode":
        return _tree_form(result)
    promised = _kind(hints.result) if hints is not None else None
    if promised is None:
        return result
    if result is None:
        return []
    several = hints is not None and _is_list_of(hints.result, promised)
    if several and isinstance(result, (list, tuple)):
        return [unbuild(item, Hints([], promised)) for item in result]
    return result


def _list_form(node: Any) -> list[Any]:
    values: list[Any] = []
    seen: set[int] = set()
    while node is not None:
        if id(node) in seen or len(values) > MAX_NODES:
            raise ValueError("the returned linked list has a cycle")
        seen.add(id(node))
        values.append(node.val)
        node = node.next
    return values


def _tree_form(root: Any) -> list[Any]:
    values: list[Any] = []
    seen: set[int] = set()
    level = [root]
    while level:
        following = []
        for node in level:
            if node is None:
                values.append(None)
                continue
            if id(node) in seen or len(values) > MAX_NODES:
                raise ValueError("the returned tree has a cycle")
            seen.add(id(node))
            values.append(node.val)
            following += [node.left, node.right]
        level = following
    while values and values[-1] is None:
        values.pop()
    return values
