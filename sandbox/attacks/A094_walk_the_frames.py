# /// attack
# id = "A094"
# name = "walk the frames"
# category = "interpreter"
# does = "follows frames, tracebacks, closures and referrers up to the caller"
# stopped_by = "the child holds the program and one input, no answer"
# verdict = "WA"
# problem.limits.time_s = 3.0
# problem.limits.memory_mb = 256
# ///
import gc
import inspect
import re
import sys
import threading
import types

seen = set()


def inside(start):
    pending = list(start)
    while pending and len(seen) < 150_000:
        value = pending.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if type(value) in (str, bytes, int):
            yield value if type(value) is not bytes else value.decode("latin-1")
        elif isinstance(value, types.FrameType):
            pending += [value.f_locals, value.f_globals, value.f_back, value.f_code]
        elif isinstance(value, types.CellType):
            pending += gc.get_referents(value)
        else:
            pending += gc.get_referents(value)


def raised():
    try:
        raise ValueError
    except ValueError as error:
        return error.__traceback__


start = [sys._getframe(), sys._current_frames(), sys._current_exceptions(), raised()]
start += [inspect.stack(), threading.enumerate(), sys.modules, gc.get_referrers(sys._getframe())]
for value in inside(start):
    if isinstance(value, str) and re.fullmatch(r"[0-9a-f]{32}\s*", value):
        print(value)
        break
else:
    print("nothing")
