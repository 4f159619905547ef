"""Which programs are plain: those that can carry nothing from one test to the next.

A program is plain if every value that it can hold is its own and made anew for each test, or
immutable. Three rules make that so; all are decided on its syntax tree, in the driver:

1. It uses only names that catalogue.py lists, whatever it imports. Objects that all tests share
   and that can be changed (modules; functions and classes written in Python) stand only where
   they cannot be stored, passed on or written to: ``module.name``, as callee, as decorator, in an
   annotation.
2. It reads only those attributes of standard objects that plain data has. So it comes from no
   value to a frame, a class, a module or a function's globals. Nothing makes names out of text,
   and nothing compares by identity but with None and its like.
3. None of its code runs outside of a test: no ``__del__``, no ``finally`` that a collection
   would run, no method in the place of a stream's, no thread, no handler.

What is not understood here is not plain. Memory (its addresses, how much of it can still be had),
the depth at which recursion ends and timing are not covered, and promised to nobody.
"""

from __future__ import annotations

import _ast
import _string  # type: ignore[import-not-found]
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from .bindings import Bindings, NotPlain, is_literal, is_mangled, is_special
from .catalogue import (
    ANY,
    CALLED_DECORATOR,
    DECORATOR,
    LITERALS,
    NEVER,
    ONE,
    Catalogue,
    load_call_catalogue,
    load_catalogue,
    split_words,
)
from .scopes import list_nodes, list_nodes_outside_functions

MAX_SOURCE = 1 << 16  # bytes; the tree of a text is some hundred times as large
_FORMAT_DEPTH = 3  # of texts in replacement fields; str.format goes no deeper
_ONLY_AST = 0x400  # PyCF_ONLY_AST
_NODES = split_words(
    "Module FunctionDef ClassDef Return Delete Assign AugAssign AnnAssign For While If With Raise "
    "Try Assert Import ImportFrom Global Nonlocal Expr Pass Break Continue Match BoolOp "
    "NamedExpr BinOp UnaryOp Lambda IfExp Dict Set ListComp SetComp DictComp GeneratorExp Yield "
    "YieldFrom Compare Call FormattedValue JoinedStr Constant Attribute Subscript Starred Name "
    "List Tuple Slice comprehension ExceptHandler arguments arg keyword alias withitem match_case "
    "MatchValue MatchSingleton MatchSequence MatchMapping MatchStar MatchAs MatchOr "
    "And Or Add Sub Mult MatMult Div Mod Pow LShift RShift BitOr BitXor BitAnd "
    "FloorDiv Invert Not UAdd USub Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn"
)
_IN_ANNOTATIONS = split_words("Name Attribute Constant Subscript Tuple List BinOp BitOr")
# MemoryError, and what catches it: the interpreter has one that it uses again (CPython 3.12).
_CATCH_THE_INTERPRETERS = split_words("MemoryError Exception BaseException")

# Where an expression stands, as far as it matters.
(
    _CALLED, _CALLED_WITH_ONE, _CALLED_WITH_LITERALS, _DECORATES, _DECORATES_A_CLASS,
    _CALLED_TO_DECORATE, _ANNOTATES, _MODULE,
) = range(8)  # fmt: skip
_ALLOWED_CONTEXTS = {
    ANY: (
        _CALLED, _CALLED_WITH_ONE, _CALLED_WITH_LITERALS, _DECORATES, _CALLED_TO_DECORATE,
        _ANNOTATES,
    ),
    ONE: (_CALLED_WITH_ONE, _ANNOTATES),
    LITERALS: (_CALLED_WITH_LITERALS, _ANNOTATES),
    DECORATOR: (_DECORATES_A_CLASS, _ANNOTATES),
    CALLED_DECORATOR: (_CALLED_TO_DECORATE, _ANNOTATES),
    NEVER: (_ANNOTATES,),
}  # fmt: skip


def is_plain(source: bytes, *, call: bool) -> bool:
    """Whether tests of a program may share a child. call: one that is called, not run as a
    script."""
    return reason_not_to_batch(source, load_call_catalogue() if call else load_catalogue()) is None


def reason_not_to_batch(source: bytes, catalogue: Catalogue) -> str | None:
    """Why each test of a program needs a process of its own; None for a plain program.

    source: of a program that a child has compiled, so that no text surprises the parser here.
    """
    if len(source) > MAX_SOURCE:
        return "is long"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # standard error is the judge's, not the program's
            tree = compile(source, "solution.py", "exec", _ONLY_AST, dont_inherit=True)
        _check(tree, catalogue)
    except NotPlain as reason:
        return str(reason)
    except (SyntaxError, ValueError, RecursionError, MemoryError, SystemError) as error:
        return f"gives {type(error).__name__}"
    return None


def _check(tree: Any, catalogue: Catalogue) -> None:
    nodes = list_nodes(tree)
    for node in nodes:
        if type(node).__name__ not in _NODES:
            raise NotPlain(f"has {type(node).__name__}")
    _NameUseChecker(Bindings(tree, nodes, catalogue), nodes, catalogue).check()


class _NameUseChecker:
    """Checks how a program uses names: it records the context of each expression, then checks
    that each name may be used in its context."""

    def __init__(self, names: Bindings, nodes: list[Any], catalogue: Catalogue) -> None:
        self._names = names
        self._nodes = nodes
        self._catalogue = catalogue
        self._contexts: dict[int, int] = {}  # ids of expressions -> _CALLED, …
        self._read: set[int] = set()  # ids of targets that are read, too
        self._annotations: list[Any] = []

    def check(self) -> None:
        """Check how names are used. Raises NotPlain."""
        self._visit(_CONTEXT_RECORDERS)
        for annotation in self._annotations:
            self._allow_annotation(annotation)
        self._visit(_CHECKERS)

    def _visit(self, visitors: Mapping[str, Callable[[_NameUseChecker, Any], None]]) -> None:
        for node in self._nodes:
            kind = type(node).__name__
            if kind in visitors:
                visitors[kind](self, node)

    # First: record the contexts of expressions.

    def _record_call(self, node: Any) -> None:
        self._contexts.setdefault(id(node.func), _find_callee_context(node))

    def _record_function(self, node: Any) -> None:
        self._record_decorators(node)
        if node.returns is not None:
            self._annotations.append(node.returns)

    def _record_class(self, node: Any) -> None:
        self._record_decorators(node)
        if node.keywords:  # the type of a class with a metaclass is not ``type``
            raise NotPlain("has a class with keywords")

    def _record_decorators(self, node: Any) -> None:
        if getattr(node, "type_params", None):
            raise NotPlain("has type parameters")
        is_class = type(node) is _ast.ClassDef
        for decorator in node.decorator_list:
            is_innermost = decorator is node.decorator_list[-1]  # it is given what is defined here
            context = _DECORATES_A_CLASS if is_class and is_innermost else _DECORATES
            self._contexts[id(decorator)] = context
            if is_class or not is_innermost or type(decorator) is not _ast.Call:
                continue
            if _find_callee_context(decorator) == _CALLED_WITH_ONE:
                self._contexts[id(decorator.func)] = _CALLED_TO_DECORATE

    def _record_annotation(self, node: Any) -> None:
        if node.annotation is not None:
            self._annotations.append(node.annotation)

    def _record_augmented(self, node: Any) -> None:
        self._read.add(id(node.target))

    def _allow_annotation(self, annotation: Any) -> None:
        """Shared objects may stand in an annotation that runs no code of the program: all in it is
        listed, a literal, or a class that the program makes, whose type is ``type``."""
        names = self._names
        nodes = list_nodes(annotation)
        for node in nodes:
            kind = type(node)
            if kind.__name__ not in _IN_ANNOTATIONS:
                return
            if kind is _ast.Name and (node.id in names.values or names.is_local(node)):
                return
            if kind is _ast.Attribute and not names.is_module(node.value):
                return
        for node in nodes:
            self._contexts[id(node)] = _ANNOTATES

    # Then: check names in their contexts.

    def _check_name(self, node: Any) -> None:
        names, name = self._names, node.id
        if type(node.ctx) is not _ast.Load and id(node) not in self._read:
            return
        if is_special(name) and name != "__name__":
            raise NotPlain(f"names {name}")
        if is_mangled(name):
            raise NotPlain(f"has a variable {name}")
        if name == "__name__" or names.is_own(node):
            return
        context = self._contexts.get(id(node))
        if name in names.unlisted or name not in names.known:
            raise NotPlain(f"names {name}")
        if name in names.modules and context != _MODULE:
            raise NotPlain(f"passes {name} on")
        if name in names.shared and context != _MODULE:
            self._check_context(node, name, names.shared[name])

    def _check_context(self, node: Any, name: str, call: int | None) -> None:
        if call is not None and self._contexts.get(id(node)) not in _ALLOWED_CONTEXTS[call]:
            raise NotPlain(f"passes {name} on")

    def _check_attribute(self, node: Any) -> None:
        name, base = node.attr, node.value
        if type(node.ctx) is not _ast.Load:
            if is_special(name) or name in self._catalogue.stream_methods:
                raise NotPlain(f"sets .{name}")
            if id(node) not in self._read:
                return
        if type(node.ctx) is _ast.Load and self._names.is_module(base):
            module = self._names.modules[base.id]
            listed_names = self._catalogue.get_module_names(module)
            if name not in listed_names:
                raise NotPlain(f"names {module}.{name}")
            self._check_context(node, f"{module}.{name}", listed_names[name])
            self._contexts[id(base)] = _MODULE
        elif is_special(name):
            if name != "__name__" and not (name == "__init__" and self._initializes(node)):
                raise NotPlain(f"reads .{name}")
        elif name in self._catalogue.attributes:
            if name != "format" or not _formats_plainly(base):
                raise NotPlain(f"reads .{name}")
        elif name[0] == "_" and name not in self._names.attributes:
            raise NotPlain(f"reads .{name}")

    def _initializes(self, node: Any) -> bool:
        """Whether ``node`` is the callee ``super().__init__`` or ``Class.__init__``, of a class
        that the program makes."""
        names, base = self._names, node.value
        if id(node) not in self._contexts:
            return False
        if type(base) is _ast.Call:
            callee = base.func
            return (
                type(callee) is _ast.Name
                and callee.id == "super"
                and not names.is_local(callee)
                and "super" not in names.values | names.classes | names.imported
            )
        return type(base) is _ast.Name and base.id in names.classes and base.id not in names.values

    def _check_suspension(self, node: Any) -> None:
        for inner in list_nodes_outside_functions([node]):
            if type(inner) in (_ast.Yield, _ast.YieldFrom):
                raise NotPlain("yields inside of try or with")

    def _check_comparison(self, node: Any) -> None:
        """Identity tells of addresses and of texts that the interpreter keeps."""
        operands = [node.left, *node.comparators]
        for index, operator in enumerate(node.ops):
            if type(operator) in (_ast.Is, _ast.IsNot):
                pair = operands[index : index + 2]
                if not any(_is_singleton(operand) for operand in pair):
                    raise NotPlain("compares by identity")

    def _check_handler(self, node: Any) -> None:
        """Refuse a name for an exception that was not made for this program."""
        if node.name is None or node.type is None:
            return
        types = node.type.elts if type(node.type) is _ast.Tuple else [node.type]
        for kind in types:
            if type(kind) is not _ast.Name or kind.id in _CATCH_THE_INTERPRETERS:
                raise NotPlain("names an exception of any kind")
            if not self._names.is_class(kind):
                raise NotPlain("names an exception of a computed kind")


_CONTEXT_RECORDERS = {
    "Call": _NameUseChecker._record_call,
    "FunctionDef": _NameUseChecker._record_function,
    "ClassDef": _NameUseChecker._record_class,
    "arg": _NameUseChecker._record_annotation,
    "AnnAssign": _NameUseChecker._record_annotation,
    "AugAssign": _NameUseChecker._record_augmented,
}
_CHECKERS = {
    "Name": _NameUseChecker._check_name,
    "Attribute": _NameUseChecker._check_attribute,
    "Compare": _NameUseChecker._check_comparison,
    "ExceptHandler": _NameUseChecker._check_handler,
    "Try": _NameUseChecker._check_suspension,
    "With": _NameUseChecker._check_suspension,
}


def _find_callee_context(call: Any) -> int:
    arguments = call.args
    if call.keywords:
        return _CALLED
    if len(arguments) == 1 and type(arguments[0]) is not _ast.Starred:
        return _CALLED_WITH_ONE
    return _CALLED_WITH_LITERALS if arguments and all(map(is_literal, arguments)) else _CALLED


def _is_singleton(node: Any) -> bool:
    return type(node) is _ast.Constant and type(node.value) in (bool, type(None), type(...))


def _formats_plainly(node: Any) -> bool:
    """Whether a text names no attribute in its replacement fields."""
    if type(node) is not _ast.Constant or type(node.value) is not str:
        return False
    texts = [node.value]
    for _depth in range(_FORMAT_DEPTH):
        try:  # what string.Formatter.parse calls
            fields = [field for text in texts for field in _string.formatter_parser(text)]
        except ValueError:
            return False  # str.format refuses it, too
        if any(name is not None and "." in name for _literal, name, _spec, _conversion in fields):
            return False
        texts = [specification for _literal, _name, specification, _conversion in fields]
        texts = [text for text in texts if text]
    return not texts
