# /// attack
# id = "A017"
# name = "sleep below the wall limit"
# category = "resource"
# does = "sleeps and then answers: CPU time decides, so it is accepted"
# stopped_by = "nothing: it keeps the limits"
# verdict = "AC"
# problem.limits.time_s = 0.3
# problem.limits.wall_s = 3.0
# problem.tests = [{input="2 3\n", output="5\n"}]
# ///
import time

time.sleep(0.4)
a, b = map(int, input().split())
print(a + b)
