"""Every attack of sandbox/attacks gets the verdict its header says, and leaves nothing behind."""

from __future__ import annotations

import os
import re
from itertools import product
from typing import Any

import pytest

from tests.attacks import corpus
from tests.attacks.rigs import Rig

ATTACKS = corpus.load_attacks()
LEVELS = (4, 3, 2)
USERS = ("root", "nobody") if os.getuid() == 0 else ("nobody",)
# Here a user could make a difference. What other attacks do needs no rights of anybody.
NEEDS_RIGHTS = ("process", "network", "filesystem")


def list_runs() -> list[Any]:
    """(rig, attack): each attack at each level; by each user only where one could succeed as the
    one and not as the other, else by one of them at a level. The rest is `long`."""
    return [
        pytest.param(
            (user, level),
            attack,
            id=f"{user}-{level}-{attack.name}",
            marks=[]
            if attack.header["category"] in NEEDS_RIGHTS
            or "leaves_out" in attack.header
            or user == USERS[(number + level) % len(USERS)]
            else [pytest.mark.long],
        )
        for user, level in product(USERS, LEVELS)
        for number, attack in enumerate(ATTACKS)
    ]


def make_order(attack: corpus.Attack) -> dict[str, Any]:
    return {"source": attack.source, "problem": attack.header.get("problem", {})}


@pytest.mark.parametrize(("rig", "attack"), list_runs(), indirect=["rig"])
def test_the_attack_gets_its_verdict_and_leaves_nothing(
    attack: corpus.Attack, rig: Rig, record_property: Any
) -> None:
    user, level = rig.user, rig.level
    record_property("attack", attack.name)
    record_property("where", f"{user}-{level}")
    if user in attack.header.get("leaves_out", ()):
        pytest.skip(attack.header["why"])
    if missing := set(attack.header.get("needs", ())) - rig.packages:
        pytest.skip(f"{user} has no {', '.join(missing)} for this interpreter")
    order = make_order(attack)
    if "first" in attack.header:
        order["first"] = make_order(corpus.read_attack(corpus.FOLDER / attack.header["first"]))
    answer = rig.ask(order)
    mark = "" if attack.holds(level) else "*"
    record_property("seen", answer["verdict"] + mark)
    assert answer["level"] == level
    assert answer["verdict"] in attack.verdicts(level), answer
    assert attack.told(answer) or not attack.holds(level), answer
    if attack.header.get("every_test"):
        assert set(answer["tests"]) == {answer["verdict"]}
    assert answer["left"] == []


def test_ids_are_used_once() -> None:
    ids = [attack.header["id"] for attack in ATTACKS]
    assert sorted(set(ids)) == sorted(ids)


def test_no_attack_is_promised_a_pass_without_an_answer() -> None:
    for attack, level in product(ATTACKS, LEVELS):
        if "AC" in attack.verdicts(level) and attack.holds(level):
            problem = attack.header.get("problem", {})
            assert "tests" in problem or "test_code" in problem, f"{attack.name}: a secret answer"


def test_what_nothing_stops_is_in_the_folder_of_accepted_programs_and_on_its_page() -> None:
    page = (corpus.FOLDER / "README.md").read_text().partition("## accepted/")[2]
    unstopped = [a for a in ATTACKS if a.header["stopped_by"].startswith("nothing")]
    accepted = [attack for attack in ATTACKS if attack.path.parent == corpus.ACCEPTED]
    assert unstopped == accepted != []
    assert {attack.header["verdict"] for attack in accepted} == {"AC"}
    assert {a.header["id"] for a in accepted} == set(re.findall(r"^\| (A\d{3})", page, re.M))


def test_the_threat_model_names_attacks_that_exist_and_all_that_cannot_be_stopped() -> None:
    page = (corpus.FOLDER.parent / "README.md").read_text()
    named = set(re.findall(r"\bA\d{3}\b", page))
    ids = {attack.header["id"] for attack in ATTACKS}
    open_somewhere = {
        attack.header["id"] for attack in ATTACKS if not all(map(attack.holds, LEVELS))
    }
    assert named <= ids
    assert open_somewhere <= named
