# /// attack
# id = "A310"
# name = "stop itself for ever"
# category = "resource"
# does = "sends itself SIGSTOP again whenever it goes on, from two threads"
# stopped_by = "the worker, by the wall clock, once"
# verdict = "TLE"
# problem.limits.wall_s = 0.3
# ///
import os
import signal
import threading


def stop():
    while True:
        os.kill(os.getpid(), signal.SIGSTOP)


threading.Thread(target=stop, daemon=True).start()
stop()
