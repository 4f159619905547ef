"""Which programs may run several tests in one process: those that name nothing they should not.

Python reaches everything by name: a program that can name neither a frame, nor a function's
globals, nor what a module holds for itself, and has no function that makes names out of text, can
change only what guard.py looks at. Names are read off the code object, where the compiler has
put all of them, however the text was written.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import CodeType

Module = type(sys)


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


class Except:
    """All that a module has, but these."""

    def __init__(self, names: str = "") -> None:
        self.names = words(names)


# Modules that a program can use without leaving anything in them, and what it may name of each.
MODULES: dict[str, frozenset[str] | Except] = {
    **dict.fromkeys(
        words(
            "__future__ array bisect cmath collections.abc datetime graphlib heapq itertools math "
            "numbers statistics unicodedata sortedcontainers"
        ),
        Except(),
    ),
    "abc": words("ABC ABCMeta abstractmethod"),
    "base64": words("b64encode b64decode b32encode b32decode b16encode b16decode"),
    "binascii": words("hexlify unhexlify crc32"),
    "calendar": words("isleap monthrange weekday leapdays timegm"),
    "collections": words("deque Counter defaultdict OrderedDict namedtuple ChainMap abc"),
    "contextlib": words("suppress contextmanager nullcontext closing"),
    "copy": words("copy deepcopy"),
    "dataclasses": words("dataclass field asdict astuple replace"),
    "decimal": Except("DefaultContext BasicContext ExtendedContext"),
    "enum": words("Enum IntEnum StrEnum Flag IntFlag auto unique"),
    "fractions": words("Fraction"),
    "functools": words("lru_cache cache reduce partial cmp_to_key wraps total_ordering"),
    "gc": words("disable enable collect isenabled"),
    "hashlib": words("md5 sha1 sha224 sha256 sha384 sha512 blake2b blake2s"),
    "io": words("open BytesIO StringIO IOBase TextIOWrapper BufferedReader DEFAULT_BUFFER_SIZE"),
    "json": words("dumps loads dump load"),
    "operator": Except("attrgetter methodcaller"),
    "os": words("read write fstat path linesep sep name"),
    "os.path": words("exists isfile isdir join basename"),
    "queue": words("Queue LifoQueue PriorityQueue SimpleQueue Empty Full"),
    "random": Except("_inst"),
    "re": Except("template purge _cache"),
    "string": words(
        "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits punctuation "
        "printable whitespace capwords"
    ),
    "struct": words("pack unpack calcsize Struct pack_into unpack_from iter_unpack"),
    "sys": words(
        "stdin stdout stderr setrecursionlimit getrecursionlimit exit maxsize version "
        "version_info getsizeof byteorder intern maxunicode float_info set_int_max_str_digits "
        "get_int_max_str_digits getdefaultencoding hexversion platform"
    ),
    # Not the clocks of the process, which tests before have moved on.
    "time": words(
        "time time_ns perf_counter perf_counter_ns monotonic monotonic_ns sleep strftime strptime "
        "gmtime localtime ctime asctime mktime struct_time"
    ),
    "types": words("GeneratorType SimpleNamespace"),
    "typing": Except("get_type_hints ForwardRef"),
    "zlib": words("crc32 adler32 compress decompress"),
}
IMPORTS = frozenset(name.partition(".")[0].encode() for name in [*MODULES, "builtins"])
# With ``type`` a program comes from their objects to classes that guard.py does not look at.
_CLASSES_BEHIND = words(
    "abc contextlib dataclasses enum fractions numbers queue sortedcontainers statistics"
)
# In the names of modules and classes without being written there
_IMPLIED = (
    "name file doc module qualname annotations classcell static_attributes firstlineno "
    "conditional_annotations annotate annotate_func classdict classdictcell type_params slots "
    "debug main future"
)
_METHODS = (
    "init new len getitem setitem delitem contains iter next add radd iadd sub rsub isub mul rmul "
    "imul truediv rtruediv itruediv floordiv rfloordiv ifloordiv mod rmod imod pow rpow neg pos "
    "abs invert lshift rshift ilshift irshift and rand or ror xor rxor eq ne lt le gt ge hash str "
    "repr bool int float index call enter exit missing reversed round floor ceil trunc divmod "
    "matmul post_init ior iand ixor format"
)
_SPECIAL = frozenset(f"__{name}__" for name in words(f"{_IMPLIED} {_METHODS}"))
# From a harmless object to a frame, to a class or to the registry of one.
_LEADING_OUT = words(
    "mro register gi_frame gi_code gi_yieldfrom cr_frame cr_code cr_await cr_origin ag_frame "
    "ag_code ag_await tb_frame tb_next f_back f_globals f_locals f_builtins f_code f_trace "
    "breakpoint "
    # Addresses tell what was there before.
    "id"
)


def names_of(code: CodeType) -> set[str]:
    """All names in a program's code: variables, attributes, modules, keywords."""
    found: set[str] = set()
    waiting: list[object] = [code]
    code_type = type(code)
    for item in waiting:
        if type(item) is code_type:
            found.update(item.co_names)
            waiting.extend(item.co_consts)
        elif type(item) is tuple or type(item) is frozenset:
            # Keywords, and the attributes that a ``case`` asks for.
            waiting.extend(item)
            found.update(part for part in item if type(part) is str)
    return found


def objection(names: Iterable[str]) -> str | None:
    """A name by which a program could get out of its module, or None."""
    for name in names:
        if is_special(name):
            if name not in _SPECIAL:
                return name
        elif name in _LEADING_OUT:
            return name
    names = frozenset(names)
    if "vars" in names and "wraps" in names:
        return "vars"  # of something that wraps() has given a function's globals
    return None


def is_special(name: str) -> bool:
    """Whether a name is one of the interpreter's own."""
    return name[:2] == "__" == name[-2:]


def leads_out(name: str) -> bool:
    """Whether an attribute asked for by text is one that a program must not name."""
    return name in _LEADING_OUT or (is_special(name) and name not in _SPECIAL)


def denied(module: str, names: frozenset[str]) -> str | None:
    """What of an imported module (its full name) a program names and may not, or None.

    A module that it can reach through this one is looked at like an imported one.
    """
    waiting, seen = [module], {module}
    for name in waiting:
        allowed = MODULES.get(name)
        if allowed is None:
            return name
        if name in _CLASSES_BEHIND and "type" in names:
            return "type"
        held = vars(sys.modules[name])
        for used in names & held.keys():
            value = held[used]
            if type(value) is Module:
                if value.__name__ not in seen:
                    seen.add(value.__name__)
                    waiting.append(value.__name__)
            elif not is_special(used) and not _may(used, allowed):
                return used
    return None


def _may(name: str, allowed: frozenset[str] | Except) -> bool:
    if isinstance(allowed, Except):
        return name not in allowed.names
    return name in allowed
