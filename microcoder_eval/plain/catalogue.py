"""What a plain program may name: the lists, and what the interpreter makes of them.

A list says which names; whether the object behind a name is shared and can be changed is asked of
the interpreter, so that a function which is written in C in one Python and in Python in another is
treated as what it is.
"""

from __future__ import annotations

import builtins
import collections
import importlib
import io
import sys
from collections.abc import Mapping
from functools import cache


def split_words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


# Modules that a plain program may import, and what it may name of each.
MODULES: dict[str, frozenset[str]] = {
    "__future__": split_words("annotations division print_function"),
    "math": split_words(
        "acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e "
        "erf erfc exp exp2 expm1 fabs factorial floor fmod frexp fsum gamma gcd hypot inf isclose "
        "isfinite isinf isnan isqrt lcm ldexp lgamma log log10 log1p log2 modf nan nextafter perm "
        "pi pow prod radians remainder sin sinh sqrt sumprod tan tanh tau trunc ulp"
    ),
    "heapq": split_words(
        "heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest"
    ),
    "bisect": split_words("bisect bisect_left bisect_right insort insort_left insort_right"),
    "itertools": split_words(
        "accumulate batched chain combinations combinations_with_replacement compress count cycle "
        "dropwhile filterfalse groupby islice pairwise permutations product repeat starmap "
        "takewhile tee zip_longest"
    ),
    "collections": split_words("Counter OrderedDict defaultdict deque namedtuple"),
    "functools": split_words("cache cmp_to_key lru_cache partial reduce total_ordering wraps"),
    "operator": split_words(
        "abs add and_ concat contains countOf delitem eq floordiv ge getitem gt iadd iand imul "
        "index indexOf inv invert ior isub itemgetter ixor le lshift lt matmul mod mul "
        "ne neg not_ or_ pos pow rshift setitem sub truediv truth xor"
    ),
    "copy": split_words("deepcopy"),  # copy.copy reads the attribute that a method's name names
    "string": split_words(
        "ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits octdigits "
        "punctuation printable whitespace"
    ),
    "sys": split_words(
        "argv byteorder exit float_info get_int_max_str_digits getrecursionlimit hexversion "
        "maxsize maxunicode platform set_int_max_str_digits setrecursionlimit stderr stdin stdout "
        "version version_info"
    ),
    "typing": split_words(
        "Any AnyStr Callable ClassVar Collection Container Counter DefaultDict Deque Dict Final "
        "FrozenSet Generator Hashable Iterable Iterator List Literal Mapping MutableMapping "
        "MutableSequence MutableSet NoReturn Optional OrderedDict Reversible Sequence Set Sized "
        "Text Tuple Type Union"
    ),
}
MODULES["builtins"] = split_words(
    "Ellipsis NotImplemented __debug__ abs all any ascii bin bool bytearray bytes callable chr "
    "classmethod complex dict divmod enumerate exit filter float format frozenset hex input int "
    "isinstance issubclass iter len list map max memoryview min next object oct ord pow "
    "print property quit range repr reversed round set slice sorted staticmethod str sum super "
    "tuple zip"
)
_EXCEPTIONS = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException) and "Group" not in name
)
MODULES["builtins"] |= _EXCEPTIONS
_MADE_ANEW = split_words("argv stderr stdin stdout")  # of sys, for each test
_OURS = split_words("ListNode TreeNode")
# Built-in names that a fork server adds, as an interpreter's start does; a driver may lack them.
_OF_SITE = dict.fromkeys(["copyright", "credits", "exit", "help", "license", "quit"], object())

# Modules that a program may import, as their import does nothing but make them: what they hold, and
# MODULES does not list, it must not use.
IMPORTABLE = frozenset(MODULES) | split_words(
    "abc array base64 binascii  calendar cmath collections.abc contextlib dataclasses "
    "datetime decimal enum fractions gc hashlib io itertools json numbers os os.path pprint queue "
    "random re statistics struct textwrap threading time timeit traceback types unicodedata "
    "warnings zlib"
)

# How an object that all tests share, and that can be changed, may be called.
# ANY: with any arguments.
# ONE: with one, by position: copy.deepcopy(x, memo) hands memo.get() a list that it keeps.
# LITERALS: with texts as they stand in the program, from which names are made.
# DECORATOR: with one, as a decorator. CALLED_DECORATOR: likewise with what a call with one argument
# returns: wraps(f)(g, updated=...) reads attributes by text.
# NEVER: it may stand in annotations only.
ANY, ONE, LITERALS, DECORATOR, CALLED_DECORATOR, NEVER = range(6)
_CALLS = {
    **dict.fromkeys(
        split_words(
            "Counter ListNode TreeNode cache capwords exit lru_cache merge nlargest "
            "nsmallest partial quit"
        ),
        ANY,
    ),
    "deepcopy": ONE,
    "namedtuple": LITERALS,
    "total_ordering": DECORATOR,
    "wraps": CALLED_DECORATOR,
}

_IMMUTABLE_TYPE = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE: a class made in C that nobody can write to
_IMMUTABLE = (int, float, str, tuple, type(len), type(None), type(...), type(NotImplemented))
Module = type(sys)
# Their objects are all that a plain program can come by, its own aside.
_REACHABLE = split_words(
    "builtins collections functools itertools operator types typing _io io _sitebuiltins "
    "_collections_abc abc copy string"
)


class Catalogue:
    """What names mean to a program, made once in a driver.

    builtins: name -> how it may be called (ANY…), None: used in any way, since nobody can change
    it. modules: names that are modules without any import. unlisted: names that programs find
    and a plain one does not use. attributes: those of standard objects that it does not read.
    stream_methods: attributes that it does not set.
    """

    def __init__(self, names: Mapping[str, object], modules: Mapping[str, str]) -> None:
        """names: what programs find without any import. modules: for names that are a module,
        or of one: that module's name."""
        self.builtins: dict[str, int | None] = {}
        self.modules: dict[str, str] = {}
        for name, value in names.items():
            if type(value) is Module:
                if name in MODULES:
                    self.modules[name] = name
            elif name in _OURS or name in MODULES.get(modules.get(name, "builtins"), ()):
                self.builtins[name] = _find_call_rule(name, value, modules.get(name))
        self.unlisted = frozenset(names.keys() - self.builtins.keys() - self.modules.keys())
        self.attributes = _list_unlisted_attributes()
        self.stream_methods = _list_stream_methods()
        self._imports: dict[str, dict[str, int | None]] = {}

    def get_module_names(self, module: str) -> dict[str, int | None]:
        """Return what a program may name of a loaded module, as ``builtins``."""
        names = self._imports.get(module)
        if names is None:
            values = vars(importlib.import_module(module))
            names = self._imports[module] = {
                name: _find_call_rule(name, values[name], module)
                for name in MODULES.get(module, frozenset()) & values.keys()
            }
        return names


def _find_call_rule(name: str, value: object, module: str | None) -> int | None:
    if _is_immutable(value) or (module == "sys" and name in _MADE_ANEW):
        return None
    return _CALLS.get(name, NEVER)


def _is_immutable(value: object) -> bool:
    if isinstance(value, type):
        return bool(value.__flags__ & _IMMUTABLE_TYPE)
    return isinstance(value, _IMMUTABLE)


_STREAMS = (io.TextIOWrapper, io.BufferedReader, io.BufferedWriter, io.FileIO)
_USED_OF_STREAMS = split_words(
    "buffer close closed encoding errors flush isatty mode name read readable readline readlines "
    "seek tell writable write writelines"
)


def _list_stream_methods() -> frozenset[str]:
    """Return what a stream would call if a program put a function of its own there."""
    return frozenset(name for cls in _STREAMS for name in dir(cls) if callable(getattr(cls, name)))


def _list_unlisted_attributes() -> frozenset[str]:
    """Attributes of standard objects but those that plain data has."""
    data = (
        str, bytes, bytearray, memoryview, list, tuple, dict, set, frozenset, int, float, complex,
        range, slice, collections.deque, collections.defaultdict, collections.OrderedDict,
        collections.Counter, *(getattr(builtins, name) for name in _EXCEPTIONS),
    )  # fmt: skip
    harmless_names = {name for cls in data for name in dir(cls) if name[0] != "_"}
    harmless_names |= _USED_OF_STREAMS | split_words(
        "cache_clear cache_info deleter getter send setter throw"
    )
    harmless_names |= split_words("children key next")  # of objects that no program comes by
    names: set[str] = set()
    classes: list[type] = [object]
    visited_classes = set(classes)
    for cls in classes:
        if cls.__module__ in _REACHABLE:
            names.update(type.__dir__(cls), dir(type(cls)))
        subclasses: list[type] = type.__subclasses__(cls)
        new_classes = [subclass for subclass in subclasses if subclass not in visited_classes]
        visited_classes.update(new_classes)
        classes += new_classes
    # _Class__name is how __name reads inside of a class.
    names |= {"__" + name.split("__", 1)[1] for name in names if "__" in name[1:-2]}
    # Text that names attributes; a traceback; notes on an exception; what an AttributeError is of.
    return frozenset(
        names - harmless_names | split_words("add_note format format_map obj with_traceback")
    )


@cache
def load_catalogue() -> Catalogue:
    """Return what names mean to scripts."""
    return Catalogue({**vars(builtins), **_OF_SITE}, {})


@cache
def load_call_catalogue() -> Catalogue:
    """Return what names mean to programs that are called: they find more without importing it."""
    from microcoder_sandbox.inside import call

    for module in call.PREAMBLE_SOURCES:
        importlib.import_module(module)
    call.fill_preamble()
    return Catalogue({**call.PREAMBLE, **_OF_SITE}, call.PREAMBLE_MODULES)
