# /// attack
# id = "A043"
# name = "exit statuses that are zero"
# category = "output"
# does = "exits with None, False, 256 and -256: all of them end with status 0, as in an interpreter"
# stopped_by = "nothing: only the wait status counts"
# verdict = "AC"
# problem.tests = [{input="0\n", output="5\n"}, {input="1\n", output="5\n"}, {input="2\n", output="5\n"}, {input="3\n", output="5\n"}]
# ///
import sys

how = int(input())
print(5)
sys.exit([None, False, 256, -256][how])
