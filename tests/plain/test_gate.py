"""A program is plain if it can carry nothing from one test to the next; all others are not."""

from __future__ import annotations

import time
import tracemalloc
import warnings

import pytest

from microcoder_eval import judge
from microcoder_eval.plain.catalogue import load_catalogue
from microcoder_eval.plain.gate import is_plain, reason_not_to_batch


def reason(source: str, *, is_call: bool = False) -> str | None:
    names = load_catalogue(call=is_call)
    return reason_not_to_batch(source.encode(), names)


PLAIN = (
    "print(sum(map(int, input().split())))",
    "import sys\ninput = sys.stdin.readline\nfor line in sys.stdin: print(line.strip())",
    "import sys\nsys.setrecursionlimit(10**6)\nsys.stdout.write(str(1))\nsys.exit(0)",
    "if __name__ == '__main__': exit()",
    "from collections import *\nfrom heapq import *\nc = Counter('ab')\nheappush([], deque())",
    "import heapq as h, collections\nh.heappop([1])\ncollections.Counter([1]).most_common(1)",
    "from functools import lru_cache, cache, reduce\n"
    "@lru_cache(maxsize=None)\ndef f(n): return n\n@cache\ndef g(n): return n\nf.cache_clear()\n"
    "@lru_cache\ndef h(n): return n\n@lru_cache(9)\ndef i(n): return n\nprint(reduce(max, [1]))",
    "import re, random, os, threading, datetime\nfrom os import *\nprint(1)",  # names none of them
    "from re import *\nS = input()\nprint(S)",  # its own before anything reads re.S
    "from typing import List, Optional, Dict\n"
    "class Node:\n    def __init__(self, value: int, next: Optional['Node'] = None) -> None:\n"
    "        self.value, self.next, self._n = value, next, 1\n    def size(self): return self._n\n"
    "def f(nodes: List[Node], table: Dict[str, list[int]] | None) -> Optional[int]: pass\n"
    "graph: Dict[int, List[int]] = {}",
    "from typing import Counter, DefaultDict\nc = Counter()\nd: DefaultDict = {}\nprint(c)",
    "class A(object):\n    n = 0\n    def s(self): A.n += 1",
    "def f(id, type, dir, hash, vars):\n    return id, type, dir, hash, vars",  # its own
    "def f():\n    string = input()\n    copy = string.lower()\n    return copy",
    "import math\nprint(math.inf, math.comb(4, 2))\nfrom math import *\nprint(gcd(4, 2))",
    "from __future__ import annotations\nfrom string import digits\nprint(digits)",
    "with_ = [x for x in range(3) if (y := x)]\ndel with_\nlambda *a, **k: (a, k)",
    "def f():\n    import sys\n    from math import gcd\n    return sys.maxsize, gcd(1, 2)",
    "def f(a):\n    id = 1\n    def g(type): return id, type\n    return g",
    "try: int('x')\nexcept (ValueError, KeyError): print(1)",
    "x = None\nif x is None or x is not True: pass",
    "try:\n    n = int(input())\nfinally:\n    print(1)",
)  # fmt: skip


@pytest.mark.parametrize("source", PLAIN)
def test_ordinary_programs_are_plain(source: str) -> None:
    assert reason(source) is None
    assert reason(source, is_call=True) is None


@pytest.mark.parametrize(
    "source",
    [
        "class Solution:\n    def f(self, a: List[int], k: Optional[ListNode]) -> Dict[int, str]:\n"
        "        d = defaultdict(list)\n        return Counter(a).most_common(), inf, gcd(1, 2)",
        "class Solution:\n    @cache\n    def f(self, n): return heapq.heappop([bisect_left])",
        "class Solution:\n    def f(self, head):\n        dummy = ListNode(0, head)\n"
        "        dummy.next.val = 1\n        return dummy.next or TreeNode(1).left",
        "def f(s):\n    string = s.lower()\n    return string.count('a')",
    ],
)  # fmt: skip
def test_calls_use_the_preamble(source: str) -> None:
    assert reason(source, is_call=True) is None


# What must not be had as a value, or not at all; a line for each way that was thought of.
NOT_PLAIN = {
    "names getattr": "getattr(1, 'x')",
    "names type": "type(1)",
    "names id": "id(1)",
    "names hash": "print(hash('a'))",
    "names eval": "eval('1')",
    "names vars": "vars()",
    "names globals": "f = globals",
    "names setattr": "setattr",
    "names __import__": "__import__('os')",
    "names __builtins__": "__builtins__",
    "names re": "import re\nre.compile('a')",
    "names choice": "from random import *\nchoice([1])",
    "names __dict__": "import math\nmath.__dict__",
    "names sys.modules": "import sys\nsys.modules",
    "names sys._getframe": "import sys\nsys._getframe()",
    "names copy": "import copy\ncopy.copy([].append)",
    "names sys.intern": "import sys\nsys.intern('a')",
    "imports this": "import this",
    "imports numpy": "import numpy",
    "imports from a package of its own": "from . import x",
    "imports two modules as m": "import math as m\nimport sys as m",
    "passes sys on": "import sys\nx = sys",
    "passes m on": "def f():\n    import math as m\n    return m",
    "passes math on": "import math\nmath.pi = 3",
    "passes Counter on": "from collections import Counter\nd = [Counter]",
    "passes collections.Counter on": "import collections\nmap(collections.Counter, [])",
    "passes C on": "from collections import Counter as C\nC.x = 1",
    "names nlargest": "from heapq import *\nnlargest.x = 1",
    "passes exit on": "exit.x = 1",
    "names open": "open(0)",
    "names undefined": "undefined",
    "compares by identity": "a = b = []\na is b",
    "imports inside of another statement": "class A: import sys as s\nA.s",
    "names __s": "class A:\n    def f(self):\n        import sys as __s\n        _A__s",
    "names __m": "from heapq import merge as _A__m\nclass A:\n    def f(self): return __m",
    "names __builtins__ ": "import os as __builtins__\ndef f(): return 1",
    "sets .close": "import sys\nsys.stdout.close = 1",
    "sets .readinto": "x = 1\nx.readinto = 1",
    "reads .raw": "import sys\nsys.stdin.buffer.raw",
    "names __init__": "import sys\nsys.stdin.__init__(1)",
    "names namedtuple": "from collections import namedtuple\nname = 'a'\nnamedtuple(name, 'f')",
    "names __slots__": "name = 'a'\nclass A: __slots__ = [name]",
    "names an exception": "try: f()\nexcept MemoryError as e: e.args = 1",
    "names an exception ": "try: f()\nexcept Exception as e: e.x = 1",
    "names MemoryError": "K = MemoryError\ntry: f()\nexcept K as e: pass",
    "passes quit on": "class U: pass\nu = U()\nquit += u",
    "has Yield": "def g(): yield\nx = g()\nx.gi_frame += 1",
    "names deepcopy": "from copy import deepcopy\ndeepcopy([], {})",
    "names copy ": "import copy\ncopy.deepcopy(*[[1]])",
    "names wraps": "from functools import wraps\ndef f(): 1\nwraps(f)(f, updated=('x',))",
    "names total_ordering": "from functools import total_ordering\ntotal_ordering(x)",
    "passes List on": "from typing import List\nList.x = 1",
    "names __class__": "(1).__class__",
    "names __globals__": "(lambda: 1).__globals__",
    "names __init__ ": "f = [].__init__",
    "has Yield ": "def g(): yield\ng().gi_frame",
    "reads .tb_frame": "def f(t): t.tb_frame",
    "reads .f_back": "def f(t): t.f_back",
    "reads .mro": "int.mro()",
    "reads .format": "x = '{0.a}'\nx.format(1)",
    "reads .format ": "'{0.__class__}'.format(1)",
    "reads .format  ": "'{:{0.x}}'.format(1)",
    "reads .format_map": "'{a}'.format_map({})",
    "reads .func": "from functools import partial\npartial(f).func",
    "reads ._private": "x._private",
    "names __class__ ": "x = 1\nx.__class__ = int",
    "names __code__": "def f(): pass\nf.__code__ = 1",
    "has Match": "class A:\n    match print:\n        case close: pass",
    "names __del__": "class A:\n    def __del__(self): pass",
    "names __exit__": "class A:\n    def __exit__(self, *a): pass",
    "names __reduce_ex__": "class A:\n    def __reduce_ex__(self, n): pass",
    "names __deepcopy__": "class A:\n    def __deepcopy__(self, memo): pass",
    "names __getattribute__": "class A:\n    def __getattribute__(self, name): pass",
    "names __match_args__": "class A: __match_args__ = ('x',)",
    "names __builtins__  ": "__builtins__ = {}",
    "has a class of a kind of its own": "class A(metaclass=M): pass",
    "has AsyncFunctionDef": "async def f(): pass",
    "has Match ": "match x:\n    case int(real=y): pass",
    "has Yield  ": "def g():\n    try: yield\n    finally: print(1)",
    "has With": "def g():\n    with x:\n        for y in x: yield from y",
    "has Yield   ": "def g():\n    try:\n        def f(a=(yield)): pass\n    finally: print(1)",
    "has With ": "def g():\n    with x: lambda a=(yield): 1",
    "binds math again": "import math\ndef f(math): return math.pi",
    "binds m again": "def f():\n    m = 1\n    return m.pi\ndef g():\n"
    "    def h():\n        import math as m",
    "is long": "#" * (1 << 17),
    "passes lru_cache on": "from functools import lru_cache\n"
    "@lru_cache(None, True)\ndef f(x): pass",
    "passes lru_cache on ": "from functools import lru_cache\n"
    "@lru_cache(typed=True)\ndef f(x): pass",
    "passes lru_cache on  ": "from functools import lru_cache\n"
    "def g(x): pass\nf = lru_cache(None)(g)",
    "reads .cache_info": "from functools import cache\n@cache\ndef f(x): pass\nf.cache_info()",
    "names __eq__": "class A:\n    def __eq__(self, other): return True",
    "names __hash__": "class A:\n    def __hash__(self): return 1",
    "names __lt__": "class A:\n    def __lt__(self, other): return True",
    "has a class of a kind of its own ": "class D(dict): pass",
    "has a class of a kind of its own  ": "@print\nclass A: pass",
    "has Yield    ": "def g(): yield 1",
    "has With  ": "with x: pass",
    "names repr": "x = repr(print)",
    "names OrderedDict": "from collections import OrderedDict\nOrderedDict()",
}


@pytest.mark.parametrize("why", NOT_PLAIN)
def test_what_could_keep_something_is_not_plain(why: str) -> None:
    assert reason(NOT_PLAIN[why]) == why.strip()
    assert reason(NOT_PLAIN[why], is_call=True) is not None


@pytest.mark.parametrize(
    "source",
    [
        # An object of the program's would be handed what the annotation names.
        "from collections import Counter\ntaker = {}\nx: taker[Counter] = 1",
        "from typing import List\nx: List | taker = 1\ntaker = 1",
        "from typing import Union\nfrom collections import Counter\nx: Union[key(1), Counter] = 1",
        "from typing import List\n@decorate\nclass Node: pass\nx: List[Node] = 1",
        "from collections import Counter\nclass G:\n    def __getitem__(self, k): self.v = k\n"
        "class X: g = G()\ndef f(a: X.g[Counter]): pass",
        # A base hands its methods, which are functions, to a class of the program's.
        "from collections import Counter\nclass A(Counter): pass\nA.most_common.x = 1",
        # Bound again by an import or unbound, the name is not the program's own.
        "from re import *\nprint(S)\nS = 1",
        "S = 1\nfrom re import *\nprint(S)",
        "from re import *\nif input(): S = 1\nprint(S)",
        "def f(): return S\nfrom re import *\nf()\nS = 1",
        "from re import *\nS = S.x\nprint(S)",
        "hash = 1\ndel hash\nhash(1)",
        "try: 1/0\nexcept ZeroDivisionError as id: pass\nid(1)",
        "def f():\n    global type\n    type = 1\ntype(1)",
        "x = True or (quit := 1)\nq = quit",
        "b = [0 for setattr in (1,)]\nsetattr(b, 'x', 1)",
        "f = lambda: (quit := 1)\nq = quit",
        "def f(): return [id for id in id(1)]",
        "def f():\n    class A:\n        id = 3\n    return id(1)",
        "def f():\n    id = 1\n    class A:\n        x = id(1)\n        id = 2",
        "def f(id=id): pass",
        "def f():\n    def g(x: type(1) = hash(2)): type = hash = 1\n    return g",
        "def f():\n    import sys as s\n    return s",
        "def f():\n    (getattr): int\n    return getattr",
        "def f(a=lambda getattr: 0): return getattr",
        "def f(super): super().__init__(1)",
        "class A(f()): pass\ndef f(): pass\nA.__init__(1)",
        "from collections import Counter\ndef f(*a): pass\nclass A(f('a', 'b')): pass\n"
        "x: A[Counter] = 1",
        "from collections import Counter, namedtuple\ndef f(namedtuple):\n    global A\n"
        "    class A(namedtuple('a', 'b')): pass\nx: A[Counter] = 1",
        "from functools import wraps\ndef g(f): pass\n@wraps(g)\n@g\ndef h(): pass",
        "from functools import total_ordering\n@total_ordering\ndef f(): pass",
        "from collections import namedtuple\nnamedtuple('N', 'close')",
        "class A:\n    __slots__ = 'close'",
        "def f():\n    g = lambda: s\n    import sys as s\n    return g()",
    ],
)
def test_what_only_looks_harmless_is_not_plain(source: str) -> None:
    assert reason(source) is not None


def test_a_private_name_is_the_programs_only_if_it_defines_it() -> None:
    assert reason("class A:\n    def f(self): self._x = 1\n    def g(self): return self._x") is None
    assert reason("from collections import Counter\nprint(Counter()._keep_positive())") is not None


@pytest.mark.parametrize(
    "source", ["(" * 300 + ")" * 300, "-" * 5000 + "1", "+".join("x" * 9000), "x" + ".a" * 9000]
)
def test_odd_texts_end_in_a_reason_and_in_nothing_else(source: str) -> None:
    assert reason(source)


def test_a_plain_call_may_name_what_a_plain_script_may_not() -> None:
    assert is_plain(b"print(1)", call=False)
    assert not is_plain(b"print(id(1))", call=True)
    source = b"def f(a: List[int]): return a"
    assert (is_plain(source, call=True), is_plain(source, call=False)) == (True, False)


def many_classes(size: int) -> str:
    """Classes, each of the next one's type, and one with many bases."""
    chain = "".join(f"class c{n}(c{n + 1}): 0\n" for n in range(size))
    return f"{chain}@print\nclass c{size}: 0\nclass d({'int,' * (10 * size)}): 0\n"


@pytest.mark.slow
def test_the_gate_takes_as_long_as_the_text_is() -> None:
    def measure(size: int) -> float:
        source, start = many_classes(size), time.process_time()
        reason(source)
        return time.process_time() - start

    # Twice the text: twice the time, or four times where each class were compared with each.
    assert min(measure(600) for _ in range(3)) < 3 * min(measure(300) for _ in range(3))


@pytest.mark.slow
def test_names_of_functions_in_functions_do_not_add_up() -> None:
    names = "=".join(f"v{n}" for n in range(2000))
    source = f"def f():\n {names}=0;[" + ("lambda a:" * 40 + "0,") * 50 + "]\n"
    tracemalloc.start()
    try:
        reason(source)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100 << 20


def test_no_text_makes_the_driver_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert reason(r"print('\d', 1if 1 else 2)") is None


def test_the_catalogue_knows_every_name_that_a_program_finds() -> None:
    names = load_catalogue(call=False)
    problem = {"kind": "stdin", "tests": [{"input": "", "output": "found"}]}
    known = sorted(names.builtins.keys() | names.unlisted)
    code = f"print('found' if {{*dir(__builtins__)}} <= {{*{known}}} else 'lost')"
    assert judge(code, problem).passed


def test_every_listed_name_is_there_or_belongs_to_another_python() -> None:
    scripts, calls = load_catalogue(call=False), load_catalogue(call=True)
    assert {"print", "ValueError", "exit"} <= scripts.builtins.keys()
    assert {"ListNode", "Counter", "List", "heappush"} <= calls.builtins.keys()
    assert calls.modules["heapq"] == "heapq"
    assert scripts.builtins["print"] is None  # nobody can change a function in C
    assert calls.builtins["Counter"] is not None
