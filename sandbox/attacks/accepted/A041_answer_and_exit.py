# /// attack
# id = "A041"
# name = "answer, then end at once"
# category = "output"
# does = "flushes the right answer and skips all clean-up: that is the contract of standard output"
# stopped_by = "nothing: it answered"
# verdict = "AC"
# problem.tests = [{input="2 3\n", output="5\n"}]
# ///
import os

a, b = map(int, input().split())
print(a + b, flush=True)
os._exit(0)
