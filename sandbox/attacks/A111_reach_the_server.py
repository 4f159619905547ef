# /// attack
# id = "A111"
# name = "have the server run its code"
# category = "interpreter"
# does = "registers fork, audit and exit hooks, and writes to what it shares with the server"
# stopped_by = "the server forks and reads numbers; no program's code is ever in it"
# verdict = "WA"
# ///
import atexit
import gc
import mmap
import os
import sys
import threading

try:
    MARK = "/tmp/microcoder-attack-A111"
    hook = lambda *a: os.mkdir(MARK)
    os.register_at_fork(before=hook, after_in_parent=hook, after_in_child=hook)
    atexit.register(print, "PASSED")
    threading.settrace(lambda *a: None)
    sys.setswitchinterval(100)
    sys.unraisablehook = sys.displayhook = sys.breakpointhook = print
    gc.callbacks.append(lambda *a: None)
    finish = sys._getframe(1).f_globals["finish"]
    for value in vars(finish.__self__).values():
        if type(value) is mmap.mmap:
            for place in range(0, 4096, 16):
                value[place : place + 16] = b"\xff" * 16
    sys.addaudithook(lambda *a: None)
except OSError:
    pass
print("PASSED")
