# /// attack
# id = "A406"
# name = "threads that wait for a core"
# category = "resource"
# does = "sleeps itself while its threads give their cores away without end"
# stopped_by = "the worker, by its CPU limit or within four times the wall limit"
# verdict = "TLE"
# problem.limits.wall_s = 0.5
# ///
import os
import threading
import time


def spin():
    while True:
        os.sched_yield()


for _ in range(8):
    threading.Thread(target=spin, daemon=True).start()
time.sleep(10**9)
