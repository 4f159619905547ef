# /// attack
# id = "A256"
# name = "raise SystemExit while the failure is written down"
# category = "interpreter"
# does = "returns an object whose __str__ raises what no except Exception catches"
# stopped_by = "the test code's process writes the error down, and nothing in the error can end that process"
# verdict = "WA"
# problem.entry_point = "f"
# problem.test_code = """
# result = f(2)
# assert result == '@SECRET@', result
# """
# ///
class Result:
    def __str__(self):
        raise SystemExit(0)


def f(number):
    return Result()
