# /// attack
# id = "A238"
# name = "output of exactly the limit"
# category = "output"
# does = "fills the output to the last byte allowed, with standard error in between: no byte is lost or over"
# stopped_by = "nothing: the limit is exact (A208 prints one more)"
# verdict = "AC"
# problem.limits.output_mb = 1.0
# problem.tests = [{input="", output="1", output_times=1_048_576}]
# ///
import os

for piece in range(16):
    os.write(1, b"1" * 65536)
    os.write(2, b"e" * 65536)
