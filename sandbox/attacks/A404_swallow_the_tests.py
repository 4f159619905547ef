# /// attack
# id = "A404"
# name = "swallow the tests"
# category = "interpreter"
# does = "ends within a text, which takes in the tests where both texts are compiled as one"
# stopped_by = "program and test code are compiled apart, in two processes"
# verdict = "CE"
# problem.entry_point = "f"
# problem.test_style = "check"
# problem.test_code = """
# def check(candidate):
#     for number in range(3):
#         assert candidate(number) == '@SECRET@'
# check(f)
# """
# ///
def f(number):
    return None
tests = r'''
