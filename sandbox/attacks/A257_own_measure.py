# /// attack
# id = "A257"
# name = "measure of its own"
# category = "interpreter"
# does = "defines the names by which the tests compare, which they use without importing them"
# stopped_by = "those names are in test_names, never the candidate's"
# verdict = "WA"
# problem.entry_point = "f"
# problem.test_code = """
# result = f(2)
# wrong = [isclose(result, 9.25), result == approx(9.25), result == pytest.approx(9.25)]
# wrong.append(np.allclose(result, 9.25))
# wrong.append(math.isclose(result, 9.25))
# wrong.append(is_same_list(list_node([result]), list_node([9.25])))
# assert any(wrong)
# """
# ///
class approx:
    def __new__(cls, *a, **k):
        return 1.0

    approx = isclose = allclose = array_equal = staticmethod(lambda *a, **k: 1.0)


pytest = unittest = np = numpy = math = approx
isclose = allclose = is_same_list = is_same_tree = list_node = any = lambda *a, **k: True


def f(number):
    return 1.0
