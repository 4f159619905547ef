"""New inputs keep what all inputs of a problem have in common."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from microcoder_data.strengthen.layout import infer_layout
from microcoder_data.strengthen.model import Model
from microcoder_data.strengthen.mutation import propose_documents
from microcoder_data.strengthen.outputs import AnswerKinds

Document = list[Any]


def propose(texts: list[str], count: int = 60) -> list[Document]:
    """Documents like those of the texts."""
    layout = infer_layout(texts)
    assert layout is not None
    documents = [layout.parse(text) for text in texts]
    model = Model.infer(documents, layout)
    proposals = list(propose_documents(model, documents, count, random.Random(1)))
    assert proposals
    for proposal in proposals:  # what is written can be read again
        text = layout.render(proposal.document)
        assert layout.render(layout.parse(text)) == text
    return [proposal.document for proposal in proposals]


def is_connected(document: Document) -> bool:
    """Whether edges join the nodes 1 to n."""
    count, edges = document[0], document[-1]
    parts = {node: {node} for node in range(1, count + 1)}
    for left, right in edges:
        union = parts[left] | parts[right]
        for node in union:
            parts[node] = union
    return len(parts[1]) == count


CASES: dict[str, tuple[list[str], Callable[[Document], bool]]] = {
    "a count says how long the list is": (
        ["3\n5 1 2\n", "5\n7 7 1 3 9\n"],
        lambda doc: doc[0] == len(doc[1]),
    ),
    "permutations stay permutations": (
        ["4\n3 1 4 2\n", "6\n6 5 1 2 4 3\n", "3\n2 3 1\n"],
        lambda doc: sorted(doc[1]) == list(range(1, doc[0] + 1)),
    ),
    "sorted lists stay sorted": (
        ["4\n1 2 2 9\n", "6\n1 3 3 4 5 8\n"],
        lambda doc: doc[1] == sorted(doc[1]),
    ),
    "edges of a tree stay a tree": (
        ["4\n1 2\n2 3\n2 4\n", "6\n1 2\n1 3\n3 4\n3 5\n5 6\n"],
        lambda doc: len(doc[1]) == doc[0] - 1 and is_connected(doc),
    ),
    "intervals keep their order": (
        ["3\n1 5\n2 2\n3 9\n", "2\n4 6\n1 1\n"],
        lambda doc: all(left <= right for left, right in doc[1]),
    ),
    "a grid keeps its shape and its one start": (
        ["2 3\nS.#\n...\n", "3 4\n..#.\n.#S.\n....\n", "2 2\n#S\n..\n"],
        lambda doc: (
            all(len(row) == doc[1] for row in doc[2])
            and len(doc[2]) == doc[0]
            and sum(row.count("S") for row in doc[2]) == 1
        ),
    ),
    "rows have one number less than the first line says": (
        ["4 2\n5 5 7\n2 2 5\n", "2 3\n9\n1\n3\n", "5 2\n5 0 5 1\n2 2 2 2\n"],
        lambda doc: all(len(row) == doc[0] - 1 for row in doc[2]),
    ),
    "a symmetric matrix stays symmetric": (
        ["3\n0 4 5\n4 0 6\n5 6 0\n", "2\n0 9\n9 0\n"],
        lambda doc: all(
            doc[1][i][j] == doc[1][j][i] and doc[1][i][i] == 0
            for i in range(doc[0])
            for j in range(doc[0])
        ),
    ),
    "brackets stay balanced": (
        ["(())()\n", "()\n", "((()))()\n"],
        lambda doc: doc[0].count("(") == doc[0].count(")") and doc[0][:1] == "(",
    ),
    "numbers that are positions stay positions": (
        ["5 2\n1 5\n3 3\n", "3 3\n2 1\n3 2\n1 1\n", "4 1\n4 2\n"],
        lambda doc: all(1 <= value <= doc[0] for row in doc[2] for value in row),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_all_inputs_share_is_kept(name: str) -> None:
    texts, is_valid = CASES[name]
    broken = [document for document in propose(texts) if not is_valid(document)]
    assert broken == []


def test_values_stay_in_the_range_that_was_seen() -> None:
    values = [value for doc in propose(["4\n2 9 5 3\n", "2\n8 2\n"]) for value in doc[1]]
    assert set(values) <= set(range(2, 10))


def test_the_arguments_of_a_call_are_changed_alike() -> None:
    documents = [[[3, 1, 2], "abc"], [[5, 4], "xy"], [[1, 1, 1, 2], "hjkl"]]
    model = Model.infer(documents, None)
    proposals = list(propose_documents(model, documents, 40, random.Random(1)))
    assert len(proposals) == 40
    assert all(len(doc[0]) in (2, 3, 4) for doc in (item.document for item in proposals))


def test_the_seed_alone_decides_what_is_proposed() -> None:
    texts = ["3\n5 1 2\n", "5\n7 7 1 3 9\n"]
    assert propose(texts) == propose(texts)


UNNAMED: dict[str, tuple[list[str], Callable[[Document], bool]]] = {
    "the last number is 0, and no other": (
        ["5\n3\n0\n", "2\n0\n", "8\n1\n4\n6\n0\n"],
        lambda doc: doc[0][-1] == 0 and doc[0].count(0) == 1,
    ),
    "one number of a square stands twice": (
        ["2\n1 3\n2 2\n", "3\n9 1 7\n8 9 2\n3 4 6\n", "2\n4 1\n1 3\n"],
        lambda doc: sum(map(len, doc[1])) - len({x for row in doc[1] for x in row}) == 1,
    ),
    "one letter differs from all others": (
        ["yay\n", "egg\n", "zzzzzwz\n"],
        lambda doc: sorted(map(doc[0].count, set(doc[0])))[0] == 1 and len(set(doc[0])) == 2,
    ),
    "signs never stand side by side": (
        ["|-|--|\n", "|--|-|---|\n", "|-|\n"],
        lambda doc: "||" not in doc[0] and doc[0][0] == doc[0][-1] == "|",
    ),
    "the first of two numbers is at most half of the second": (
        ["3 9\n", "10 44\n", "1 2\n", "7 80\n", "20 41\n", "4 10\n"],
        lambda doc: 2 * doc[0] <= doc[1],
    ),
    "the sum is odd, however many numbers there are": (
        ["1 2\n", "5 4 2\n", "8 1\n", "2 2 2 3\n", "7 6\n", "9 9 1 2 2\n"],
        lambda doc: sum(doc[0]) % 2 == 1,
    ),
    "two numbers together are at most the first": (
        ["7 4 2\n", "99 11 80\n", "9 5 4\n"],
        lambda doc: doc[1] + doc[2] <= doc[0],
    ),
    "one name stands behind an arrow": (
        ["4\n-> A\n-> B\nA B -> C\nC -> D\n", "2\nA -> A\nB A -> B\n"],
        lambda doc: all(
            group[0].count("->") == 1 and group[0][-2] == "->" and "".join(group[0]).count("-") == 1
            for group in doc[1]
        ),
    ),
    "all who are connected know each other": (
        ["5 4\n1 2\n2 3\n1 3\n4 5\n", "4 2\n1 4\n2 3\n", "6 6\n1 2\n1 3\n1 4\n2 3\n2 4\n3 4\n"],
        lambda doc: all(
            {left, right} in [set(edge) for edge in doc[-1]]
            for edge in doc[-1]
            for other in doc[-1]
            if len(set(edge) & set(other)) == 1
            for left, right in [sorted(set(edge) ^ set(other))]
        ),
    ),
}


@pytest.mark.parametrize("name", UNNAMED)
def test_a_constraint_that_nothing_names_is_kept_too(name: str) -> None:
    texts, is_valid = UNNAMED[name]
    layout = infer_layout(texts)
    assert layout is not None
    documents = [layout.parse(text) for text in texts]
    assert all(map(is_valid, documents))
    proposals = propose_documents(Model.infer(documents, layout), documents, 60, random.Random(1))
    assert [item.document for item in proposals if not is_valid(item.document)] == []


def test_an_answer_of_a_kind_that_no_test_has_is_not_believed() -> None:
    kinds = AnswerKinds(["Yes 3\n", "No 4\n"])
    assert kinds.include("no 17\n")
    assert not any(map(kinds.include, ["", "Yes -1\n", "inf 3\n", "Maybe 3\n", "Yes 3.5\n"]))


def test_one_negative_answer_stands_for_itself_alone() -> None:
    kinds = AnswerKinds([5, -1, 7])
    assert kinds.include(-1)
    assert not any(map(kinds.include, [-2, None, True, 2.5, float("inf")]))
    assert AnswerKinds([-1, -2, -3, -4, -5]).include(-6)


def test_a_number_that_is_unknown_breaks_no_sum_of_the_others() -> None:
    """-1 stands for what is not known: 2 -1 5 may be asked, 6 -1 5 may not."""
    texts = ["2 3 5\n", "-1 4 9\n", "2 -1 7\n", "1 0 1\n", "8 3 11\n", "0 6 6\n", "-1 -1 4\n"]
    texts += ["5 2 -1\n", "9 -1 10\n"]
    layout = infer_layout(texts)
    assert layout is not None
    model = Model.infer([layout.parse(text) for text in texts], layout)
    assert model.accepts([2, -1, 5])
    assert model.accepts([4, 5, 9])
    assert not model.accepts([6, -1, 5])
    assert not model.accepts([4, 4, 9])
