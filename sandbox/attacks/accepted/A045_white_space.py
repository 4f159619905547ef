# /// attack
# id = "A045"
# name = "trailing spaces, blank lines, carriage returns"
# category = "output"
# does = "prints the right answer in odd white space, which judges forgive"
# stopped_by = "nothing: the comparison forgives it"
# verdict = "AC"
# problem.tests = [{input="2 3\n", output="5\n"}]
# ///
import os

a, b = map(int, input().split())
os.write(1, b"%d \t\r\n\r\n\n   \n" % (a + b))
