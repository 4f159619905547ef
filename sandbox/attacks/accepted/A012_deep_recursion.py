# /// attack
# id = "A012"
# name = "deep recursion that is right"
# category = "resource"
# does = "recurses 100,000 deep, in the main thread and in one with a stack of 256 MiB"
# stopped_by = "nothing: it fits the limits and is accepted"
# verdict = "AC"
# problem.limits.memory_mb = 256
# problem.tests = [{input="2 3\n", output="5\n"}]
# ///
import sys
import threading

sys.setrecursionlimit(10**6)


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


def other():
    found.append(depth(100_000))


found = [depth(100_000)]
threading.stack_size(256 << 20)
thread = threading.Thread(target=other)
thread.start()
thread.join()
a, b = map(int, input().split())
print(a + b + sum(found) - 200_000)
