# /// attack
# id = "A405"
# name = "sleep in tiny steps"
# category = "resource"
# does = "wakes up all the time, and waits for a core each time"
# stopped_by = "the worker, by its CPU limit or within four times the wall limit"
# verdict = "TLE"
# problem.limits.wall_s = 0.5
# ///
import time

while True:
    time.sleep(0.00005)
