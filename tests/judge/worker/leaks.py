"""Programs that leave something for the next test, and look for what the one before has left.

Each is (name, code); the code sets ``seen`` to whether it found anything, and leaves its mark.
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
