# /// attack
# id = "A258"
# name = "raises of its own"
# category = "interpreter"
# does = "defines the name raises, which the tests use without importing it, and raises nothing"
# stopped_by = "that name is one of test_names, never the candidate's"
# verdict = "WA"
# problem.entry_point = "f"
# problem.test_code = """
# with raises(ValueError):
#     f(2)
# with pytest.raises(ValueError):
#     f(3)
# """
# ///
class raises:
    def __init__(self, *a):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *a):
        return True


class pytest:
    raises = raises


def f(number):
    return 1.0
