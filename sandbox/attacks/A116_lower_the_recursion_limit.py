# /// attack
# id = "A116"
# name = "lower the recursion limit"
# category = "interpreter"
# does = "leaves so low a recursion limit that whoever runs after it in the process has no stack"
# stopped_by = "the child ends with few frames, and what it cannot encode is the program's failure"
# verdict = ["AC", "RE"]
# why = "the answer is right (AC) unless the stack that is left is too low to send it (RE)"
# problem.kind = "call"
# problem.entry_point = "f"
# problem.tests = [{input=[1], output=[[[[[[[[1]]]]]]]]}, {input=[5], output=[[[[[[[[5]]]]]]]]}, {input=[50], output=[[[[[[[[50]]]]]]]]}]
# ///
import sys


def f(number):
    limit = number
    while True:  # the lowest that the interpreter accepts here
        try:
            sys.setrecursionlimit(limit)
            break
        except RecursionError:
            limit += 1
    return [[[[[[[[number]]]]]]]]
