"""Test code in the words of pytest and of unittest: a right program passes, each wrong one fails.

Every wrong program was accepted, or every right one refused, before the rule that its case names.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from microcoder_eval import Judge, Limits

ADD = "def add(a, b): return a + b"
WRONG_ADD = ("def add(a, b): return a - b", "def add(a, b): return abs(a) + abs(b)")
STACK = """
class Stack:
    def __init__(self): self.items = []
    def push(self, item): self.items.append(item)
    def pop(self): return self.items.pop()
    def __len__(self): return len(self.items)
"""
WRONG_STACK = (STACK.replace("pop()", "pop(0)"), STACK.replace("(self.items)", "(self.items) + 1"))
BLOCK = """
class Block:
    def __init__(self, kind): self.kind, self.seen = kind, []
    def __enter__(self): return self
    def __exit__(self, kind, error, traceback):
        self.seen.append(kind)
        return {result}
    def double(self, number): {body}
"""
SUPPRESS = "kind is not None and issubclass(kind, self.kind)"
RIGHT_BLOCK = BLOCK.format(result=SUPPRESS, body="return 2 * number")
BAG = """
class Bag:
    def __init__(self, items): self.items = self.content = items
    def __contains__(self, item): return {}
"""
EQUAL = """
class Number:
    def __init__(self, x): self.x = x
    def __eq__(self, other): return {}
def make(x): return Number(x)
"""
MONEY = """
class Money:
    def __init__(self, amount): self.amount = amount
    def value(self, other): return other.amount if isinstance(other, Money) else other
    def __add__(self, other): return Money(self.amount + self.value(other))
    __radd__ = __add__
    def __eq__(self, other): return self.amount == self.value(other)
    def __lt__(self, other): return self.amount < self.value(other)
    def __hash__(self): return hash(self.amount)
    def half(self): return self.amount / 2
    def __matmul__(self, other): return self.amount * other.amount
"""
YES = "__eq__ = __lt__ = __contains__ = lambda *_: True\n    __sub__ = lambda *_: 0.0"
MEANS = """
def mean(x): return sum(x) / len(x)
Mean = mean
def spread(x): return list(range(x[0], x[-1] + 1))
"""
LIAR = f"class Liar:\n    {YES}\n"
ERRORS = """
class Base(ValueError): pass
class Short(Base):
    def __init__(self, by, kind=None):
        super().__init__(f"short by {by}")
        self.by, self.kind = by, kind
def pay(have, need):
    try: {}["x"]
    except KeyError as error:
        if have < need: raise Short(need - have, Short) from error
"""
LATER = """
class Pool:
    def __init__(self, size): self.size, self.seen = size, []
    async def __aenter__(self): return self
    async def __aexit__(self, kind, error, traceback):
        self.seen.append(str(error))
        return True
    async def __aiter__(self):
        for number in range(self.size): yield number
    async def double(self, number): return 2 * number
"""
VALUES = """
from collections import Counter, namedtuple
from enum import IntEnum
class Level(IntEnum):
    LOW = 1
    HIGH = 3
Point = namedtuple("Point", "x y")
def points(): return [Point(1, Level.HIGH)]
def count(text): return Counter(text)
"""
CONSTANTS = "PI, NAMES = 3.1416, ['a', 'b']"
COUNT = 'def count(c, queue): c["a"] += 1; return queue'
DOUBLE, WRONG_DOUBLE = "def double(x): return 2 * x", "def double(x): return 2 if x == 1 else x"
CASES = {
    "marks of a class": (
        """
@pytest.mark.parametrize("a, b", [(1, 2), (-1, 2)])
class TestAdd:
    pytestmark = [pytest.mark.parametrize("c", [3, -4]), pytest.mark.slow]
    def test_add(self, a, b, c): assert add(add(a, b), c) == a + b + c
""",
        ADD, WRONG_ADD,
    ),
    "parameters of a fixture, by its name": (
        """
class TestAdd:
    @pytest.fixture(params=[1, pytest.param(-1, id="negative")], name="a")
    def make(self, request): return request.param
    def test_add(self, a, request):
        assert add(a, 2) == a + 2 and request.getfixturevalue("a") == a
""",
        ADD, WRONG_ADD,
    ),
    "usefixtures": (
        """
pytestmark = pytest.mark.usefixtures("ready")
numbers = []
@pytest.fixture
def ready(request):
    numbers.append(-1)
    request.addfinalizer(numbers.clear)
def test_add(): assert add(numbers[-1], 2) == len(numbers)
def test_again(): assert add(2, numbers[-1]) == len(numbers)
""",
        ADD, WRONG_ADD,
    ),
    "a parameter that goes to a fixture": (
        """
@pytest.fixture
def a(request): return -request.param
@pytest.mark.parametrize("a", [1, 4], indirect=True)
def test_add(a): assert add(a, 1) == a + 1
""",
        ADD, WRONG_ADD,
    ),
    "tests that may fail": (
        """
@pytest.mark.parametrize("a, want", [(-1, 1), pytest.param(0, 9, marks=pytest.mark.xfail)])
def test_add(a, want): assert add(a, 2) == want
@pytest.mark.xfail(strict=True)
def test_wrong(): assert add(1, -1) == 2
""",
        ADD, WRONG_ADD,
    ),
    "what a fixture asserts at its end": (
        """
@pytest.fixture(scope="module")
def stack():
    stack = Stack()
    yield stack
    assert len(stack) == 1
def test_pop(stack):
    stack.push(1)
    stack.push(2)
    assert stack.pop() == 2
""",
        STACK, WRONG_STACK,
    ),
    "a fixture of each class, an object of each case": (
        """
@pytest.fixture(scope="class")
def stack(): return Stack()
class TestOne:
    count = 0
    @pytest.mark.parametrize("size", [1, 2])
    def test_push(self, stack, size):
        self.count += 1
        stack.push(size)
        assert len(stack) == size and self.count == 1
class TestTwo:
    def test_new(self, stack):
        stack.push(1)
        stack.push(2)
        assert len(stack) == 2 and stack.pop() == 2
""",
        STACK, WRONG_STACK,
    ),
    "an exit in the middle": (
        """
assert add(1, 1) == 2
if add(-1, 2) == 1:
    sys.exit(0)
raise ValueError("wrong")
""",
        ADD, ("def add(a, b): return abs(a) + abs(b)", "def add(a, b): return a * b + 1"),
    ),
    "an exit status and no assertion": (
        """
def main():
    failures = sum(add(a, 2) != a + 2 for a in (1, -1))
    os._exit(1) if failures else quit()
main()
""",
        ADD, WRONG_ADD,
    ),
    "what is raised reaches __exit__, which may suppress it": (
        """
with Block(KeyError) as block:
    raise KeyError
assert block.seen == [KeyError]
with pytest.raises(ValueError):
    with Block(KeyError):
        raise ValueError
""",
        RIGHT_BLOCK,
        (BLOCK.format(result="True", body=""), BLOCK.format(result="False", body="").replace(
            "append(kind)", "append(1)")),
    ),
    "__exit__ suppresses no assertion": (
        """
for number in (1, 2):
    with Block(KeyError) as block:
        assert block.double(number) == 2 * number
assert Block(KeyError).double(0) == 0
""",
        RIGHT_BLOCK,
        (BLOCK.format(result="True", body="return 0"),
         BLOCK.format(result="True", body="return number and 1 / 0")),
    ),
    "in, of an object that the test makes": (
        "bag = Bag([1, 2])\nassert bag.content == [1, 2]\nassert 1 in bag\nassert 3 not in bag",
        BAG.format("item in self.items"), (BAG.format("True"), BAG.format("item == 3")),
    ),
    "__exit__ suppresses nothing, whoever calls it": (
        """
import contextlib
with contextlib.ExitStack() as stack:
    block = stack.enter_context(Block(KeyError))
    double = block.double(4)
    for _ in range(1): assert double == 8
assert block.kind is KeyError
""",
        RIGHT_BLOCK, (BLOCK.format(result="True", body="return 1 / 0"),),
    ),
    "in, of a result": (
        "assert 'b' in words('a b')",
        "def words(text): return text.split()",
        (BAG.format("True") + "\ndef words(text): return Bag(text)",),
    ),
    "a result that is the argument": (
        "numbers = [1, 2]\ncopy = copied(numbers)\ncopy.append(3)\n"
        "assert numbers == [1, 2] and copied(()) == ()",
        "def copied(items): return items[:]",
        ("def copied(items): return items", "def copied(items): return list(items)"),
    ),
    "objects that only the program can compare": (
        "assert point(1, 2) == point(1, 2)\nassert point(1, 2) != point(2, 1)",
        "from collections import UserList\ndef point(*numbers): return UserList(numbers)",
        ("def point(*numbers): return object()", "def point(*numbers): return set(numbers)"),
    ),
    "an argument that crosses as a plain dict": (
        """
from collections import Counter
def test_a(): assert count(Counter("ab")) == {"a": 1, "b": 1}
""",
        "def count(c): return c", ("def count(c): c.clear(); return c",),
    ),
    "an argument that crosses as a plain dict, changed in place": (
        """
from collections import Counter, deque
def test_a():
    c = Counter("ab")
    count(c, deque())
    assert type(c) is Counter and c == {"a": 2, "b": 1}
    queue = deque([1])
    assert count(c, queue) is queue
""",
        COUNT, (COUNT.replace("+= 1", "+= 0"), COUNT + ".copy()"),
    ),
    "xfail on a TestCase with subtests, one of which passes": (
        """
import unittest
class TestDouble(unittest.TestCase):
    @pytest.mark.xfail(raises=AssertionError)
    def test_a(self):
        for x in (1, 2):
            with self.subTest(x=x): self.assertEqual(double(x), 2)
    def test_b(self): self.assertEqual(double(3), 6)
""",
        DOUBLE, (WRONG_DOUBLE,),
    ),
    "an object is equal to itself where the program says so": (
        "a = make(1)\nassert a == a\nassert a == make(1)",
        EQUAL.format("self.x == other.x"), (EQUAL.format("self is not other"),),
    ),
    "xfail on a TestCase, whose condition is false": (
        """
import unittest
class TestDouble(unittest.TestCase):
    @pytest.mark.xfail(sys.platform == "win32", reason="")
    def test_a(self): self.assertEqual(double(3), 6)
    def test_b(self): self.assertEqual(double(1), 2)
""",
        DOUBLE, (WRONG_DOUBLE,),
    ),
    "a cached fixture that depends on a parameter": (
        """
@pytest.fixture(scope="module", params=[1, 3])
def n(request): return request.param
@pytest.fixture(scope="module")
def doubled(n): return n, double(n)
def test_a(doubled):
    n, result = doubled
    assert result == 2 * n
""",
        DOUBLE, (WRONG_DOUBLE,),
    ),
    "parameters of a test that the module calls as well": (
        """
@pytest.mark.parametrize("x", (x for x in (1, 3)))
def test_a(x): assert double(x) == 2 * x
test_a(1)
""",
        DOUBLE, (WRONG_DOUBLE,),
    ),
    "a class of tests in another": (
        """
class TestOuter:
    test_data = [1]
    class TestInner:
        def test_a(self):
            for x in [3]: assert double(x) == 2 * x
    def test_b(self): assert double(1) == 2
""",
        DOUBLE, (WRONG_DOUBLE,),
    ),
    "operators with plain values, of an object that the test makes": (
        """
def test_a():
    assert Money(5) < 10 and not Money(5) < 3 and 10 > Money(5)
    assert Money(5) == 5 and Money(5) != 6 and 5 in [Money(5)]
    assert (2 + Money(5) + 3).amount == 10 and sum([Money(1), Money(2)]) + 1 == 4
    assert len({Money(1), Money(1), Money(2)}) == 2 and {Money(3): 4}[Money(3)] == 4
    with pytest.raises(TypeError): Money(5) < "x"
    assert Money(3) @ Money(4) == 12 and abs(Money(5).half() - 2.5) < 1e-9
""",
        MONEY,
        (MONEY.replace("hash(self.amount)", "id(self)"), MONEY.replace("__radd__", "radd"),
         MONEY.replace("< self.value", "> self.value"),
         LIAR + MONEY.replace("return self.amount / 2", "return Liar()"),
         MONEY.replace("return self.amount / 2", "return self\n    __sub__ = lambda *_: 0.0")),
    ),
    "no operator of what is returned decides": (
        """
assert abs(mean([1, 3]) - 2) < 1e-9 and mean([5]) in (5, 6) and 2 in spread([1, 3])
class TestIt:
    def test_a(self):
        assert Mean([1, 3]) == 2 and spread([1, 3]) == [1, 2, 3]
""",
        MEANS,
        (f"{LIAR}mean = Mean = spread = lambda x: Liar()", f"{MEANS}{LIAR}Mean = lambda x: Liar()",
         f"{MEANS}{LIAR}spread = lambda x: Liar()", f"{MEANS}{LIAR}mean = lambda x: Liar()"),
    ),
    "exceptions of the program's": (
        """
import solution
def test_a():
    with pytest.raises(solution.Short, match="by 2") as info: solution.pay(1, 3)
    assert info.match("short") and info.value.args == ("short by 2",) and info.value.by == 2
    assert info.type is solution.Short is info.value.kind and info.typename == "Short"
    assert issubclass(solution.Short, ValueError) and solution.Short(7).by == 7
    assert isinstance(info.value.__cause__, KeyError)
def test_b():
    try: solution.pay(1, 5)
    except solution.Base as error: assert str(error) == "short by 4"
    else: assert False
""",
        ERRORS,
        (ERRORS.replace("Short(Base)", "Short(Exception)"), ERRORS.replace(" from error", ""),
         ERRORS.replace("self.by, ", "_, "), ERRORS.replace("need - have, Short", "Short, Short")),
    ),
    "async with, async for": (
        """
async def test_a():
    async with Pool(2) as pool:
        assert await pool.double(4) == 8
    async with pool: raise KeyError("k")
    assert [n async for n in pool] == [0, 1] and pool.seen == ["None", "'k'"]
    with pytest.raises(AttributeError): await pool.triple(1)
""",
        LATER,
        (LATER.replace("2 * number", "1 / 0"), LATER.replace("2 * number", "self"),
         LATER.replace("range", "map"), LATER.replace("return True", "return False")),
    ),
    "values with attributes": (
        """
import solution
(point,) = points()
assert point.x == 1 and point == (1, 3) and point.y is Level.HIGH and point == solution.Point(1, 3)
assert Level.HIGH.name == "HIGH" and Level.HIGH + 1 == 4 and type(point).__name__ == "Point"
assert count("aab").most_common(1) == [("a", 2)] and isinstance(point, solution.Point)
""",
        VALUES,
        (VALUES.replace("(1, Level.HIGH)", "(1, 3)"), VALUES.replace("(text)", "(text[1:])"),
         VALUES.replace("HIGH = 3", "HIGH = 2\n    __eq__ = lambda *_: True")),
    ),
    "operators of a global value": (
        """
import solution
assert abs(solution.PI - 3.14159) < 1e-3 and solution.PI + 1 > 4 and f"{solution.PI:.1f}" == "3.1"
assert "b" in solution.NAMES and solution.NAMES + ["c"] == ["a", "b", "c"]
assert isinstance(solution.PI, float) and solution.NAMES.index("b") == 1
""",
        CONSTANTS, (CONSTANTS.replace("'a'", "'x'"), f"{LIAR}PI = NAMES = Liar()"),
    ),
    "fixtures and parameters as pytest finds them": (
        """
import unittest
stacks = []
@pytest.fixture
def n(request): return len(request.node.name)
@pytest.fixture(scope="class")
def stack(): return Stack()
def teardown_module(): stacks.clear()
def test_first(n, stack):
    stack.push(n)
    stacks.append(stack)
    assert stack.pop() == 10
@pytest.mark.parametrize("m", [1, 2])
def test_words(*, m, stack):
    stack.push(m)
    assert len(stack) == 1
class TestIt:
    @pytest.fixture
    def n(self, n, request): return n + len(request.cls.__name__)
    def test_a(self, n, stack):
        stack.push(n)
        assert stack.pop() == 12
class Case(unittest.TestCase):
    def test_a(self): self.assertEqual(len(stacks[0]), 0)
""",
        STACK, (WRONG_STACK[1], STACK.replace("= []", "= ITEMS") + "ITEMS = []"),
    ),
    "approx": (
        """
from decimal import Decimal
nan = float("nan")
def test_a():
    assert double(nan) == pytest.approx(nan, nan_ok=True) and double(1) != pytest.approx(nan)
    assert double(Decimal("0.1")) == pytest.approx(Decimal("0.2"))
    assert [double(0.15), {"a": double(1)}][0] == pytest.approx(0.3)
    assert (double(0.1), 0) == pytest.approx((0.2, 0), rel=1e-3)
""",
        DOUBLE, ("def double(x): return float(2 * x) if x == x else 0.0",
                 'def double(x): return float("nan")'),
    ),
}  # fmt: skip
UNJUDGED = {
    "in, of what may be a class or a function": "assert 5 in Fib(10)",
    "a parameter with a default": "@pytest.mark.parametrize('x', [1])\n"
    "def test_a(x=1): assert Fib(x)",
    "what our pytest lacks": "def test_a(request):\n    assert Fib(1)\n"
    "    request.config.getini('x')",
}


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    """One worker."""
    with Judge(workers=1, limits=Limits(time_s=2, wall_s=60), reuse=False) as judge:
        yield judge


@pytest.mark.parametrize("name", CASES)
def test_only_right_programs_pass(judge: Judge, name: str) -> None:
    test_code, right, wrong = CASES[name]
    problem = {"kind": "assert", "test_code": f"import os, pytest, sys\n{test_code}"}
    verdicts = [judge.judge({"code": code}, problem).verdict for code in (right, *wrong)]
    assert verdicts[0] == "AC", judge.judge({"code": right}, problem)
    assert not {"AC", "JE"}.intersection(verdicts[1:]), verdicts


@pytest.mark.parametrize("name", UNJUDGED)
def test_what_cannot_be_judged_is_said_before_any_program_runs(judge: Judge, name: str) -> None:
    problem = {"kind": "assert", "test_code": f"import pytest\n{UNJUDGED[name]}"}
    for code in ("def Fib(n): return [5]", "class Fib:\n    __contains__ = lambda *_: True"):
        assert judge.judge({"code": code}, problem).verdict == "JE"
