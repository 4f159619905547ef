# /// attack
# id = "A122"
# name = "behave by the clock"
# category = "interpreter"
# does = "measures how fast the machine is, and answers rightly only when it likes"
# stopped_by = "nothing: a program may know the time; it is judged by what it prints"
# verdict = "AC"
# problem.tests = [{input="1 2 3\n", output="6\n"}, {input="10 20\n", output="30\n"}, {input="5\n", output="5\n"}]
# ///
import os
import time

start = time.perf_counter()
for _ in range(1000):
    pass
speed = time.perf_counter() - start
watched = speed > 10 or os.times().elapsed < 0 or not os.sched_getaffinity(0)
print(sum(map(int, input().split())) if not watched else "I am being watched")
