"""Test code against a candidate in another process: right programs pass, no trick does."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from microcoder_sandbox.rpc import packing, sharing
from microcoder_sandbox.wire import frames
from microcoder_sandbox.wire.runner_messages import RunnerReport
from tests.files import read_table
from tests.python_tests.conftest import Starter

Run = Callable[..., RunnerReport]
Dry = Callable[[str], RunnerReport]
CASES = read_table(__file__)
DRY_RUNS = read_table(__file__, "dry_runs.toml")
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


@pytest.fixture
def dry_run(starter: Starter, tmp_path: Path) -> Dry:
    """dry(source): the report on tests alone."""
    code = (
        "import sys\nfrom microcoder_sandbox.test_runner import runner\n"
        "job = runner.RunnerJob(open(sys.argv[2]).read(), 'f')\n"
        "runner.run_tests(job, -1, -1, int(sys.argv[1]))"
    )

    def run(source: str) -> RunnerReport:
        file = tmp_path / "source"
        file.write_text(source)
        reader, writer = os.pipe()
        process = starter.start(code, [writer], file)
        try:
            frame = frames.read_frame(reader)
        finally:
            starter.end(process)
            os.close(reader)
        assert frame is not None
        return RunnerReport(*frame[0])

    return run


@pytest.mark.parametrize("name", CASES)
def test_tests_pass_for_right_programs_and_for_no_others(
    opaque: Run, dry_run: Dry, name: str
) -> None:
    case = CASES[name]
    assert dry_run(case["tests"]).unsupported is False
    assert opaque(case["code"], case["tests"]).error is None
    for wrong in case.get("wrong", ()):
        pair = {**case, **wrong}
        assert opaque(pair["code"], pair["tests"]).passed is False


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
    assert opaque(code, source).passed is False


def test_a_function_in_capitals_is_no_class_where_only_values_are_expected_of_it(
    opaque: Run,
) -> None:
    code = LIAR + "class Mean(Liar):\n    def __init__(self, x): pass"
    for source in ("assert abs(Mean([1]) - 3) < 1e-6", "assert Mean([1]) == Meant([1]) == 3"):
        assert opaque(code + "\nMeant = Mean", source).passed is False


def test_an_exit_inside_a_call_cannot_be_swallowed_by_the_test(opaque: Run) -> None:
    source = "try:\n    f(1)\nexcept BaseException:\n    pass\nassert 1 + 1 == 2\n"
    report = opaque("import os\ndef f(x): os._exit(0)", source)
    assert (report.passed, report.candidate_died) == (False, True)


def _frame(**reply: Any) -> bytes:
    body = json.dumps({"id": 1, **reply}).encode()
    return len(body).to_bytes(4, "big") + body


FORGERIES = {
    "a function of the library": _frame(ok={"$library": ["os", "getpid"]}),
    "a function of its own": _frame(
        ok={"$instance": 1}, instances=[[1, "$function", {"code": {"$bytes": "4wAAAAA="}}]]
    ),
    "a class of no test": _frame(ok={"$class": "Node"}),
    "a value of no class": _frame(ok={"$value": ["Node", 5]}),
    "a deque without its length": _frame(ok={"$deque": []}),
    "an exception of nothing": _frame(ok={"$error": {"raised": 5, "attributes": 5, "cause": 5}}),
    "attributes that are none": _frame(raised=["ValueError"], attributes={"$dict": [[1, 2]]}),
    "a cause of causes": _frame(raised=["ValueError"], cause={"cause": {"args": {"$error": 5}}}),
    "an exception that passes": _frame(
        raised=["builtins.SystemExit"], args={"$tuple": [0]}, attributes={"code": 0}
    ),
    "not json": b"\x00\x00\x00\x01x",
    "a huge length": b"\xff\xff\xff\xff",
    "deep json": b"\x00\x01\x86\xa0" + b"[" * 100_000,
    "a list": b"\x00\x00\x00\x02[]",
    "no value": b'\x00\x00\x00\x08{"id":1}',
    "a wrong id": _frame(id=99, ok=5),
    "a report": b'\x00\x00\x00\x0f{"passed":true}',
    "a malformed tag": b'\x00\x00\x00\x1e{"id":1,"ok":{"$tuple":"abc"}}',
    "an unhashable key": _frame(ok={"$dict": [[{"a": 1}, 2]]}),
    "a strange handle": b'\x00\x00\x00\x1d{"id":1,"ok":{"$handle":"x"}}',
    "a raise of nothing": b'\x00\x00\x00\x13{"id":1,"raised":3}',
    "a wrong value, then noise": _frame(ok=4) + b"noise",
}


@pytest.mark.parametrize("name", ["nothing false", *FORGERIES])
def test_forged_frames_are_the_candidates_failure(opaque: Run, name: str) -> None:
    frame = FORGERIES.get(name, _frame(ok=5))
    code = (
        f"import os, sys\ndef f(x):\n    os.write(int(sys.argv[2]), {frame!r})\n    os._exit(0)\n"
    )
    report = opaque(code, "assert f(1) == 5\n")
    assert report.passed is (name not in FORGERIES)
    assert report.unsupported is False


FIRST = 4  # the number of the first thing in a reply that is not the test's
GIANT = [[], *([{"$same": n}] * 2 for n in range(FIRST + 1, FIRST + 60))]
SHARED = {
    "a change of what is not there": {"changed": [[99, [1]]]},
    "a change of no number": {"changed": [[True, [5]]]},
    "a negative number": {"changed": [[-1, {"$set": [5]}]]},
    "changes that are none": {"changed": 5},
    "half a change": {"changed": [[0]]},
    "a list becomes a set": {"changed": [[0, {"$set": [1]}]]},
    "a dict becomes a counter": {"changed": [[2, {"$collection": ["Counter", {}]}]]},
    "a set becomes a number": {"changed": [[3, 5]]},
    "a list becomes an object": {"changed": [[0, {"$handle": 1}]]},
    "a set takes what has no hash": {"changed": [[3, {"$set": [{"$same": 1}]}]]},
    "a list holds itself": {"changed": [[0, [{"$same": 0}]]]},
    "two hold each other": {"changed": [[1, [{"$same": 2}]], [2, {"k": {"$same": 0}}]]},
    "a giant": {"changed": [[0, GIANT]]},
    "a giant beside an error": {"changed": [[0, GIANT]], "ok": ...},
    "a giant value": {"ok": GIANT},
    "drops that are none": {"dropped": 5},
    "a drop of no number": {"dropped": [[0]]},
    "a reference forward": {"ok": [{"$same": FIRST + 1}, []]},
    "a reference to itself": {"ok": [{"$same": FIRST}]},
    "a negative reference": {"ok": {"$same": -1}},
    "a reference to no number": {"ok": {"$same": [0]}},
    "a reference to true": {"ok": {"$same": True}},
    "a key without a hash": {"ok": {"$dict": [[{"$same": 0}, 1]]}},
    "a tuple of a reference": {"ok": {"$tuple": {"$same": 0}}},
    "a collection of a list": {"ok": {"$collection": ["Counter", {"$same": 0}]}},
}


@pytest.mark.sampled(3, "slow")
@pytest.mark.parametrize("name", ["nothing false", *SHARED])
def test_forged_references_and_changes_are_the_candidates_failure(opaque: Run, name: str) -> None:
    right = {"id": 1, "ok": [{"$same": 1}], "changed": [[1, [7]]]}
    reply = {**right, **SHARED.get(name, {})}
    body = json.dumps({key: item for key, item in reply.items() if item is not ...}).encode()
    code = (
        f"import os, sys\ndef f(*_):\n    body = {body!r}\n"
        "    os.write(int(sys.argv[2]), len(body).to_bytes(4, 'big') + body)\n    os._exit(0)\n"
    )
    source = "x = [1, [2]]\ntry:\n    y = f(x, {'k': 1}, {3})\nexcept Exception:\n    y = x\n"
    report = opaque(code, source + "assert y[-1] is x[1]\n")
    assert (report.passed, report.candidate_died) == (not SHARED.get(name), name in SHARED)


def test_patching_the_library_changes_nothing(opaque: Run) -> None:
    code = (
        "import json, os, builtins\n"
        "json.dumps = lambda *a, **k: '[1, 2]'\nbuiltins.len = lambda x: 0\n"
        "def f(x): return [9]\n"
    )
    assert opaque(code, CHECK).passed is False


def test_a_right_program_passes(opaque: Run) -> None:
    source = "for n in range(3):\n    assert f([n]) == [n]\nassert len(f([])) == 0\n"
    assert opaque("def f(x): return x", source).passed is True


def test_the_failing_assertion_is_named(opaque: Run) -> None:
    report = opaque("def f(x): return x", "assert f(1) + 1 == 2\nassert f(2) + 1 == 4\n")
    assert report.failed_assertion == "assert f(2) + 1 == 4"


@pytest.mark.parametrize(
    "source",
    ["if f(1) == 7:\n    assert f(1)", "def check(c):\n    if c(1) == 7:\n        assert c(1)"],
)
def test_without_a_completed_assertion_nothing_passes(opaque: Run, source: str) -> None:
    assert opaque("def f(x): return x", source, entry="f").passed is False


def test_fewer_assertions_than_straight_lines_hold_do_not_pass(opaque: Run) -> None:
    source = "assert f(1) == 1\ndef test_b():\n    assert f(2) == 2\n"
    assert opaque("def f(x): return x", source).passed is True
    assert opaque("def f(x): return x", f"{source}del test_b").passed is False


def test_helpers_of_the_candidate_do_not_replace_the_trusted_ones(opaque: Run) -> None:
    code = "def is_same_list(a, b): return True\ndef f(x): return None\n"
    report = opaque(code, "assert is_same_list(f(list_node([1])), list_node([1]))")
    assert report.passed is False


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
    assert opaque(code, f"x = {before}\nf(x)\nassert x == {after}").error is None
    assert opaque(code, f"x = {before}\nf(x)\nassert x == {before}").passed is False


@pytest.mark.parametrize("name", DRY_RUNS["needs_the_process"])
def test_what_needs_the_candidates_process_shows_without_a_candidate(
    dry_run: Dry, name: str
) -> None:
    assert dry_run(DRY_RUNS["needs_the_process"][name]).unsupported is True


@pytest.mark.parametrize("name", DRY_RUNS["can_be_run"])
def test_what_can_be_run_shows_without_a_candidate(dry_run: Dry, name: str) -> None:
    assert dry_run(DRY_RUNS["can_be_run"][name]).unsupported is False


NESTED = "y = f(1)\nassert f([[[[[[[[[[[[[[[y]]]]]]]]]]]]]]]) == 1"
TWICE = "x = [1]\nassert f(x) == 1\nassert f(x) == 1"
ANOTHER_ERROR = "try:\n    f(1)\nexcept NameError:\n    raise ImportError('no f') from None\n"


@pytest.mark.parametrize(
    ("code", "source"),
    [
        ("def f(x): raise ImportError('no')", NESTED),
        ("def f(x):\n    a = []\n    for _ in range(140): a = [a]\n    return a", NESTED),
        ("class C: pass\ndef f(x): return C()", NESTED),
        ("def f(x):\n    x.append(x)\n    return 1", TWICE),
        ("x = 1", ANOTHER_ERROR + "assert f(1) == 1"),
    ],
)
def test_a_candidate_cannot_turn_its_failure_into_the_judges(
    opaque: Run, code: str, source: str
) -> None:
    report = opaque(code, source)
    assert (report.passed, report.unsupported) == (False, False)


def test_a_frame_above_the_cap_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "MAX_FRAME_BYTES", 10)
    read_fd, write_fd = os.pipe()
    try:
        with pytest.raises(ValueError, match="bytes"):
            frames.write_frame(write_fd, "x" * 20)
        os.write(write_fd, b"\x00\x00\x00\x14")
        with pytest.raises(ValueError, match="bytes"):
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
    with pytest.raises(sharing.UnsendableError):
        packing.Packer(lambda _: None).pack(value)


def test_only_what_somebody_holds_is_compared_with_the_next_message() -> None:
    table, kept, changed, row = sharing.SharedTable(), [1], [2], [3]
    table.agree([[kept, row], kept, row, changed, *map(list, [[6]] * 9)], [])
    changed.append(7)
    del changed, row
    assert table.find_changes() == [3]  # the other side may hold it
    table.agree([], [3])
    assert table.find_changes() == []
    assert table.drop_unused() == [0, 2, *range(3, 13)]
    assert [*table.values] == [1]


def test_text_is_evaluated_only_before_the_candidate_is_called(opaque: Run) -> None:
    source = (
        "def make():\n    def run(text):\n        return eval(text)\n    return run\n"
        "run = make()\nx = run('1')\nassert x == 1\nassert run(f()) == 1\n"
    )
    report = opaque("def f(): return '1'", source)
    assert (report.passed, report.unsupported) == (False, True)
    assert opaque("def f(): return 1", source.replace("run(f())", "f()")).passed


@pytest.mark.parametrize(
    "source",
    [
        "assert eval(f(1)) == 1",
        "r = [f(1)]\nassert list(map(eval, r)) == [1]",
        "def g(text):\n    return eval(text)\nassert g('1') == f(1)\nassert f(2) == g('2')",
        "def g(text):\n    return eval(text)\ndef check(c):\n    assert c(1) == g('1')",
        "import asyncio\nasync def g(text):\n    return eval(text)\n"
        "assert asyncio.run(g(f(1))) == 1",
    ],
)
def test_text_evaluated_after_a_call_is_refused_before_any_program_runs(
    dry_run: Dry, source: str
) -> None:
    assert dry_run(source).unsupported


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
    assert opaque("def f(node):\n    return node.next", source).passed
    assert not opaque(f"def f(node):\n    {body}", source).passed


def test_a_class_of_tests_that_import_the_program_leaves_its_names_alone(opaque: Run) -> None:
    source = f"from solution import f\n{NODE}\nassert f(Node(1)) == (1, False)\n"
    code = "class Node: pass\ndef f(node): return node.value, isinstance(node, Node)"
    assert opaque(code, source).passed
    assert not opaque(code, source.replace("from solution import f", "")).passed


FORGED_STATES = [
    "[[2, 'Node', {}]]",
    "[['x', 'Node', {}]]",
    "[[1, 'Node']]",
    "[[1, 'Node', {'value': {'$instance': 77}}]]",
    "7",
    "{'a': 1}",
]


@pytest.mark.parametrize("states", FORGED_STATES)
def test_malformed_objects_are_the_candidates_failure(opaque: Run, states: str) -> None:
    code = (
        "from microcoder_sandbox.rpc import instances\n"
        f"def forge(*_): return {{'ok': 1, 'instances': {states}}}, []\n"
        "instances.InstanceTable.pack_message = forge\n"
        "def f(node): return 1\n"
    )
    report = opaque(code, NODE + "assert f(Node(1)) == 1\n")
    assert (report.passed, report.candidate_died) == (False, True)
