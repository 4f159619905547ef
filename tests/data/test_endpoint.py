"""An endpoint that fails loses no problem: what it did not answer is asked again by --resume."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest

from microcoder_data import endpoint as endpoint_module
from microcoder_data.cli import main
from microcoder_data.endpoint import Client, EndpointError, open_client
from microcoder_data.recipe import Endpoint, parse_recipe
from microcoder_eval.errors import DataError
from microcoder_eval.results.files import OutputError
from tests.data.clean import problems
from tests.data.lines import Row, read, write
from tests.data.model import Model, say

DIFFICULTY = dict.fromkeys(
    ("algorithm", "implementation", "mathematics", "edge_cases", "reading"), 3
)
OPINION: Row = {"asks_for_program": True, "missing": "", "wrong_test": 0, "quote": "", "why": "",
                "difficulty": DIFFICULTY}  # fmt: skip
RATINGS = json.dumps(OPINION)
THOUGHT = "<{0}>An {{answer}} in braces.</{0}>"


@pytest.fixture
def model(model: tuple[type[Model], str]) -> tuple[type[Model], str]:
    """One that rates every problem, unless it is told otherwise."""
    model[0].always(say(RATINGS))
    return model


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(endpoint_module, "_PAUSE_S", 0.0)
    yield
    open_client.cache_clear()


OUTAGES: dict[str, tuple[int, bytes] | None] = {
    "hangs up": None,
    "is overloaded": (503, b"later"),
    "limits the rate": (429, b"slow down"),
    "has lost our key": (401, b"who are you"),
    "shows a page": (200, b"<html>maintenance</html>"),
    "has no choice": (200, b'{"choices": []}'),
    "says no ratings": say("I think it is quite hard."),
    "rates beyond ten": say(RATINGS.replace("3", "11")),
    "is cut at max_tokens": (
        200,
        json.dumps(
            {"choices": [{"finish_reason": "length", "message": {"content": RATINGS}}]}
        ).encode(),
    ),
}


def recipe_of(folder: Path, url: str, **settings: Any) -> Path:
    """A recipe that has problems reviewed by an endpoint, and then filters."""
    more = "".join(f"{name} = {value}\n" for name, value in settings.items())
    (folder / "r.toml").write_text(
        '[run]\ninputs = ["in.jsonl"]\noutput = "out.jsonl"\nstages = ["review", "filter"]\n'
        "[review.endpoint]\n"
        f'url = "{url}"\nmodel = "m"\ncache = "cache.jsonl"\ntries = 1\n{more}'
    )
    return folder / "r.toml"


def review(folder: Path, recipe: Path, *words: str) -> int:
    """The exit code of the command that reviews in.jsonl into out.jsonl."""
    files = [str(folder / "in.jsonl"), "-o", str(folder / "out.jsonl")]
    return main(["review", *files, "--recipe", str(recipe), *words])


def open_endpoint(folder: Path, url: str, tries: int = 1) -> Client:
    """A client of its own, with a cache in the folder."""
    return Client(Endpoint(url=url, model="m", cache=str(folder / "c.jsonl"), tries=tries))


@pytest.mark.parametrize("outage", OUTAGES)
def test_an_outage_leaves_problems_pending_and_resume_asks_for_them_alone(
    tmp_path: Path, model: tuple[type[Model], str], capsys: pytest.CaptureFixture[str], outage: str
) -> None:
    handler, url = model
    write(tmp_path / "in.jsonl", problems(6))
    recipe = str(recipe_of(tmp_path, url))
    failed = problems(6)[1]["statement"], problems(6)[4]["statement"]

    def fail_for_two(_: int, body: Row) -> tuple[int, bytes] | None:
        text = body["messages"][1]["content"]
        return OUTAGES[outage] if any(part in text for part in failed) else say(RATINGS)

    handler.reply = staticmethod(fail_for_two)
    assert main(["run", recipe]) == 3
    message = capsys.readouterr().err
    assert "2 endpoint_failed" in message
    assert "not run: filter" in message
    assert len(read(tmp_path / "out.1-review.jsonl")) == 4
    assert len((tmp_path / "cache.jsonl").read_text().splitlines()) == 4
    asked = len(handler.asked)
    open_client.cache_clear()
    handler.always(say(RATINGS))
    assert main(["run", recipe, "--resume"]) == 0
    assert len(handler.asked) == asked + 2
    assert len(read(tmp_path / "out.jsonl")) == 6
    assert not (tmp_path / "out.1-review.part").exists()
    again = (tmp_path / "out.jsonl").read_bytes()
    assert main(["run", recipe, "--force"]) == 0
    assert (tmp_path / "out.jsonl").read_bytes() == again


def test_an_answer_that_no_version_can_use_is_asked_for_again(
    tmp_path: Path, model: tuple[type[Model], str]
) -> None:
    handler, url = model
    handler.always(say("nonsense"))
    assert open_endpoint(tmp_path, url).ask([], str) == "nonsense"
    handler.always(say("7"))

    def parse(text: str) -> int:
        if not text.isdigit():
            raise EndpointError("no number")
        return int(text)

    for _ in range(2):
        assert open_endpoint(tmp_path, url).ask([], parse) == 7
    assert len(handler.asked) == 2


@pytest.mark.parametrize(
    ("status", "advice"), [(400, "who are you"), (401, "key_env"), (403, "key"), (404, "/v1")]
)
def test_a_refusal_fails_at_once_and_says_what_to_do(
    tmp_path: Path, model: tuple[type[Model], str], status: int, advice: str
) -> None:
    handler, url = model
    handler.always((status, b"who are you"))
    client = open_endpoint(tmp_path, url, tries=3)
    with pytest.raises(EndpointError, match=f"HTTP {status}.*{advice}"):
        client.ask([], str)
    assert len(handler.asked) == 1


@pytest.mark.parametrize(
    ("header", "least", "most"),
    [
        ("7", 7, 7),
        ("a date", 400, 500),
        ("a while", 0, 0),
        ("86400", None, None),  # nobody waits for a day: the problem is pending
    ],
)
def test_the_pause_is_the_one_that_the_endpoint_asks_for(
    tmp_path: Path,
    model: tuple[type[Model], str],
    monkeypatch: pytest.MonkeyPatch,
    header: str,
    least: float | None,
    most: float | None,
) -> None:
    handler, url = model
    pauses: list[float] = []
    monkeypatch.setattr(endpoint_module.time, "sleep", pauses.append)
    if header == "a date":
        header = formatdate(time.time() + 500, usegmt=True)
    handler.headers_sent = {"Retry-After": header}
    replies = {1: (503, b""), 2: (429, b"")}  # what passes is asked again
    handler.reply = staticmethod(lambda number, body: replies.get(number, say("at last")))
    client = open_endpoint(tmp_path, url, tries=3)
    if least is None or most is None:
        with pytest.raises(EndpointError, match="503"):
            client.ask([], str)
        assert not pauses
    else:
        assert client.ask([], str) == "at last"
        assert len(pauses) == 2
        assert all(least <= pause <= most for pause in pauses)


@pytest.mark.parametrize("reply", [None, say("nonsense")])
def test_a_dead_endpoint_and_a_hopeless_model_are_not_asked_for_ever(
    tmp_path: Path, model: tuple[type[Model], str], reply: tuple[int, bytes] | None
) -> None:
    def refuse(answer: str) -> None:
        raise EndpointError(answer)

    handler, url = model
    handler.always(reply)
    client = open_endpoint(tmp_path, url)
    for number in range(30):
        with pytest.raises(EndpointError):
            client.ask([{"role": "user", "content": str(number)}], refuse)
    assert len(handler.asked) == 20


def test_as_many_requests_at_a_time_as_its_setting_says(
    tmp_path: Path, model: tuple[type[Model], str]
) -> None:
    handler, url = model
    barrier = threading.Barrier(4)  # nobody is answered before four have asked

    def wait(_: int, body: Row) -> tuple[int, bytes]:
        barrier.wait(60)
        return say(RATINGS)

    handler.reply = staticmethod(wait)
    write(tmp_path / "in.jsonl", problems(8))
    recipe = recipe_of(tmp_path, url, concurrency=4)
    assert review(tmp_path, recipe, "--workers", "1") == 0
    assert handler.most_together == 4


def test_an_address_that_is_none_is_refused_before_anything_is_asked() -> None:
    with pytest.raises(DataError, match="url"):
        parse_recipe({"process": {"translate": {"url": "localhost", "model": "m", "cache": "c"}}})


def test_an_answer_that_cannot_be_kept_ends_the_run(
    tmp_path: Path, model: tuple[type[Model], str]
) -> None:
    """Or each row would pay for an answer, and wait for another run."""
    handler, url = model
    handler.always(say("7"))
    client = open_endpoint(tmp_path, url)
    (tmp_path / "c.jsonl").mkdir()
    with pytest.raises(OutputError, match="cannot be written: Is a directory"):
        client.ask([], str)


def test_an_answer_after_a_torn_line_of_the_cache_is_kept(
    tmp_path: Path, model: tuple[type[Model], str]
) -> None:
    handler, url = model
    handler.always(say("7"))
    (tmp_path / "c.jsonl").write_text('{"key": "a", "answ')
    for _ in range(2):
        assert open_endpoint(tmp_path, url).ask([], str) == "7"
    assert len(handler.asked) == 1


def test_each_stage_has_a_bound_of_its_own(tmp_path: Path) -> None:
    settings = Endpoint(url="http://127.0.0.1:9", model="m", cache=str(tmp_path / "c.jsonl"))
    assert open_client(settings, "review") is open_client(settings, "review")
    assert open_client(settings, "review") is not open_client(settings, "strengthen")


def test_a_cache_that_cannot_be_read_stops_the_stage(tmp_path: Path) -> None:
    (tmp_path / "cache.jsonl").mkdir()
    write(tmp_path / "in.jsonl", problems(1))
    recipe = recipe_of(tmp_path, "http://127.0.0.1:9/v1")
    assert review(tmp_path, recipe) == 2
    assert not (tmp_path / "out.jsonl").exists()


OPINIONS: dict[str, tuple[Row, str]] = {
    "is content": ({}, ""),
    "misses something": ({"missing": "how large n is"}, "review_incomplete"),
    "sees no task": ({"asks_for_program": False}, "review_irrelevant"),
    "sees another task": ({"wrong_test": 2}, "review_wrong_test"),
    "quotes another text": ({"missing": "all", "quote": "once upon a time"}, "review_failed"),
    "quotes a number": ({"missing": "all", "quote": "1"}, "review_failed"),
    "gives no evidence": ({"missing": "all", "quote": " "}, "review_failed"),
    "speaks of tests it never saw": ({"wrong_test": 4}, "review_failed"),
    "leaves out the difficulty": ({"difficulty": {}}, "review_failed"),
    "adds a key": ({"score": 5}, "review_failed"),
}


@pytest.mark.parametrize("name", OPINIONS)
def test_a_review_is_a_sign_and_counts_with_its_evidence_only(
    tmp_path: Path, model: tuple[type[Model], str], name: str
) -> None:
    """A sign alone drops nothing; the recipe can say that it does."""
    handler, url = model
    row = problems(1)[0]
    changes, finding = OPINIONS[name]
    quote = " ".join(row["statement"].split()[:5])
    opinion = {**OPINION, "quote": quote, **changes}
    write(tmp_path / "in.jsonl", [row])
    for section, mark in (
        ('keep = ["review_failed"]', "think"), (f'drop = ["{finding}"]', "thinking"),
    ):  # fmt: skip
        handler.always(say(THOUGHT.format(mark) + f"```json\n{json.dumps(opinion)}\n```"))
        (tmp_path / "r.toml").write_text(
            f'[review]\n{section if finding else ""}\n[review.endpoint]\nurl = "{url}"\n'
            f'model = "{mark}"\ncache = "cache.jsonl"\n'
        )
        code = review(tmp_path, tmp_path / "r.toml", "--force")
        if section.startswith("keep"):
            (reviewed_row,) = read(tmp_path / "out.jsonl")
            assert reviewed_row.get("findings", []) == ([finding] if finding else [])
        elif finding:
            assert code == 1
            (dropped,) = read(tmp_path / "out.dropped.jsonl")
            assert dropped["reason"] == finding
    form = handler.asked[0]["response_format"]["json_schema"]["schema"]
    assert form["properties"]["wrong_test"]["maximum"] == 3
    assert "# Test 3" in handler.asked[0]["messages"][1]["content"]


def test_reviewed_difficulty_is_the_filters(tmp_path: Path, model: tuple[type[Model], str]) -> None:
    _, url = model
    write(tmp_path / "in.jsonl", problems(2))
    assert main(["run", str(recipe_of(tmp_path, url))]) == 0
    for row in read(tmp_path / "out.jsonl"):
        assert row["difficulty_dimensions"] == DIFFICULTY


def test_a_run_costs_no_more_tokens_than_its_recipe_says(
    tmp_path: Path, model: tuple[type[Model], str]
) -> None:
    """What was not asked is pending; --resume asks for it within another bound."""
    handler, url = model
    answer = {"choices": [{"message": {"content": RATINGS}}], "usage": {"total_tokens": 1000}}
    handler.always((200, json.dumps(answer).encode()))
    write(tmp_path / "in.jsonl", problems(6))
    for asked in (2, 4, 6):
        recipe = recipe_of(tmp_path, url, concurrency=1, max_total_tokens=1500)
        assert review(tmp_path, recipe, "--resume") == (3 if asked < 6 else 0)
        assert len(handler.asked) == asked
        open_client.cache_clear()
    assert len(read(tmp_path / "out.jsonl")) == 6
