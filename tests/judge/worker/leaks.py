"""Programs that leave something for the next test, and look for what the one before has left.

Each is (name, code); the code sets ``seen`` to whether it found anything, and leaves its mark.
One whose mark is code that runs later has that code print "leaked".
"""

from __future__ import annotations

_MODULES = (
    "math cmath heapq bisect itertools functools collections collections.abc operator copy json "
    "string random re decimal fractions statistics datetime typing dataclasses enum abc io os "
    "os.path sys time struct queue array base64 hashlib contextlib numbers types gc zlib calendar "
    "threading atexit signal linecache traceback inspect weakref"
)

_OBJECTS = (  # import, and what can be given an attribute where nothing forbids it
    ("from collections import Counter", "Counter"),
    ("from collections import Counter", "Counter.update"),
    ("from collections import Counter", "Counter().most_common.__func__"),
    ("from collections import ChainMap", "ChainMap.new_child"),
    ("from collections import namedtuple", "namedtuple"),
    ("from collections.abc import Sequence", "Sequence"),
    ("import collections.abc", "collections.abc.Mapping.get"),
    ("import heapq", "heapq.merge"),
    ("from heapq import nlargest", "nlargest"),
    ("import functools", "functools.total_ordering"),
    ("from functools import wraps", "wraps"),
    ("import json", "json.dumps"),
    ("import copy", "copy.deepcopy"),
    ("import re", "re.compile"),
    ("import random", "random.Random"),
    ("import random", "random.Random.choice"),
    ("from fractions import Fraction", "Fraction"),
    ("from fractions import Fraction", "type(Fraction(1)).limit_denominator"),
    ("from fractions import Fraction", "Fraction.__mro__[1]"),
    ("from enum import Enum", "Enum"),
    ("from enum import Enum", "type(Enum)"),
    ("from abc import ABC", "ABC"),
    ("from abc import ABC", "type(ABC)"),
    ("from dataclasses import field", "type(field())"),
    ("from queue import Queue", "Queue"),
    ("from queue import Queue", "type(Queue().not_empty)"),
    ("from typing import List", "type(List)"),
    ("import typing", "typing.NamedTuple"),
    ("import statistics", "statistics.mean"),
    ("import string", "string.capwords"),
    ("import contextlib", "contextlib.suppress"),
    ("import contextlib", "type(contextlib.nullcontext())"),
    ("import os", "os.path.join"),
    ("import os", "os.fstat"),
    ("import os", "type(os.fstat(0))"),
    ("import os.path", "os.path.isfile"),
    ("import sys", "type(sys.implementation)"),
    ("", "open"),
    ("", "getattr"),
    ("", "__import__"),
    ("", "exit"),
    ("", "type(exit)"),
    ("", "help"),
)

_OTHERS = r"""

## a built-in name
import builtins
seen = hasattr(builtins, 'mark')
builtins.mark = 1
## __builtins__
b = __builtins__ if isinstance(__builtins__, dict) else vars(__builtins__)
seen = 'mark' in b
b['mark'] = 1
## built-ins through globals()
b = globals()['__builtins__']
b = b if isinstance(b, dict) else vars(b)
seen = 'mark' in b
b['mark'] = 1
## a constant of a module
import math
seen = math.pi != 3.141592653589793
math.pi = 3
## a constant under another name
import math as m
q = m
seen = q.e != 2.718281828459045
q.e = 3
## vars of a module
import math
seen = 'mark' in vars(math)
vars(math)['mark'] = 1
## __dict__ of a module
import math
seen = 'mark' in math.__dict__
math.__dict__['mark'] = 1
## setattr on a module
import math
seen = hasattr(math, 'mark')
setattr(math, 'mark', 1)
## sys.modules
import sys
seen = 'mark' in sys.modules
sys.modules['mark'] = sys
## a module that is forgotten
import sys, json
seen = not hasattr(sys.modules.get('json'), 'dumps')
sys.modules['json'] = 1
## sys.path
import sys
seen = 'mark' in sys.path
sys.path.append('mark')
## sys.argv
import sys
seen = 'mark' in sys.argv
sys.argv.append('mark')
## the environment
import os
seen = 'mark' in os.environ
os.environ['mark'] = '1'
## the working folder
import os
seen = os.getcwd() == '/usr'
try: os.chdir('/usr')
except OSError: pass
## the umask
import os
seen = os.umask(0o77) == 0o77
## the recursion limit
import sys
seen = sys.getrecursionlimit() != 1000
sys.setrecursionlimit(5000)
## digits of integers
import sys
seen = sys.get_int_max_str_digits() == 700
sys.set_int_max_str_digits(700)
## the switch interval
import sys
seen = sys.getswitchinterval() > 0.5
sys.setswitchinterval(1)
## a trace function
import sys
seen = sys.gettrace() is not None
sys.settrace(lambda *a: None)
## a profile function
import sys
seen = sys.getprofile() is not None
sys.setprofile(lambda *a: None)
## the hook for exceptions
import sys
seen = sys.excepthook is not sys.__excepthook__
sys.excepthook = print
## the collector
import gc
seen = not gc.isenabled()
gc.disable()
## the collector's thresholds
import gc
seen = gc.get_threshold()[0] == 7
gc.set_threshold(7)
## objects the collector knows
import gc
class Mark(list): pass
seen = any(type(o).__name__ == 'Mark' for o in gc.get_objects())
m = Mark()
m.append(m)
## subclasses
seen = any(c.__name__ == 'Mark' for c in object.__subclasses__())
class Mark: pass
## the random state
import random
state = random.Random(5).random()
seen = random.random() == state
random.seed(5)
## the decimal context
import decimal
seen = decimal.getcontext().prec != 28
decimal.getcontext().prec = 3
## the decimal context that others copy
import decimal
seen = decimal.DefaultContext.prec != 28
decimal.DefaultContext.prec = 3
## a context variable
import decimal
seen = decimal.getcontext().Emax == 77
decimal.setcontext(decimal.Context(Emax=77))
## a filter of warnings
import warnings
seen = any(f[0] == 'once' for f in warnings.filters)
warnings.simplefilter('once')
## a locale
import locale
seen = locale.setlocale(locale.LC_NUMERIC) != 'C'
try: locale.setlocale(locale.LC_NUMERIC, 'C.UTF-8')
except locale.Error: pass
## a handler of a signal
import signal
seen = signal.getsignal(10) not in (0, None)
signal.signal(10, print)
## an alarm
import signal
seen = signal.alarm(100) > 0
## a limit
import resource
seen = resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 77
try: resource.setrlimit(resource.RLIMIT_NOFILE, (77, 77))
except (OSError, ValueError): pass
## a descriptor
import os
d = os.dup(0)
seen = os.path.exists('x')
try:
    os.fstat(40)
    seen = True
except OSError: os.dup2(d, 40)
## standard input put elsewhere
import io, sys
seen = isinstance(sys.stdin, io.StringIO)
line = input()
sys.stdin = io.StringIO(line + '\n')
## standard output put elsewhere
import io, sys
seen = not hasattr(sys.stdout, 'buffer')
class Out(io.StringIO):
    pass
held = sys.stdout
import contextlib
with contextlib.redirect_stdout(Out()): print('nowhere')
## input() put elsewhere
seen = hasattr(input, 'mark')
old = input
def input(): return old()
input.mark = 1
## the frame of whoever called
import sys
seen = 'mark' in sys._getframe().f_globals
f = sys._getframe()
while f.f_back: f = f.f_back
seen = f.f_globals.get('mark', False)
f.f_globals['mark'] = True
## a frame through a generator
def g(): yield 1
x = g()
f = x.gi_frame
seen = 'mark' in f.f_builtins
f.f_builtins['mark'] = 1
## a frame through an exception
try: 1 / 0
except ZeroDivisionError as e: f = e.__traceback__.tb_frame
while f.f_back: f = f.f_back
seen = 'mark' in f.f_globals
f.f_globals['mark'] = 1
## globals of a function
import heapq
g = heapq.merge.__globals__
seen = 'mark' in g
g['mark'] = 1
## globals by a name made of text
import heapq
g = getattr(heapq.merge, '__glo' + 'bals__')
seen = 'mark' in g
g['mark'] = 1
## globals by an operator
import heapq, operator
g = operator.attrgetter('__glo' + 'bals__')(heapq.merge)
seen = 'mark' in g
g['mark'] = 1
## globals by wraps
import heapq, functools
class O: pass
o = O()
functools.wraps(heapq.merge, assigned=['__glo' + 'bals__'], updated=[])(o)
g = vars(o)['__globals__']
seen = 'mark' in g
g['mark'] = 1
## globals by a class pattern
import heapq
from types import FunctionType
match heapq.merge:
    case FunctionType(__globals__=g): pass
seen = 'mark' in g
g['mark'] = 1
## text that is run
import math
seen = eval('hasattr(math, "mark")')
exec('math.mark = 1')
## an annotation that is run
import typing, math
class A: x: 'math.__dict__.update(mark=1)'
seen = hasattr(math, 'mark')
try: typing.get_type_hints(A)
except TypeError: pass
## defaults of a function
import heapq
seen = heapq.merge.__kwdefaults__ == {'key': 1, 'reverse': 0}
heapq.merge.__kwdefaults__ = {'key': 1, 'reverse': 0}
## the text of a function's help
import heapq
seen = heapq.merge.__doc__ == 'mark'
heapq.merge.__doc__ = 'mark'
## a name in full-width letters
import heapq
seen = heapq.merge.__doc__ == 'mark'
heapq.merge._＿doc_＿ = 'mark'
## the annotations of a function
import heapq
seen = 'mark' in heapq.merge.__annotations__
heapq.merge.__annotations__['mark'] = 1
## the code of a function
import heapq
def marked(*a): return 'mark'
seen = heapq.merge() == 'mark'
heapq.merge.__code__ = marked.__code__
## a virtual subclass
from collections.abc import Sized
import math
seen = isinstance(math, Sized)
Sized.register(type(math))
## a cache of a module
import re
seen = 'mark' in re._cache
re._cache['mark'] = 1
## a cache of ours
from functools import lru_cache
calls = []
@lru_cache
def f(n): calls.append(n); return n
f(1)
seen = calls != [1]
## a default that grows
def f(held=[]):
    held.append(1)
    return len(held)
seen = f() > 1
## a class that counts
class A: n = 0
A.n += 1
seen = A.n > 1
## a method on a node
try:
    seen = hasattr(ListNode, 'mark')
    ListNode.mark = 1
except NameError: seen = False
## how a node compares
try:
    seen = ListNode.__lt__ is not object.__lt__
    ListNode.__lt__ = lambda a, b: a.val < b.val
except NameError: seen = False
## a finalizer
import sys
class A:
    def __del__(self): sys.modules['mark'] = 1
seen = 'mark' in sys.modules
a = A()
## a weak finalizer
import weakref, math
class A: pass
a = A()
seen = hasattr(math, 'mark')
weakref.finalize(a, setattr, math, 'mark', 1)
## an exit handler
import atexit, math
seen = hasattr(math, 'mark')
atexit.register(setattr, math, 'mark', 1)
## a thread that stays
import threading, time
seen = threading.active_count() > 1
threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
## a timer
import threading
seen = threading.active_count() > 1
t = threading.Timer(5, print)
t.daemon = True
t.start()
## what a thread keeps
import threading
seen = hasattr(threading, 'mark')
threading.mark = threading.local()
## a module made up
import sys
from types import ModuleType
seen = 'mark' in sys.modules
sys.modules['mark'] = ModuleType('mark')
## the process's own number
import os
seen = False
open_ = os.open('/dev/null', 0)
seen = open_ > 40
## a part of the input left unread
import sys
seen = False
first = sys.stdin.read(1)
sys.stdin.seek(0)
## when the input was last read
import os, time
st = os.fstat(0)
seen = st.st_atime > 1
os.read(0, 0)
os.utime(0) if hasattr(os, "nothing") else 0
## when the output was last written
import os
seen = os.fstat(1).st_mtime_ns == 77
os.write(2, b"x")
## fields of a file by their place
import os
seen = os.fstat(0)[7] > 1
## the clock of the process
import time
seen = time.process_time() > 0.2
while time.process_time() < 0.3: pass
## the clock of the thread
import time
seen = time.thread_time() > 0.2
while time.thread_time() < 0.3: pass
## a container of a module
import re
n = len(re._special_chars_map)
re._special_chars_map[10**6 + n] = ''
seen = n > 100 or hasattr(exit, 'first')
exit.first = n
## the cache of compiled patterns
import re
key = ''.join(['mark', '%d' % 1])
seen = re.compile(key).pattern is not key
## the input file, opened anew
import io
try:
    f = io.open('/dev/stdin', 'r+b', 0)
    f.seek(100000)
    seen = len(f.read(9)) > 0
    f.seek(100000)
    f.write(b'x')
except OSError: seen = False
## attributes by format
import heapq
seen = 'mark' in '{0.__doc__}'.format(heapq.merge)
for part in ('{0.__globals__}'.format(heapq.merge),): pass
## attributes by a text that is put together
text = '{0.' + '__class__' + '}'
seen = 'mark' in text.format(exit)
exit.mark = 1
## text that typing evaluates
import typing
got = []
def take(x): got.append(x); return int
typing._eval_type(typing.List['take(__import__("sys"))'], {'take': take}, {})
seen = 'mark' in got[0].modules
got[0].modules['mark'] = got[0]
## an annotation that compares with those before
class Key:
    def __init__(self, value): self.value = value
    def __hash__(self): return 1
    def __eq__(self, other): hits.append(other.value); return True
    def __call__(self): return None
from typing import List
hits = []
x: List[Key(1)] = []
seen = hits != []
## an object of ours that is handed what an annotation names
from collections import Counter
class Taker:
    def __getitem__(self, thing): self.thing = thing; return int
taker = Taker()
x: taker[Counter] = 1
try: taker.thing.mark; seen = True
except AttributeError: seen = False
taker.thing.mark = 1
## a default that a copier hands out
import copy
class Memo:
    def get(self, key, default=None):
        if isinstance(default, list): self.kept = default
        return default
    def __setitem__(self, key, value): pass
    def __getitem__(self, key): raise KeyError
memo = Memo()
copy.deepcopy([1], memo)
seen = 'mark' in memo.kept
memo.kept.append('mark')
## attributes by what wraps() updates
from functools import wraps
class Taker:
    def update(self, thing): self.thing = thing
class Wrapper: pass
def g(): yield
w = Wrapper()
w.gi_frame = Taker()
wraps(g(), (), ('gi_frame',))(w)
seen = 'mark' in w.gi_frame.thing.f_builtins
w.gi_frame.thing.f_builtins['mark'] = 1
## a class that a context manager is handed
import copy
class Taker:
    def __enter__(self): return self
    def __exit__(self, cls, *rest): self.cls = cls; return True
class Hard:
    def __reduce_ex__(self, n): return 5
taker = Taker()
with taker: copy.copy(Hard())
seen = hasattr(taker.cls, 'mark')
taker.cls.mark = 1
## a method that is inherited
from collections import Counter
class Mine(Counter): pass
try: Mine.most_common.mark; seen = True
except AttributeError: seen = False
Mine.most_common.mark = 1
## a class in an alias
from collections import Counter as C
k = C
try: k.mark; seen = True
except AttributeError: seen = False
k.mark = 1
## a class that a container makes
from collections import Counter, defaultdict
d = defaultdict(Counter)
f = d.default_factory
try: f.mark; seen = True
except AttributeError: seen = False
f.mark = 1
## work that a collection would do
import math
def late():
    try: yield
    finally: math.mark = 1
g = late()
next(g)
held = [g]
held.append(held)
try: math.mark; seen = True
except AttributeError: seen = False
## a text that is interned
from collections import namedtuple
text = ''.join(['ma', 'rk', 'ed'])
seen = namedtuple(text, 'a').__name__ is not text
kept = text
## the module itself, by another name
import __main__
try: __main__.mark; seen = True
except AttributeError: seen = False
__main__.mark = 1
## a name that two imports bind
from typing import *
from collections import *
try: Counter.mark; seen = True
except AttributeError: seen = False
try: Counter.mark = 1
except AttributeError: pass
## a module that is bound late
def late():
    import math as m
    return m
try: late().mark; seen = True
except AttributeError: seen = False
late().mark = 1
## a built-in function's owner
try: print.__self__.mark; seen = True
except AttributeError: seen = False
print.__self__.mark = 1
## what an augmented assignment reads
class U:
    def __radd__(self, other): self.v = other; return self
u = U()
quit += u
try: u.v.flag; seen = True
except AttributeError: u.v.flag = 1; seen = False
## a frame that an augmented assignment reads
class U:
    def __radd__(self, other): self.v = other; return self
def g(): yield
x, u = g(), U()
try: x.gi_frame += u
except AttributeError: pass
try: u.v.f_builtins += u
except AttributeError: pass
seen = 'flag' in u.v
u.v['flag'] = 1
## a name that is never bound
x = True or (quit := 1)
q = quit
try: q.flag; seen = True
except AttributeError: q.flag = 1; seen = False
## names that comprehensions bind for themselves
b = [0 for setattr in (1,)]
c = [0 for getattr in (1,)]
try: getattr(quit, 'flag'); seen = True
except AttributeError: setattr(quit, 'flag', 1); seen = False
## an import that is an attribute
class A: import sys as s
m = A.s
try: m.flag; seen = True
except AttributeError: m.flag = 1; seen = False
## built-in functions that are attributes
class A: from builtins import getattr as g, setattr as s, quit as q
try: A.g(A.q, 'flag'); seen = True
except AttributeError: A.s(A.q, 'flag', 1); seen = False
## a mangled name
class A:
    def f(self):
        import sys as __s
        return _A__s
m = A().f()
try: m.flag; seen = True
except AttributeError: m.flag = 1; seen = False
## a name that is mangled when it is read
from heapq import merge as _A__m
class A:
    def f(self): return __m
m = A().f()
try: m.flag; seen = True
except AttributeError: m.flag = 1; seen = False
## other built-in names
import os as __builtins__
def f0(): return environ
e = f0()
seen = 'x' in e
e['x'] = '1'
## an attribute that an annotation subscripts
from collections import Counter
class G:
    def __getitem__(self, k): self.v = k; return 0
class X: g = G()
def f0(a: X.g[Counter]): pass
m = X.g.v
try: m.flag; seen = True
except AttributeError: m.flag = 1; seen = False
## a stream that calls when it is closed
import sys
def make():
    def close():
        import sys
        sys.stdout.flag = 1
        sys.stdout.close = close
    return close
try: sys.stdout.flag; seen = True
except AttributeError: sys.stdout.close = make(); seen = False
## a file that is closed late
def main():
    global seen
    try: f = open(0); seen = False
    except OSError: seen = True
    main.f = f
main()
## a text that a class keeps
from collections import namedtuple
import copy
s = ''.join(['zq', 'name', 'x'])
N = namedtuple(s, 'f')
seen = N.__name__ is not s
class A: __slots__ = [s]
copy.copy(A())
## an exception of the interpreter's own
errs = []
for i in range(60):
    try: [0, 0] * (1 << 62)
    except MemoryError as e: errs.append(e)
e = errs[-1]
seen = bool(e.args)
e.args = (1,)
## a target that binds nothing
def f0():
    (getattr): int
    (setattr): int
    return getattr, setattr
g, s = f0()
m = g(g, '__self__')
seen = g(m, 'mark', None) is not None
s(m, 'mark', 1)
## parameters of another function
def f0(a=lambda getattr, setattr: 0): return getattr, setattr
g, s = f0()
m = g(g, '__self__')
seen = g(m, 'mark', None) is not None
s(m, 'mark', 1)
## what a generator closes when it is collected
class It:
    def __init__(self, tell): self.tell = tell
    def __iter__(self): return self
    def __next__(self): return 1
    def close(self): self.tell('leaked', end=' ')
def g(it): yield from it
x = g(It(print))
next(x)
seen = False
## what a merge closes when it is collected
from collections import namedtuple
from heapq import merge
class It(namedtuple('NT', 'close')):
    def __iter__(self): return self
    def __next__(self): return 1
def tell(): print('leaked', end=' ')
x = merge(It(tell), [])
next(x)
next(x)
seen = False
## a decorator that is given something else
from functools import wraps
import sys
class H:
    def close(p=print): p('leaked', end=' ')
def inner(g): return sys.stdout
@wraps(H)
@inner
def z(): pass
seen = False
## another exception by the name of one
from builtins import MemoryError as M
errs = []
for i in range(60):
    try: [0, 0] * (1 << 62)
    except M as e: errs.append(e)
e = errs[-1]
seen = bool(e.args)
e.args = (1,)
## a module that is a text, too
import builtins as b
def g(): pass
for b in ['{0.__globals__[__builtins__]}']:
    try: seen = 'mark' in b.format(g)
    except KeyError: seen = False
exit.mark = 'mark'
## a class statement that makes no class
from collections import Counter
class Foo:
    def __init__(self, *a): pass
    def __getitem__(self, cls): self.cls = cls
class A(Foo()): pass
def g(x: A[Counter]): pass
try: A.cls.mark; seen = True
except AttributeError: seen = False
A.cls.mark = 1
## what a match statement binds in a class
def tell(self): print('leaked', end=' ')
class It:
    match tell:
        case close: pass
    def __iter__(self): return self
    def __next__(self): return 1
def g(it): yield from it
x = g(It())
next(x)
seen = False
## a class that a generator calls when it is collected
class It:
    class close:
        def __init__(self): print('leaked', end=' ')
    def __iter__(self): return self
    def __next__(self): return 1
def g(it): yield from it
x = g(It())
next(x)
seen = False
## a default that suspends a function inside of try
def g():
    try:
        def inner(a=(yield 1)): pass
    finally: print('leaked', end=' ')
x = g()
next(x)
seen = False
## a lambda's default that suspends a function inside of try
def g():
    try: lambda a=(yield 1): 0
    finally: print('leaked', end=' ')
x = g()
next(x)
seen = False
## a decorator that suspends a function inside of try
def g():
    try:
        @(yield 1)
        def inner(): pass
    finally: print('leaked', end=' ')
x = g()
next(x)
seen = False
## an attribute that a copied method names
import copy, sys
def own(): pass
class S(str):
    def format(self): pass
    m = format
    del format
seen = 'decimal' in copy.copy(S('{0.__globals__[sys].modules}').m)(own)
def late(): import decimal
late()
## a function of a module that a copied method names
from functools import total_ordering
import copy
box = []
def keep(f):
    box.append(f)
    return f
class B:
    @keep
    def __gt__(self, other): return True
@total_ordering
class A:
    def __lt__(self, other): return True
    m = classmethod(box[0])
f = copy.copy(A.m)
try: f.mark; seen = True
except AttributeError: f.mark = 1; seen = False
## a parameter with a module's name
import builtins, sys
def own(): pass
def show(builtins): return builtins.format(own)
seen = 'decimal' in show('{0.__globals__[sys].modules}')
def late(): import decimal
late()
## a variable of one function, a module in another
import sys
def own(): pass
def show():
    m = '{0.__globals__[sys].modules}'
    return m.format(own)
def outer():
    def inner():
        import builtins as m
seen = 'decimal' in show()
def late(): import decimal
late()
## a variable that an inner function binds to a module
import sys
def own(): pass
def show():
    m = '{0.__globals__[sys].modules}'
    def inner():
        nonlocal m
        import builtins as m
    return m.format(own)
seen = 'decimal' in show()
def late(): import decimal
late()
## a class statement whose base is a parameter's call
from collections import namedtuple, Counter
class Foo:
    def __init__(self, *a): pass
    def __getitem__(self, cls): self.cls = cls
def make(namedtuple):
    global A
    class A(namedtuple('a', 'b')): pass
def base(a, b): return Foo()
make(base)
def g(x: A[Counter]): pass
try: A.cls.mark; seen = True
except AttributeError: seen = False
A.cls.mark = 1
## the same where nothing imports the name
from collections import Counter
class Foo:
    def __init__(self, *a): pass
    def __getitem__(self, cls): self.cls = cls
def make(namedtuple):
    global A
    class A(namedtuple('a', 'b')): pass
def base(a, b): return Foo()
make(base)
def unused(): namedtuple('P', 'x')
def g(x: A[Counter]): pass
try: A.cls.mark; seen = True
except AttributeError: seen = False
A.cls.mark = 1
"""


LEAKS: dict[str, str] = {
    **{
        f"module {name}": f"import {name} as m\nseen = hasattr(m, 'mark')\nm.mark = 1"
        for name in _MODULES.split()
    },
    **{
        f"attribute of {thing} ({how})": (
            f"{how}\nseen = False\n"
            f"try:\n    seen = hasattr({thing}, 'mark')\n    {thing}.mark = 1\n"
            "except (AttributeError, TypeError): pass"
        )
        for how, thing in _OBJECTS
    },
    **{
        name: code.strip()
        for name, _, code in (part.partition("\n") for part in _OTHERS.split("\n## ")[1:])
    },
}
