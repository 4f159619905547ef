"""Test code against a candidate in another process: right programs pass, no trick does."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from microcoder_sandbox.wire import frames, packing

Run = Callable[..., dict[str, Any]]
CHECK = "assert sorted(f([2, 1])) == [1, 2]\n"
LIAR = """
class Liar:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    def __le__(self, other): return True
    def __hash__(self): return 0
    def __contains__(self, other): return True
    def __sub__(self, other): return self
    def __rsub__(self, other): return self
    def __abs__(self): return self
    def __add__(self, other): return self
"""


@pytest.mark.sampled(4, "slow")
@pytest.mark.parametrize(
    "code",
    [
        "import os\ndef f(x): os._exit(0)",
        "def f(x): raise SystemExit(0)",
        "import sys\ndef f(x): sys.exit()",
        "import os\nos._exit(0)",
        "def f(x): print('PASSED', flush=True)",
        "def f(x): raise StopIteration",
        "def f(x): raise KeyboardInterrupt",
        "f = 3",
        "x = 1",
        LIAR + "def f(x): return Liar()",
        "import os\ndef f(x): os.kill(os.getpid(), 9)",
        "def f(x): return f(x)",
        "def f(x):\n    a = []\n    a.append(a)\n    return a",
    ],
)
@pytest.mark.parametrize(
    "source",
    [
        CHECK,
        "assert f([2, 1]) == [2, 1]",
        "assert abs(f([1]) - 3) < 1e-6",
        "assert 3 in f([1])",
        "assert list(map(f, [[1], [2]])) == [[1], [2]]",
        "assert all(map(lambda x: f(x) == x, [[1], [2]]))\nassert f([1]) == [1]",
        "try:\n    assert f([2, 1]) == 4\nexcept Exception:\n    raise AssertionError from None",
    ],
)
def test_no_trick_passes(opaque: Run, code: str, source: str) -> None:
    assert opaque(code, source)["passed"] is False


def test_an_exit_inside_a_call_cannot_be_swallowed_by_the_test(opaque: Run) -> None:
    source = "try:\n    f(1)\nexcept BaseException:\n    pass\nassert 1 + 1 == 2\n"
    report = opaque("import os\ndef f(x): os._exit(0)", source)
    assert (report["passed"], report["candidate_died"]) == (False, True)


FORGERIES = {
    "not json": b"\x00\x00\x00\x01x",
    "a huge length": b"\xff\xff\xff\xff",
    "deep json": b"\x00\x01\x86\xa0" + b"[" * 100_000,
    "a list": b"\x00\x00\x00\x02[]",
    "no value": b'\x00\x00\x00\x08{"id":1}',
    "a wrong id": b'\x00\x00\x00\x14{"id":99,"ok":true}\n',
    "a report": b'\x00\x00\x00\x0f{"passed":true}',
    "a malformed tag": b'\x00\x00\x00\x1e{"id":1,"ok":{"$tuple":"abc"}}',
    "an unhashable key": b'\x00\x00\x00!{"id":1,"ok":{"$dict":[[[1],2]]}}',
    "a strange handle": b'\x00\x00\x00\x1d{"id":1,"ok":{"$handle":"x"}}',
    "a raise of nothing": b'\x00\x00\x00\x13{"id":1,"raised":3}',
    "a change of nothing": b'\x00\x00\x00-{"id":1,"ok":4,"changed":{"args":[[7,[]]]}}  ',
    "a value, then noise": b'\x00\x00\x00\x0f{"id":1,"ok":4}' + b"noise",
}


@pytest.mark.parametrize("name", sorted(FORGERIES))
def test_forged_frames_are_the_candidates_failure(opaque: Run, name: str) -> None:
    code = (
        "import os, sys\n"
        f"def f(x):\n    os.write(int(sys.argv[2]), {FORGERIES[name]!r})\n    os._exit(0)\n"
    )
    report = opaque(code, "assert f(1) == 5\n")
    assert report["passed"] is False
    assert report["unsupported"] is False


def test_patching_the_library_changes_nothing(opaque: Run) -> None:
    code = (
        "import json, os, builtins\n"
        "json.dumps = lambda *a, **k: '[1, 2]'\nbuiltins.len = lambda x: 0\n"
        "def f(x): return [9]\n"
    )
    assert opaque(code, CHECK)["passed"] is False


def test_a_right_program_passes_and_is_counted(opaque: Run) -> None:
    source = "for n in range(3):\n    assert f([n]) == [n]\nassert len(f([])) == 0\n"
    report = opaque("def f(x): return x", source)
    assert report["passed"] is True
    assert report["assertions_run"] == 4


def test_the_failing_assertion_is_named(opaque: Run) -> None:
    report = opaque("def f(x): return x", "assert f(1) + 1 == 2\nassert f(2) + 1 == 4\n")
    assert report["failed_assertion"] == "assert f(2) + 1 == 4"


@pytest.mark.parametrize("source", ["if f(1) == 7:\n    assert f(1)", "def check(c):\n    c(1)"])
def test_without_a_completed_assertion_nothing_passes(opaque: Run, source: str) -> None:
    assert opaque("def f(x): return x", source, entry="f")["passed"] is False


def test_fewer_assertions_than_expected_do_not_pass(opaque: Run) -> None:
    assert opaque("def f(x): return x", "assert f(1) == 1", expected=2)["passed"] is False


def test_lists_and_trees_cross_by_structure(opaque: Run) -> None:
    code = (
        "class ListNode:\n    def __init__(self, val=0, next=None):\n"
        "        self.val, self.next = val, next\n"
        "class Solution:\n"
        "    def rev(self, head):\n        last = None\n        while head:\n"
        "            head.next, last, head = last, head, head.next\n        return last\n"
        "    def mirror(self, t):\n        if t:\n"
        "            m = self.mirror\n"
        "            t.left, t.right = m(t.right), m(t.left)\n        return t\n"
        "    def cycle(self, head):\n        head.next = head\n        return head\n"
    )
    right = (
        "assert is_same_list(Solution().rev(list_node([1, 2, 3])), list_node([3, 2, 1]))\n"
        "assert is_same_list(Solution().rev(ListNode(1, ListNode(2))), list_node([2, 1]))\n"
        "assert Solution().rev(list_node([])) is None\n"
        "t = tree_node([1, 2, 3, None, 4])\n"
        "assert is_same_tree(Solution().mirror(t), tree_node([1, 3, 2, None, None, 4]))\n"
        "assert is_same_tree(t, tree_node([1, 3, 2, None, None, 4]))\n"
    )
    assert opaque(code, right)["error"] is None
    wrong = "assert is_same_list(Solution().rev(list_node([1, 2])), list_node([1, 2]))"
    assert opaque(code, wrong)["passed"] is False
    cycle = "assert is_same_list(Solution().cycle(list_node([1])), list_node([1]))"
    assert opaque(code, cycle)["passed"] is False


def test_helpers_of_the_candidate_do_not_replace_the_trusted_ones(opaque: Run) -> None:
    code = "def is_same_list(a, b): return True\ndef f(x): return None\n"
    report = opaque(code, "assert is_same_list(f(list_node([1])), list_node([1]))")
    assert report["passed"] is False


def test_arguments_changed_in_place_come_back(opaque: Run) -> None:
    code = (
        "def f(x, d, s):\n    x.reverse()\n    x[0].append(9)\n    d['k'] = 1\n    s.add(5)\n"
        "def g(x):\n    x.append(x)\n"
    )
    source = (
        "inner = [3]\nx, d, s = [[1], inner], {}, set()\n"
        "assert f(x, d, s) is None\n"
        "assert (x, d, s) == ([[3, 9], [1]], {'k': 1}, {5})\n"
    )
    assert opaque(code, source)["error"] is None
    assert opaque(code, "x = [1]\ng(x)\nassert x == [1]")["passed"] is False


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ("[3, 1, 2]", "[1, 2, 3]", "x.sort()"),
        ("[[3, 1]]", "[[1, 3]]", "x[0].sort()"),
        ("{'a': [1]}", "{'a': [1, 2]}", "x['a'].append(2)"),
        ("[]", "[1]", "x.append(1)"),
    ],
)
def test_a_flat_list_that_is_changed_in_place_comes_back(
    opaque: Run, before: str, after: str, change: str
) -> None:
    code = f"def f(x): {change}"
    assert opaque(code, f"x = {before}\nf(x)\nassert x == {after}")["error"] is None
    assert opaque(code, f"x = {before}\nf(x)\nassert x == {before}")["passed"] is False


def test_objects_of_the_candidate_are_handles(opaque: Run) -> None:
    code = (
        "class Node:\n    def __init__(self, v): self.v, self.next = v, None\n"
        "    def twice(self): return 2 * self.v\n    def __len__(self): return 7\n"
        "    def __getitem__(self, i): return i + 1\n    def __str__(self): return 'node'\n"
        "def total(n): return n.v + (total(n.next) if n.next else 0)\n"
        "def same(n): return n\n"
        "def count():\n    yield 1\n    yield 2\n"
    )
    source = (
        "a, b = Node(1), Node(2)\na.next = b\n"
        "assert total(a) == 3 and a.next is b and same(a) == a and a != b\n"
        "assert a.twice() == 2 and len(a) == 7 and a[1] == 2 and str(a) == 'node'\n"
        "assert isinstance(a, Node) and not isinstance(3, Node)\n"
        "assert hasattr(a, 'v') and not hasattr(a, 'w')\n"
        "assert [n.v for n in [same(a), same(b)]] == [1, 2]\n"
        "c = count()\nassert next(c) == 1 and list(c) == [2] and list(count()) == [1, 2]\n"
    )
    assert opaque(code, source)["error"] is None


def test_exceptions_come_as_what_the_test_can_catch(opaque: Run) -> None:
    code = (
        "class Odd(ValueError): pass\nclass Own(Exception): pass\n"
        "def f(x):\n    if x == 0: raise ValueError('zero')\n    if x == 1: raise Odd('one')\n"
        "    if x == 2: raise Own('two')\n    if x == 3: b'\\xff'.decode()\n    return x\n"
    )
    source = (
        "import pytest\nfrom solution import f, Own\n"
        "def test_raises():\n"
        "    with pytest.raises(ValueError, match='zero') as info:\n        f(0)\n"
        "    assert str(info.value) == 'zero'\n"
        "    with pytest.raises(ValueError):\n        f(1)\n"
        "    with pytest.raises(Own):\n        f(2)\n"
        "    with pytest.raises(ValueError):\n        f(3)\n"
        "    try:\n        f(0)\n        assert False\n    except ValueError:\n        pass\n"
        "@pytest.mark.parametrize('x, y', [(4, 4), (5, 5)])\n"
        "def test_many(x, y):\n    assert f(x) == y\n"
    )
    report = opaque(code, source, expected=6)
    assert report["error"] is None
    assert opaque("def f(x): return x\nOwn = ValueError", source)["passed"] is False


def test_an_exception_is_caught_by_each_of_its_classes(opaque: Run) -> None:
    code = (
        "class Own(Exception): pass\nclass Odd(Own, ValueError): pass\n"
        "def f(x):\n    raise Odd('one')\n"
    )
    source = (
        "import pytest\nfrom solution import f, Odd, Own\n"
        "def test_raises():\n"
        "    for kind in Odd, Own, ValueError, Exception:\n"
        "        with pytest.raises(kind, match='one'):\n            f(0)\n"
        "    with pytest.raises(Odd):\n        f(0)\n"
        "    with pytest.raises(Own):\n        f(0)\n"
        "def test_no_other():\n"
        "    try:\n        f(0)\n        assert False\n"
        "    except KeyError:\n        assert False\n    except Own:\n        pass\n"
    )
    report = opaque(code, source, expected=2)
    assert report["error"] is None
    assert opaque(code.replace("Own, ValueError", "KeyError"), source)["passed"] is False


def test_an_exception_keeps_its_text_arguments_and_attributes(opaque: Run) -> None:
    code = (
        "class Odd(ValueError):\n"
        "    def __init__(self, code):\n"
        "        super().__init__('odd', code)\n"
        "        self.code, self.by, self.no = code, self, None\n"
        "    def __str__(self): return f'code {self.code}'\n"
        "def f(x):\n    raise Odd(x)\ndef g(x):\n    return {}[x]\n"
    )
    source = (
        "try:\n    f([5])\n    assert False\n"
        "except Odd as error:\n"
        "    assert (str(error), error.args, error.code) == ('code [5]', ('odd', [5]), [5])\n"
        "    assert error.no is None and error.by.code == [5] and not hasattr(error, 'ok')\n"
        "try:\n    g('k')\n    assert False\n"
        "except KeyError as error:\n"
        "    assert str(error) == \"'k'\" and error.args[0] == 'k' and type(error) is KeyError\n"
    )
    assert opaque(code, source, expected=5)["error"] is None


def test_unittest_runs_and_one_failure_decides(opaque: Run) -> None:
    source = (
        "import unittest\nfrom solution import f\n"
        "class Test(unittest.TestCase):\n"
        "    def setUp(self): self.x = 2\n"
        "    def test_a(self):\n        self.assertEqual(f(self.x), 4)\n"
        "    def test_b(self):\n        with self.assertRaises(TypeError):\n            f('a')\n"
        "if __name__ == '__main__':\n    unittest.main()\n"
    )
    assert opaque("def f(x): return x ** 2", source, expected=2)["error"] is None
    assert opaque("def f(x): return 4", source, expected=2)["passed"] is False


@pytest.mark.parametrize(
    "source",
    [
        "assert f(lambda x: x) == 1",
        "class Mine:\n    __slots__ = ()\nassert f(Mine()) == 1",
        "assert f(1).x + 1 == 2\nfor y in f(2):\n    assert f([y, lambda: 0]) == 1",
        "class Mine(f): pass\nassert Mine() == 1",
        "import no_such_package\nassert f(1) == 1",
        "def test_x(tmp_path):\n    assert f(1) == 1",
        "import pytest\n@pytest.fixture\ndef x(capsys): return 1\n"
        "def test_x(x):\n    assert f(x) == 1",
    ],
)
def test_what_needs_the_candidates_process_shows_without_a_candidate(source: str) -> None:
    assert run_dry(source)["unsupported"] is True


@pytest.mark.parametrize(
    "source",
    [
        "r = f(1)\nassert f(r[0], r.x) == 1",
        "try:\n    import no_such_package\nexcept ImportError:\n    pass\nassert f(1) == 1",
        "import unittest\nclass T(unittest.TestCase):\n    def test_x(self):\n"
        "        self.assertEqual(f(1) + 1, 2)\n",
        "import pytest\nwith pytest.raises(ValueError):\n    f(1)",
        "for x in f(1):\n    assert len(x) == 3 and str(x)\nassert sorted(f(2)) == [1]",
    ],
)
def test_what_can_be_run_shows_without_a_candidate(source: str) -> None:
    assert run_dry(source)["unsupported"] is False


def run_dry(source: str) -> dict[str, Any]:
    reader, writer = os.pipe()
    code = (
        "import sys\nfrom microcoder_sandbox.test_runner import runner\n"
        "runner.run_tests(sys.argv[1], 1, 'f', -1, -1, int(sys.argv[2]))"
    )
    subprocess.run([sys.executable, "-c", code, source, str(writer)], pass_fds=[writer], check=True)
    os.close(writer)
    frame = frames.read_frame(reader)
    os.close(reader)
    assert frame is not None
    report: dict[str, Any] = frame[0]
    return report


@pytest.mark.parametrize(
    "code",
    [
        "def f(x): raise ImportError('no')",
        "def f(x):\n    a = []\n    for _ in range(140): a = [a]\n    return a",
        "class C: pass\ndef f(x): return C()",
    ],
)
def test_a_candidate_cannot_turn_its_failure_into_the_judges(opaque: Run, code: str) -> None:
    report = opaque(code, "y = f(1)\nassert f([[[[[[[[[[[[[[[y]]]]]]]]]]]]]]]) == 1")
    assert (report["passed"], report["unsupported"]) == (False, False)


def test_a_spoilt_argument_is_not_the_judges_failure(opaque: Run) -> None:
    code = "def f(x):\n    x.append(x)\n    return 1\n"
    report = opaque(code, "x = [1]\nassert f(x) == 1\nassert f(x) == 1")
    assert (report["passed"], report["unsupported"]) == (False, False)


def test_python_values_keep_their_types_and_types_cross(opaque: Run) -> None:
    code = (
        "from collections import deque, Counter\n"
        "def f(x): return x\ndef only(xs, t): return [x for x in xs if type(x) is t]\n"
        "def counted(s): return Counter(s)\n"
    )
    source = (
        "for v in [(1, [2]), {1: {2}}, frozenset([1]), b'x', 1j, None, True, 10 ** 5000, "
        "{'$tuple': [1]}, {'$handle': 0}, inf, deque([1]), range(3), int, -0.0, {}, 'é\\ud800']:\n"
        "    got = f(v)\n    assert got == v and type(got) is type(v)\n"
        "assert f((1,)) != [1]\nassert only((1, 'a', 2.0), int) == [1]\n"
        "assert counted('aab') == {'a': 2, 'b': 1}\n"
    )
    assert opaque(code, source)["error"] is None


def test_dates_decimals_and_fractions_cross(opaque: Run) -> None:
    code = (
        "from datetime import *\nfrom decimal import Decimal\nfrom fractions import Fraction\n"
        "def f(x): return x\ndef day(): return date(2020, 1, 2)\n"
        "class Liar(Decimal):\n    def __eq__(self, other): return True\n"
        "def lie(): return Liar(1)\n"
    )
    source = (
        "from datetime import date, datetime, time, timedelta, timezone\n"
        "from decimal import Decimal\nfrom fractions import Fraction\n"
        "for v in [date(2020, 1, 2), time(3, 4, 5, 6), datetime(2020, 1, 2, 3, 4, 5, 6), "
        "datetime(2020, 1, 2, tzinfo=timezone.utc), timedelta(-1, 2, 3), Decimal('1.50'), "
        "Decimal('Infinity'), Fraction(10 ** 5000, 3), {date(2020, 1, 2): [Decimal(1)]}]:\n"
        "    result = f(v)\n    assert result == v and type(result) is type(v)\n"
        "assert day() + timedelta(days=1) == date(2020, 1, 3)\n"
    )
    assert opaque(code, source)["error"] is None
    lie = "from decimal import Decimal\nassert lie() == Decimal(2)"
    assert opaque(code, lie)["passed"] is False


def test_a_frame_above_the_cap_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "MAX_FRAME_BYTES", 10)
    read_fd, write_fd = os.pipe()
    try:
        with pytest.raises(frames.FrameError):
            frames.write_frame(write_fd, "x" * 20)
        os.write(write_fd, b"\x00\x00\x00\x14")
        with pytest.raises(frames.FrameError):
            frames.read_frame(read_fd)
    finally:
        os.close(read_fd)
        os.close(write_fd)


def test_a_shared_list_that_unfolds_without_end_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(packing, "MAX_ITEMS", 10_000)
    value: list[Any] = []
    for _ in range(60):
        value = [value, value]
    with pytest.raises(packing.NotPlainError):
        packing.Packer(lambda _: None).pack(value)


def test_text_is_evaluated_only_before_the_candidate_is_called(opaque: Run) -> None:
    source = (
        "def make():\n    def run(text):\n        return eval(text)\n    return run\n"
        "run = make()\nx = run('1')\nassert x == 1\nassert run(f()) == 1\n"
    )
    report = opaque("def f(): return '1'", source)
    assert (report["passed"], report["unsupported"]) == (False, True)
    assert opaque("def f(): return 1", source.replace("run(f())", "f()"))["passed"]


NODE = """
class Node:
    def __init__(self, value, next=None): self.value, self.next = value, next
    def is_last(self): return self.next is None
"""


@pytest.mark.parametrize(
    "body",
    [
        "type(node).is_last = lambda self: True\n    return node",
        "node.is_last = lambda: True\n    return node",
        "node.is_last = print\n    return node",
        "node.is_last = True\n    return node",
        "class Node:\n        def is_last(self): return True\n    return Node()",
        "type(node).__eq__ = lambda *pair: True\n    return node",
        "node.next = node\n    return node",
        "vars(node).clear()\n    return node",
    ],
)
def test_no_trick_with_an_object_of_the_tests_passes(opaque: Run, body: str) -> None:
    source = NODE + "head = Node(1, Node(2))\nlast = f(head)\n"
    source += "assert last.is_last() is True and last is head.next\n"
    assert opaque("def f(node):\n    return node.next", source)["passed"]
    assert not opaque(f"def f(node):\n    {body}", source)["passed"]


def test_a_class_of_tests_that_import_the_program_leaves_its_names_alone(opaque: Run) -> None:
    source = f"from solution import f\n{NODE}\nassert f(Node(1)) == (1, False)\n"
    code = "class Node: pass\ndef f(node): return node.value, isinstance(node, Node)"
    assert opaque(code, source)["passed"]
    assert not opaque(code, source.replace("from solution import f", ""))["passed"]


FORGED_STATES = [
    "[[2, 'Node', {}]]",
    "[['x', 'Node', {}]]",
    "[[1, 'Node']]",
    "[[1, 'Node', {'value': {'$instance': 77}}]]",
    "7",
    "{'a': 1}",
]


def test_operators_between_objects_of_the_candidate_are_its_own(opaque: Run) -> None:
    code = (
        "class V:\n    def __init__(self, x): self.x = x\n"
        "    def __add__(self, other): return V(self.x + other.x)\n"
        "    def __mul__(self, k): return V(self.x * k)\n    __rmul__ = __mul__\n"
        "    def __lt__(self, other): return self.x < other.x\n"
        "    def __neg__(self): return V(-self.x)\n    def __abs__(self): return abs(self.x)\n"
        "    def __int__(self): return int(self.x)\n    def __float__(self): return 0.5\n"
        "    def __round__(self, n): return round(self.x, n)\n"
        "    def __getitem__(self, key): return key\n"
        "def pair(): return [1], [2]\n"
    )
    source = (
        "import copy\na, b = V(1), V(2)\n"
        "assert (a + b).x == 3 and (b * 3).x == 6 and (3 * b).x == 6 and sum([b], a).x == 3\n"
        "assert a < b and b > a and [v.x for v in sorted([b, a])] == [1, 2]\n"
        "assert (-a).x == -1 and abs(-b) == 2 and int(b) == 2 and float(b) == 0.5\n"
        "assert round(V(1.25), 1) == 1.2 and a[1:2] == slice(1, 2) and a[1, None] == (1, None)\n"
        "c = copy.deepcopy(a)\nc.x = 5\nassert (a.x, c.x, copy.copy(a).x) == (1, 5, 1)\n"
        "assert copy.deepcopy(pair()) == ([1], [2])\n"
    )
    assert opaque(code, source, expected=6)["error"] is None


def test_coroutines_are_awaited(opaque: Run) -> None:
    code = (
        "import asyncio\n"
        "async def f(x):\n    await asyncio.sleep(0)\n    return x + 1\n"
        "class C:\n    def __init__(self): self.lock = asyncio.Lock()\n"
        "    async def go(self):\n        async with self.lock: return await f(1)\n"
        "async def bad(): raise ValueError('no')\n"
    )
    source = (
        "import asyncio, unittest\n"
        "class T(unittest.IsolatedAsyncioTestCase):\n"
        "    async def test_a(self):\n"
        "        c = C()\n"
        "        self.assertEqual(await f(1), 2)\n"
        "        self.assertEqual([await c.go(), await c.go()], [2, 2])\n"
        "        self.assertEqual(await asyncio.gather(f(1), f(2)), [2, 3])\n"
        "        with self.assertRaises(ValueError):\n            await bad()\n"
        "    def test_b(self):\n        self.assertEqual(asyncio.run(f(1)), 2)\n"
    )
    assert opaque(code, source, expected=5)["error"] is None
    assert opaque(code.replace("x + 1", "x"), source, expected=5)["passed"] is False
    assert opaque("async def f(x): return x", "assert f(1) == 1")["passed"] is False


def test_tests_may_call_from_threads(opaque: Run) -> None:
    code = "class C:\n    def __init__(self): self.n = 0\n    def add(self, k): self.n += k\n"
    source = (
        "from threading import Thread\nc = C()\n"
        "threads = [Thread(target=lambda: [c.add(1) for _ in range(200)]) for _ in range(4)]\n"
        "for t in threads: t.start()\nfor t in threads: t.join()\nassert c.n == 800\n"
    )
    assert opaque(code, source)["error"] is None


@pytest.mark.parametrize("states", FORGED_STATES)
def test_malformed_objects_are_the_candidates_failure(opaque: Run, states: str) -> None:
    code = (
        "from microcoder_sandbox.wire import instances\n"
        f"def forge(table, pack): return {states}\n"
        "instances.InstanceTable.pack_states = forge\n"
        "def f(node): return 1\n"
    )
    report = opaque(code, NODE + "assert f(Node(1)) == 1\n")
    assert (report["passed"], report["candidate_died"]) == (False, True)
