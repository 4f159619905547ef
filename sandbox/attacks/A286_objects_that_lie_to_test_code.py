# /// attack
# id = "A286"
# name = "objects that lie to test code"
# category = "interpreter"
# does = "returns objects whose class says yes to every question, to test code that compares them"
# stopped_by = "no method of the program's class is asked about a value of the test's: objects cross as handles, or, where their class says that it is str, not at all"
# verdict = "RE"
# says = "cannot be sent"
# problem.entry_point = "f"
# problem.test_code = """
# ways = []
# for n in range(20):
#     if any(ways):
#         break
#     try:
#         result = f(n)
#     except TypeError:
#         continue
#     ways += [result == '@SECRET@', '@SECRET@' == result, result in ('@SECRET@',), result is f]
#     ways += [[result] == ['@SECRET@'], {'@SECRET@': 1} == {'x': result}, result == f(n % 9 + 1)]
#     ways += ['@SECRET@' in [result], type(result) is type]
#     try:
#         ways += [hash('@SECRET@') == hash(result), abs(result - 9) < 1e-6]
#     except TypeError:
#         pass
# assert any(ways)
# """
# ///
yes = lambda *a, **k: True
names = "eq ne lt le gt ge bool contains instancecheck subclasscheck call getitem getattr".split()
space = {f"__{name}__": yes for name in names} | {"__hash__": lambda self: 0}
space |= {"__len__": lambda self: 32, "__iter__": lambda self: iter([True]), "__abs__": yes}
space |= {f"__{name}__": yes for name in "sub rsub add radd and or xor mod float int index".split()}


class Meta(type):
    __eq__ = __ne__ = __instancecheck__ = __subclasscheck__ = yes
    __hash__ = lambda cls: hash(str)
    __name__ = property(lambda cls: "str")
    mro = lambda cls: type.mro(cls)


def f(number):
    base = [object, str, int, list, dict, tuple, float, set, bytes, Exception][number % 10]
    own = {k: v for k, v in space.items() if k != "__getattr__" or number == 0}
    return (type, Meta)[number // 10]("str", (base,), own)()


class ListNode(str):
    val = next = property(lambda self: "@")
