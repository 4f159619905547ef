"""What a plain program may name: the lists, and what the interpreter makes of them.

The lists say which names. The interpreter is asked whether the object behind a name is shared and
can be changed: a function may be written in C in one version of Python, and in Python in another.
"""

from __future__ import annotations

import builtins
import collections
import importlib
import io
import sys
from collections.abc import Mapping
from enum import Enum
from functools import cache

from microcoder_sandbox import program_names

Module = type(sys)


def split_words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


# Modules that a plain program may import, and what it may name of each: functions of values, which
# keep nothing; types of data and iterators; constants; the standard streams.
MODULES: dict[str, frozenset[str]] = {
    "math": split_words(
        "acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e "
        "erf erfc exp exp2 expm1 fabs factorial floor fmod frexp fsum gamma gcd hypot inf isclose "
        "isfinite isinf isnan isqrt lcm ldexp lgamma log log10 log1p log2 modf nan nextafter perm "
        "pi pow prod radians remainder sin sinh sqrt sumprod tan tanh tau trunc ulp"
    ),
    "heapq": split_words("heapify heappop heappush heappushpop heapreplace"),
    "bisect": split_words("bisect bisect_left bisect_right insort insort_left insort_right"),
    "itertools": split_words(
        "accumulate chain combinations combinations_with_replacement count cycle groupby islice "
        "pairwise permutations product repeat tee zip_longest"
    ),
    "collections": split_words("Counter defaultdict deque"),
    "functools": split_words("cache lru_cache reduce"),
    "operator": split_words("abs add and_ mul or_ pow sub xor"),
    "string": split_words("ascii_letters ascii_lowercase ascii_uppercase digits"),
    "sys": split_words("exit maxsize setrecursionlimit stderr stdin stdout"),
    "typing": split_words(
        "Any Callable Counter DefaultDict Deque Dict FrozenSet Iterable Iterator List Optional "
        "Sequence Set Tuple Union"
    ),
    "builtins": split_words(
        "abs all any bin bool bytearray bytes chr complex dict divmod enumerate exit filter float "
        "format frozenset hex input int isinstance iter len list map max min next object oct ord "
        "pow print quit range reversed round set slice sorted str sum tuple zip "
        "AssertionError EOFError Exception IndexError KeyError NameError RecursionError "
        "StopIteration TypeError ValueError ZeroDivisionError"
    ),
}
# Other modules, which it may import but must not use. Their import has no other effect.
IMPORTABLE = frozenset(MODULES) | split_words(
    "__future__ array copy datetime decimal fractions io json os random re statistics threading "
    "time"
)


class Place(Enum):
    """Where a shared object that can be changed may stand: it is not stored or passed on there."""

    CALLED = "as callee"
    MEMO = "as a decorator that is not called, or called with a literal maxsize"
    ANNOTATION = "in an annotation"
    MODULE = "before the dot of a name of a module"


_MEMOS = split_words("cache lru_cache")
# Built-in names that a fork server adds, as an interpreter's start does.
_OF_SITE = dict.fromkeys(["copyright", "credits", "exit", "help", "license", "quit"], object())
_IMMUTABLE_TYPE = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE: a class made in C that nobody can write to
_IMMUTABLE = (int, float, str, type(len), type(None), type(...), type(NotImplemented))


class Catalogue:
    """What names mean to a program, made once in a worker.

    builtins: the place where each name may stand, None if it may stand anywhere, since nobody can
        change it.
    modules: names that are modules without any import.
    unlisted: names that programs find, but that a plain program does not use.
    """

    def __init__(self, names: Mapping[str, object], origins: Mapping[str, str]) -> None:
        """names: what programs find without any import. origins: the module's name, for each name
        that is a module or is from one."""
        self.builtins: dict[str, Place | None] = dict.fromkeys(
            program_names.OWN_CLASSES if origins else (), Place.CALLED
        )
        self.modules: dict[str, str] = {}
        for name, value in names.items():
            origin = origins.get(name, "builtins")
            if type(value) is Module:
                if name in MODULES:
                    self.modules[name] = name
            elif name in MODULES.get(origin, ()):
                self.builtins[name] = _find_place(name, value, origin)
        self.unlisted = frozenset(names.keys() - self.builtins.keys() - self.modules.keys())


@cache
def list_module_names(module: str) -> dict[str, Place | None]:
    """Return what a program may name of a module, as ``Catalogue.builtins``."""
    values = vars(importlib.import_module(module))
    names = MODULES.get(module, frozenset()) & values.keys()
    return {name: _find_place(name, values[name], module) for name in names}


def _find_place(name: str, value: object, module: str) -> Place | None:
    if module == "typing" and name not in MODULES["collections"]:
        return Place.ANNOTATION
    if name in _MEMOS:
        return Place.MEMO
    if isinstance(value, type):
        return None if value.__flags__ & _IMMUTABLE_TYPE else Place.CALLED
    is_stream = module == "sys" and name[:3] == "std"  # made again for each test
    return None if is_stream or isinstance(value, _IMMUTABLE) else Place.CALLED


_DATA = (
    str, bytes, bytearray, list, tuple, dict, set, frozenset, int, float, complex, range, slice,
    collections.deque, collections.defaultdict, collections.Counter,
)  # fmt: skip
_STREAMS = (io.TextIOWrapper, io.BufferedReader, io.BufferedWriter)
_OF_STREAMS = split_words("buffer flush mode name read readline readlines write writelines")
_REACHABLE = split_words("builtins collections functools itertools _io io _sitebuiltins")
# Methods of texts whose fields could name attributes.
_FORMATS = split_words("format format_map")


@cache
def list_reserved_attributes() -> frozenset[str]:
    """Return the attributes of standard objects but for those that plain data has."""
    data_names = {name for cls in _DATA for name in dir(cls) if name[0] != "_"}
    data_names |= _OF_STREAMS | split_words("cache_clear")
    # Attributes of objects that no program can reach.
    data_names |= split_words("children id key maxsize next object prev set size type")
    names: set[str] = set()
    classes: list[type] = [object]
    visited_classes = set(classes)
    for cls in classes:
        # Exceptions: a plain program holds those that it made, and none that was raised.
        if cls.__module__ in _REACHABLE and not issubclass(cls, BaseException):
            names.update(type.__dir__(cls), dir(type(cls)))
        new_classes: set[type] = set(type.__subclasses__(cls)) - visited_classes
        visited_classes |= new_classes
        classes += new_classes
    return frozenset(names - data_names | _FORMATS)


@cache
def list_stream_methods() -> frozenset[str]:
    """Return the names under which a stream would call a function that a program put there."""
    return frozenset(name for cls in _STREAMS for name in dir(cls) if callable(getattr(cls, name)))


@cache
def load_catalogue(*, call: bool) -> Catalogue:
    """Return what names mean to scripts, or to programs that are called: these find more without
    importing it."""
    if not call:
        return Catalogue({**vars(builtins), **_OF_SITE}, {})
    for module in program_names.SOURCES:
        importlib.import_module(module)
    names, origins = program_names.gather_names()
    return Catalogue({**names, **_OF_SITE}, origins)
