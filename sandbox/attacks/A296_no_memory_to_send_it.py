# /// attack
# id = "A296"
# name = "no memory left to send the result"
# category = "interpreter"
# does = "uses up its address space and descriptors just before it returns"
# stopped_by = "the child's end needs little, and what it cannot send is the program's failure"
# verdict = ["MLE", "RE", "WA"]
# why = "the child has no memory (MLE) or cannot send (RE), or the value comes and is wrong (WA)"
# problem.kind = "call"
# problem.entry_point = "f"
# problem.tests = [{input=[1]}, {input=[2]}]
# problem.limits.memory_mb = 64
# ///
import os

kept = []


def f(number):
    if number == 1:
        size = 1 << 30
        while size > 16:
            try:
                kept.append(bytearray(0) + bytes(0) if size < 64 else reserve(size))
            except (MemoryError, OSError):
                size //= 2
            if len(kept) > 200_000:
                break
    else:
        try:
            while True:
                kept.append(os.dup(0))
        except OSError:
            pass
    return ["PASSED"] * 100_000


def reserve(size):
    import mmap

    return mmap.mmap(-1, size, mmap.MAP_PRIVATE) if size >= 4096 else bytes(size)
