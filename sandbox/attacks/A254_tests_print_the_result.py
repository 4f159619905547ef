# /// attack
# id = "A254"
# name = "result too long for the tests to print"
# category = "interpreter"
# does = "returns a text that the test code prints, longer than the output limit"
# stopped_by = "the output limit of the test code's process, for which the program answers"
# verdict = "WA"
# problem.entry_point = "f"
# problem.test_code = """
# result = f(2)
# print(result)
# assert result == '@SECRET@'
# """
# ///
def f(number):
    return "x" * (3 << 20)
