# /// attack
# id = "A114"
# name = "environment variables"
# category = "interpreter"
# does = "looks for foreign variables and sets those that change how Python and the loader start"
# stopped_by = "an environment built from nothing; nothing is ever started with the program's"
# verdict = "AC"
# problem.tests = [{input="1 2\n", output="[]\n3\n"}, {input="5 6\n", output="[]\n11\n"}]
# ///
import os
import sys

ours = {"PATH", "HOME", "LC_ALL", "PYTHONHASHSEED", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"}
ours |= {"MKL_NUM_THREADS", "MALLOC_ARENA_MAX", "LC_CTYPE"}
print(sorted(set(os.environ) - ours))
for name in "LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT PYTHONPATH PYTHONSTARTUP PYTHONHOME".split():
    os.environ[name] = "/tmp/microcoder-attack-A114"
for attempt in (
    lambda: os.execv(sys.executable, [sys.executable, "-c", "print(1)"]),
    lambda: os.posix_spawn(sys.executable, [sys.executable], os.environ),
    lambda: os.system("touch /tmp/microcoder-attack-A114"),
):
    try:
        if attempt() == 0:
            print("started")
    except OSError:
        pass
print(sum(map(int, input().split())))
