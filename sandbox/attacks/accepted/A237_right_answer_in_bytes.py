# /// attack
# id = "A237"
# name = "right answer, a byte at a time"
# category = "output"
# does = "writes a hundred thousand bytes one by one: they come in order and whole"
# stopped_by = "nothing: it is right"
# verdict = "AC"
# problem.limits.time_s = 2.0
# problem.tests = [{input="", output="1", output_times=100_000}]
# ///
import os

for _ in range(100_000):
    os.write(1, b"1")
