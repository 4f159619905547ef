# /// attack
# id = "A403"
# name = "decorate the tests"
# category = "interpreter"
# does = "ends with a decorator, which replaces the test's check where both texts are compiled as one"
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
def f(*a, **k):
    return None
@(lambda f: (lambda candidate: None))
