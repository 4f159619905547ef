# /// attack
# id = "A205"
# name = "stop itself"
# category = "resource"
# does = "sends itself SIGSTOP, and waits for somebody to wait for it"
# stopped_by = "the worker, which sends SIGCONT to whatever is stopped"
# verdict = "WA"
# ///
import os
import signal

os.kill(os.getpid(), signal.SIGSTOP)
print('went on')
