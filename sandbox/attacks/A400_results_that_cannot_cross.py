# /// attack
# id = "A400"
# name = "results that cannot cross"
# category = "interpreter"
# does = "returns classes, so that the test code makes of them what no process can hand to another"
# stopped_by = "whether test code can be run is decided without a candidate; the rest is its failure"
# verdict = "RE"
# says = "result cannot be transferred"
# problem.entry_point = "encode"
# problem.test_code = """
# def test_roundtrip():
#     r = encode('abc')
#     assert decode(r[0], r[1]) == '@SECRET@'
# """
# problem.test_style = "pytest"
# ///
class Meta(type):
    def __call__(cls, *arguments):
        return list

    __getattribute__ = __instancecheck__ = lambda *arguments: list


class encode(metaclass=Meta):
    pass


def decode(x, y):
    return dict
