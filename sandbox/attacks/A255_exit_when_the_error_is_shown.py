# /// attack
# id = "A255"
# name = "end while the failure is written down"
# category = "interpreter"
# does = "returns an object whose __str__, asked for by the report of a failed assertion, exits"
# stopped_by = "the test code's process writes the error down, and nothing in the error can end that process"
# verdict = "RE"
# problem.entry_point = "f"
# problem.test_code = """
# result = f(2)
# assert result == '@SECRET@', result
# """
# ///
import os


class Result:
    def __str__(self):
        os._exit(0)


def f(number):
    return Result()
