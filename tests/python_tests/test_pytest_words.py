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
}  # fmt: skip


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
