# /// attack
# id = "A404"
# name = "yield in a loop"
# category = "resource"
# does = "gives its core away without end, so that it waits for one most of the time"
# stopped_by = "the worker, by its CPU limit or within four times the wall limit"
# verdict = "TLE"
# problem.limits.wall_s = 0.5
# ///
import os

while True:
    os.sched_yield()
