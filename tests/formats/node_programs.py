"""Programs in the shape of QuixBugs whose tests define the class of their arguments.

Each has a right program, a wrong one and the tests. All were written for this folder.
"""

from __future__ import annotations

NODE = """\
class Node:
    def __init__(self, value=None, successor=None, successors=[], incoming_nodes=[],
                 outgoing_nodes=[]):
        self.value = value
        self.successor = successor
        self.successors = successors
        self.incoming_nodes = incoming_nodes
        self.outgoing_nodes = outgoing_nodes

    def successor(self):
        return self.successor

"""
# name: (right, wrong, tests)
PROGRAMS: dict[str, tuple[str, str, str]] = {
    "detect_cycle": (
        """\
def detect_cycle(node):
    slow = fast = node
    while fast is not None and fast.successor is not None:
        slow, fast = slow.successor, fast.successor.successor
        if slow is fast:
            return True
    return False
""",
        """\
def detect_cycle(node):
    return node.successor is not None and node.value % 2 == 1
""",
        NODE
        + """\
a = Node(1)
b = Node(2, a)
c = Node(3, b)
d = Node(4, c)

def test_straight():
    assert not detect_cycle(d)

def test_cycle():
    a.successor = d
    assert detect_cycle(d)
    a.successor = None

def test_alone():
    lone = Node(0)
    found = detect_cycle(lone)
    assert found == False

def test_self():
    lone = Node(0)
    lone.successor = lone
    assert detect_cycle(lone)
""",
    ),
    "reverse_linked_list": (
        """\
def reverse_linked_list(node):
    previous = None
    while node:
        node.successor, previous, node = previous, node, node.successor
    return previous
""",
        """\
def reverse_linked_list(node):
    previous = None
    while node:
        following = node.successor
        node.successor = previous
        node = following
    return previous
""",
        NODE
        + """\
n1 = Node(1)
n2 = Node(2, n1)
n3 = Node(3, n2)
result = reverse_linked_list(n3)
assert result is n1
values = []
while result:
    values.append(result.value)
    result = result.successor
assert values == [1, 2, 3]
assert n3.successor is None
assert n2.successor is n3
assert reverse_linked_list(None) is None
""",
    ),
    "breadth_first_search": (
        """\
from collections import deque as Queue

def breadth_first_search(startnode, goalnode):
    queue = Queue([startnode])
    seen = {startnode}
    while queue:
        node = queue.popleft()
        if node is goalnode:
            return True
        queue.extend(n for n in node.successors if n not in seen)
        seen.update(node.successors)
    return False
""",
        """\
def breadth_first_search(startnode, goalnode):
    return startnode is goalnode or goalnode in startnode.successors
""",
        NODE
        + """\
def test1():
    s1 = Node("Old Street")
    s2 = Node("Angel", None, [s1])
    s3 = Node("Bank", None, [s2])
    s1.successors = [s3]
    assert breadth_first_search(s3, s1)
    assert breadth_first_search(s1, s2)

def test2():
    f, e = Node("F"), Node("E")
    assert not breadth_first_search(f, e)
    assert breadth_first_search(f, f)
""",
    ),
    "depth_first_search": (
        """\
def depth_first_search(startnode, goalnode):
    nodesvisited = set()
    def search_from(node):
        if node in nodesvisited:
            return False
        if node is goalnode:
            return True
        nodesvisited.add(node)
        return any(search_from(n) for n in node.successors)
    return search_from(startnode)
""",
        """\
def depth_first_search(startnode, goalnode):
    nodesvisited = set()
    def search_from(node):
        if node in nodesvisited:
            return False
        elif node is goalnode:
            return True
        else:
            return any(search_from(n) for n in node.successors)
    return search_from(startnode)
""",
        NODE
        + """\
a = Node("A")
b = Node("B", None, [a])
c = Node("C", None, [b])
a.successors = [c]
z = Node("Z")
assert depth_first_search(c, a) is True
assert depth_first_search(c, z) is False
""",
    ),
    "shortest_path_length": (
        """\
from heapq import heappush, heappop

def shortest_path_length(length_by_edge, startnode, goalnode):
    heap = [(0, 0, startnode)]
    done, count = set(), 0
    while heap:
        distance, _, node = heappop(heap)
        if node is goalnode:
            return distance
        if node in done:
            continue
        done.add(node)
        for n in node.successors:
            count += 1
            heappush(heap, (distance + length_by_edge[node, n], count, n))
    return float("inf")
""",
        """\
def shortest_path_length(length_by_edge, startnode, goalnode):
    return length_by_edge.get((startnode, goalnode), float("inf"))
""",
        NODE
        + """\
node1 = Node("1")
node5 = Node("5")
node4 = Node("4", None, [node5])
node3 = Node("3", None, [node4])
node2 = Node("2", None, [node1, node3, node4])
node0 = Node("0", None, [node2, node5])
length_by_edge = {(node0, node2): 3, (node0, node5): 10, (node2, node1): 1, (node2, node3): 2,
    (node2, node4): 4, (node3, node4): 1, (node4, node5): 1}

def test1():
    result = shortest_path_length(length_by_edge, node0, node1)
    assert result == 4

def test2():
    assert shortest_path_length(length_by_edge, node0, node5) == 7

def test3():
    assert shortest_path_length(length_by_edge, node1, node5) == float("inf")
""",
    ),
    "topological_ordering": (
        """\
def topological_ordering(nodes):
    ordered_nodes = [node for node in nodes if not node.incoming_nodes]
    for node in ordered_nodes:
        for nextnode in node.outgoing_nodes:
            is_ready = set(ordered_nodes).issuperset(nextnode.incoming_nodes)
            if is_ready and nextnode not in ordered_nodes:
                ordered_nodes.append(nextnode)
    return ordered_nodes
""",
        """\
def topological_ordering(nodes):
    ordered_nodes = [node for node in nodes if not node.incoming_nodes]
    for node in ordered_nodes:
        for nextnode in node.outgoing_nodes:
            is_ready = set(ordered_nodes).issuperset(nextnode.outgoing_nodes)
            if is_ready and nextnode not in ordered_nodes:
                ordered_nodes.append(nextnode)
    return ordered_nodes
""",
        NODE
        + """\
five = Node(5)
seven = Node(7)
three = Node(3)
eleven = Node(11)
eight = Node(8)
two = Node(2)
five.outgoing_nodes = [eleven]
seven.outgoing_nodes = [eleven, eight]
three.outgoing_nodes = [eight]
eleven.incoming_nodes = [five, seven]
eleven.outgoing_nodes = [two]
eight.incoming_nodes = [seven, three]
two.incoming_nodes = [eleven]
ordering = topological_ordering([five, seven, three, eleven, eight, two])
assert [x.value for x in ordering] == [5, 7, 3, 11, 8, 2]
""",
    ),
    "minimum_spanning_tree": (
        """\
def minimum_spanning_tree(weight_by_edge):
    group_by_node = {}
    mst_edges = set()
    for edge in sorted(weight_by_edge, key=weight_by_edge.__getitem__):
        u, v = edge
        if group_by_node.setdefault(u, {u}) != group_by_node.setdefault(v, {v}):
            mst_edges.add(edge)
            group_by_node[u].update(group_by_node[v])
            for node in group_by_node[v]:
                group_by_node[node] = group_by_node[u]
    return mst_edges
""",
        """\
def minimum_spanning_tree(weight_by_edge):
    return set(sorted(weight_by_edge, key=weight_by_edge.get)[:2])
""",
        """\
def test1():
    result = minimum_spanning_tree({(1, 2): 10, (2, 3): 15, (3, 4): 10, (1, 4): 10})
    assert result == {(1, 2), (3, 4), (1, 4)}
""",
    ),
    "edges_of_nodes": (
        """\
def minimum_spanning_tree(weight_by_edge):
    return {min(weight_by_edge, key=weight_by_edge.get)}
""",
        """\
def minimum_spanning_tree(weight_by_edge):
    return {max(weight_by_edge, key=weight_by_edge.get)}
""",
        NODE
        + """\
a, b, c = Node("a"), Node("b"), Node("c")
result = minimum_spanning_tree({(a, b): 2, (b, c): 1})
assert result == {(b, c)}
""",
    ),
    "points": (
        """\
def mirror(p):
    return type(p)(p.y, p.x)
""",
        """\
def mirror(p):
    return type(p)(p.x, p.y)
""",
        """\
from dataclasses import dataclass
@dataclass(frozen=True)
class Point:
    x: int
    y: Optional[int] = None
assert mirror(Point(1, 2)) == Point(2, 1)
assert mirror(Point(1)) == Point(None, 1)
assert isinstance(mirror(Point(3, 4)), Point)
""",
    ),
    "new_nodes": (
        """\
class Node:
    def __init__(self, v): self.v = v

def copy_list(node):
    head = tail = Node()
    while node:
        tail.successor = Node(node.value)
        tail, node = tail.successor, node.successor
    return head.successor
""",
        """\
def copy_list(node):
    return node
""",
        NODE
        + """\
one = Node(1)
two = Node(2, one)
result = copy_list(two)
assert result is not two and result.value == 2
assert result.successor.value == 1 and result.successor is not one
assert isinstance(result.successor, Node)
""",
    ),
    "list_nodes": (
        """\
class Solution:
    def hasCycle(self, head: Optional[ListNode]) -> bool:
        seen = set()
        while head:
            if head in seen: return True
            seen.add(head); head = head.next
        return False
def has(head): return Solution().hasCycle(head)
""",
        """\
def has(head): return True
""",
        """\
class ListNode:
    def __init__(self, x):
        self.val = x
        self.next = None
a = ListNode(1); b = ListNode(2); a.next = b
assert has(a) is False
b.next = a
assert has(a) is True
""",
    ),
    "annotated_items": (
        """\
def tip(p):
    p.tags.append("x")
    return p
""",
        """\
def tip(p):
    return p
""",
        """\
from __future__ import annotations
from dataclasses import dataclass, field
@dataclass
class Item:
    tags: list[str] = field(default_factory=list)
    def count(self): return len(self.tags)
item = Item(["a"]); tags = item.tags
assert tip(item) is item
assert tags == ["a", "x"] and item.count() == 2
""",
    ),
    "graph_of_the_program": (
        """\
class Graph:
    def __init__(self): self.nodes = []
    def add(self, node): self.nodes.append(node)
    def label(self):
        for i, n in enumerate(self.nodes): n.value = i
""",
        """\
class Graph:
    def __init__(self): self.nodes = []
    def add(self, node): self.nodes.append(node)
    def label(self): pass
""",
        NODE
        + """\
g = Graph()
x, y = Node("x"), Node("y")
g.add(x); g.add(y)
g.label()
assert [x.value, y.value] == [0, 1]
""",
    ),
}
