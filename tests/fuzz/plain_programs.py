"""Programs of plain statements, each of which would show a value that an earlier test left."""

from __future__ import annotations

from hypothesis import strategies as st

from microcoder_eval.plain.gate import is_plain

# Each adds to ``total`` what depends on the state that it changes: in a fresh module always the
# same. {n} is a small number, {i} the statement's place.
_STATEMENTS = """\
def f{i}(x, seen=[]):
    seen.append(x)
    return len(seen)
for _ in range({n}): total += f{i}(1)
---
class A{i}:
    count = {n}
A{i}.count += 1
total += A{i}.count
---
class B{i}:
    shared = []
    def add(self):
        self.shared.append({n})
        return len(self.shared)
total += B{i}().add() + B{i}().add()
---
@functools.lru_cache(None)
def h{i}(x):
    total_list.append(x)
    return x
h{i}({n}); h{i}({n})
total += len(total_list)
---
@functools.cache
def k{i}(x): return len(total_list) + x
total_list.append(1)
total += k{i}({n})
---
c{i} = collections.Counter('aab')
c{i}.update('a' * {n})
total += c{i}['a']
---
d{i} = collections.defaultdict(list)
d{i}[{n}].append(1)
total += len(d{i}[{n}])
---
q{i} = collections.deque([{n}], maxlen=2)
q{i}.append(1); q{i}.append(2)
total += q{i}[0]
---
h_{i} = [{n}, 3, 1]
heapq.heapify(h_{i})
total += heapq.heappop(h_{i}) + len(h_{i})
---
total += sum(itertools.islice(itertools.count({n}), 3))
---
it{i} = iter([1, {n}, 3])
next(it{i})
total += next(it{i})
---
gen{i} = (x * {n} for x in total_list)
total += sum(gen{i})
total_list.append({n})
---
try:
    number += 1
except NameError:
    number = {n}
total += number
---
total += len(string.digits) + {n}
---
word{i} = 'k' * {n}
table[word{i}] = table.get(word{i}, 0) + 1
total += table[word{i}]
---
def rec{i}(x): return 0 if x == 0 else 1 + rec{i}(x - 1)
total += rec{i}({n})
---
s{i} = {{{n}}}
s{i}.add(1)
total += len(s{i})
---
total_list[:] = sorted(total_list + [{n}], key=lambda x: -x)
total += total_list[0]
---
sys.setrecursionlimit(2000 + {n})
def deep{i}(x): return x if x > {n} else deep{i}(x + 1)
total += deep{i}(0)
"""
_HEAD = """\
import collections, functools, heapq, itertools, string, sys
try:
    total += 1
except NameError:
    total, total_list, table = 0, [], {}
"""


def _compose(parts: list[tuple[str, int]]) -> str:
    body = "".join(text.format(i=i, n=n) for i, (text, n) in enumerate(parts))
    return f"{_HEAD}{body}\nprint(total + int(input()), len(total_list), len(table))\n"


def plain_programs() -> st.SearchStrategy[str]:
    """Programs that may share a child; their output depends on their input and on nothing else."""
    parts = st.tuples(st.sampled_from(_STATEMENTS.split("---\n")), st.integers(1, 9))
    composed = st.lists(parts, min_size=1, max_size=8).map(_compose)
    return composed.filter(lambda program: is_plain(program.encode(), call=False))
