"""The page: complete, bounded, and made of nothing but what we put there."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from microcoder_eval.formats import problem_from
from microcoder_eval.records import Solution, Test, Verdict
from microcoder_eval.report import ReportBuilder
from microcoder_eval.report.builder import NOT_KEPT
from microcoder_eval.report.excerpts import OTHER_TESTS
from microcoder_eval.report.script_data import (
    DetailBlocks,
    make_problems_element,
    make_table_element,
)
from microcoder_eval.report.solution_rows import NO_CODE, NO_PROGRAM, OTHER_CODE
from microcoder_eval.results.summary import Tally
from tests.report.making import (
    WORST,
    Entry,
    gather,
    make_entry,
    make_judgement,
    make_square,
    make_test,
    text_of,
)
from tests.report.parsing import Parsed, parse_page

VERDICT, DETAIL = 3, 12  # columns of the table of programs: the verdict, and where the details are
AC, WA, RE, CE, JE = Verdict.AC, Verdict.WA, Verdict.RE, Verdict.CE, Verdict.JE
_WORDS = (
    "html head meta title style body a header h1 p span b label select option main section h2 div "
    "dl dt dd table thead tbody tr th td svg rect text line details summary ul li bdi button "
    "caption input noscript nav dialog script"
)
ELEMENTS = set(_WORDS.split())


def build(*entries: Entry, **more: Any) -> Parsed:
    return parse_page(text_of(*gather(*entries), **more))


def entry(*verdicts: Verdict, code: str = "print(5)", number: int = 1, **more: Any) -> Entry:
    tests = [make_test(verdict) for verdict in verdicts]
    return make_entry(make_square(), *tests, code=code, solution_id=f"s{number}", **more)


def make_hostile_entry() -> Entry:
    tests = (Test(WORST, WORST),)
    problem = replace(
        make_square(), problem_id=WORST, tests=tests, difficulty=WORST, platform=WORST
    )
    solution = Solution(WORST, WORST, code=WORST, meta={WORST: WORST})
    test = make_test(WA, detail=WORST)
    more = {"flags": (WORST, "flaky", "near_limit"), "error": WORST, "meta": {WORST: WORST}}
    return (
        make_judgement(solution, test, make_test(AC, matched_by=WORST), problem=problem, **more),
        problem,
        solution,
    )


def test_hostile_text_makes_no_element_and_no_attribute() -> None:
    plain = build(entry(WA, AC, flags=("flaky", "near_limit")))
    worst = build(make_hostile_entry())
    assert plain.names() <= ELEMENTS
    assert worst.names() <= ELEMENTS
    assert worst.attribute_names() <= plain.attribute_names() | {"data-at"}
    assert len(worst.scripts) == len(plain.scripts)


def test_hostile_text_comes_back_whole_where_the_script_reads_it() -> None:
    (detail,) = build(make_hostile_entry()).details()
    assert detail["code"] == WORST
    assert detail["error"] == WORST
    assert detail["fail"]["detail"] == WORST
    assert detail["fail"]["input"]["text"] == WORST
    assert detail["fail"]["expected"]["text"] == WORST


def test_the_policy_names_the_one_style_and_the_one_script_that_run() -> None:
    page = build(entry(AC))
    (policy,) = [
        attributes["content"] or ""
        for name, attributes in page.tags
        if name == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    (script,) = [text for attributes, text in page.scripts if not attributes]
    (style,) = page.styles
    for text, kind in ((script, "script-src"), (style, "style-src")):
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{kind} 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    names = [name for name, _ in page.tags]
    assert names.index("meta") < names.index("style")
    assert all(attributes.get("type") == "application/json" for attributes, _ in page.scripts[:-1])


def test_nothing_is_loaded_from_anywhere() -> None:
    page = build(entry(WA))
    assert page.attribute_names() & {"src", "srcset", "style", "action", "data", "poster"} == set()
    links = [a["href"] for name, a in page.tags if "href" in a]
    assert links == ["#solutions"]


def test_equal_results_make_equal_bytes() -> None:
    once, again = (text_of(*gather(entry(WA, AC), entry(AC, number=2))) for _ in range(2))
    assert once == again


def test_the_first_failing_test_is_shown_with_what_was_given_and_expected() -> None:
    (detail,) = build(entry(AC, WA, AC, RE, AC)).details()
    failure = detail["fail"]
    assert (failure["number"], failure["verdict"]) == (2, "WA")
    assert failure["input"]["text"] == "2\n"
    assert failure["expected"]["text"] == "4\n"
    assert failure["note"] == NOT_KEPT
    assert detail["tests"] == [["AC", 1], ["WA", 1], ["AC", 1], ["RE", 1], ["AC", 1]]
    assert detail["code"] == "print(5)"


def test_calls_are_written_as_calls_and_assertions_as_they_are() -> None:
    call = problem_from(
        {"problem_id": "c", "entry_point": "f", "tests": [{"input": [[1, 2], "x"], "output": 3}]}
    )
    code = "import math\nassert f(2) == 4\nassert math.isclose(f(3), 9.0)"
    asserts = problem_from({"problem_id": "a", "entry_point": "f", "test_code": code})
    entries = [make_entry(problem, make_test(WA)) for problem in (call, asserts)]
    first, second = (detail["fail"] for detail in build(*entries).details())
    assert (first["input"]["text"], first["expected"]["text"]) == ("f([1, 2], 'x')", "3")
    assert second["input"]["text"] == "f(2) == 4"
    assert second["expected"]["text"] == "4"


def test_what_is_not_known_is_said() -> None:
    judgement, problem, solution = entry(WA)
    other = make_square(tests_changed="no")
    changed = problem_from({"problem_id": "square", "tests": [{"input": "7", "output": "49"}]})
    assert other.tests_sha256 == judgement.tests_sha256
    cases = {
        "no program": (judgement, problem, None),
        "other program": (judgement, problem, Solution("square", "s1", code="print(6)")),
        "no answer": (
            make_judgement(Solution("square", "s", code=""), verdict=CE),
            problem,
            Solution("square", "s", response="I cannot."),
        ),
        "no tests": (judgement, None, solution),
        "other tests": (judgement, changed, solution),
    }
    details = {name: build(case).details()[0] for name, case in cases.items()}
    assert details["no program"]["note"] == NO_CODE
    assert details["other program"]["note"] == OTHER_CODE
    assert details["other program"]["code"] is None
    assert details["no answer"]["note"] == NO_PROGRAM
    assert "were not given" in details["no tests"]["fail"]["note"]
    assert details["other tests"]["fail"]["note"] == OTHER_TESTS
    assert "input" not in details["other tests"]["fail"]


def test_a_failure_of_the_judge_is_listed_and_in_no_rate() -> None:
    judgement, problem, solution = entry(verdict=JE, error="the worker was lost", number=9)
    page = build((judgement, problem, solution), entry(AC))
    words = "\n".join(page.texts)
    assert "square s9: the worker was lost" in words
    assert "100.0 %" in words
    assert [row[VERDICT] for row in page.data("table")["rows"]] == ["JE", "AC"]


def test_judgements_without_tests_programs_or_figures_make_a_page() -> None:
    bare = Solution("p", "s")
    page = build((make_judgement(bare, verdict=CE, memory_method=""), None, None))
    (row,) = page.data("table")["rows"]
    assert row[5:9] == [0, 0, None, None]
    assert page.details()[0]["tests"] == []


def test_flaky_and_near_ones_are_listed() -> None:
    judgement, problem, solution = entry(Verdict.TLE, AC, flags=("flaky", "near_limit"))
    runs = [{"verdict": "TLE"}, {"verdict": "AC"}]
    page = build((replace(judgement, meta={"repeats": runs}), problem, solution))
    words = "\n".join(page.texts)
    assert "Flaky: passed in some runs only" in words
    assert "Near the time limit" in words
    assert page.details()[0]["repeats"] == ["TLE", "AC"]


def test_programs_that_pass_a_honeypot_are_listed() -> None:
    passes, problem, solution = entry(AC)
    honeypot = replace(problem, meta={"honeypot": True})
    title = "Passed a honeypot"
    assert title in "\n".join(build((passes, honeypot, solution)).texts)
    assert title not in "\n".join(build((passes, problem, solution)).texts)
    assert title not in "\n".join(build((entry(WA)[0], honeypot, solution)).texts)


def test_rates_are_those_of_the_summary() -> None:
    entries = [entry(WA, number=1), entry(AC, number=2), entry(AC, number=3)]
    words = "\n".join(parse_page(text_of(*gather(*entries, ks=(1, 2, 5)))).texts)
    for rate in ("pass@1\n66.7 %", "pass@2\n100.0 %", "pass@5\nnone"):
        assert rate in words
    assert "1 problem with fewer than 5 judged samples left out" in words


def test_details_keep_within_their_room_and_failures_come_first() -> None:
    entries = [
        entry(AC if n % 2 else WA, code=f"print({n})" + "#" * 2000, number=n) for n in range(200)
    ]
    page = build(*entries, max_bytes=150_000)
    rows = page.data("table")["rows"]
    assert len(rows) == 200
    assert all(row[DETAIL] < 0 for row in rows if row[VERDICT] == "AC")
    detailed_rows = [row for row in rows if row[DETAIL] >= 0]
    assert 0 < len(detailed_rows) < 100
    assert len(page.details()) == len(detailed_rows)
    for row in detailed_rows:
        assert page.details()[row[DETAIL]]["code"].startswith(f"print({row[0]})")


def test_the_table_has_a_bound_in_rows_and_in_bytes() -> None:
    gathering = ReportBuilder(max_rows=3)
    for position in range(5):
        judgement, problem, solution = entry(AC, number=position)
        gathering.add(position, judgement, problem, solution)
    short = parse_page(make_table_element(gathering, DetailBlocks(gathering), max_bytes=150)).data(
        "table"
    )
    data = parse_page(text_of(gathering, Tally())).data("table")
    assert (len(data["rows"]), data["leftOut"]) == (3, 2)
    assert gathering.figures.times.total == 5
    assert len(short["rows"]) < 3
    assert len(short["rows"]) + short["leftOut"] == 5


def test_long_programs_inputs_and_names_are_cut() -> None:
    problem = problem_from(
        {"problem_id": "p" * 5000, "tests": [{"input": "i" * 10**6, "output": "o" * 10**6}]}
    )
    text = text_of(*gather(make_entry(problem, make_test(WA), code="#" * 10**6)))
    assert len(text) < 150_000
    (detail,) = parse_page(text).details()
    assert detail["cut"] + len(detail["code"]) == 10**6
    excerpt = detail["fail"]["input"]
    assert len(excerpt["text"]) + excerpt["after"] == 10**6


def test_samples_of_a_problem_share_texts() -> None:
    code = "print(int(input()) ** 3)  #" + "x" * 5000
    entries = [entry(WA, code=code, number=n) for n in range(40)]
    assert len(text_of(*gather(*entries))) < 100_000


@pytest.mark.parametrize("verdict", list(Verdict))
def test_every_verdict_has_its_meaning_and_its_colour(verdict: Verdict) -> None:
    page = build(entry(verdict=verdict))
    assert page.data("meanings")[str(verdict)]
    kinds = {attributes.get("class") for _, attributes in page.tags}
    assert f"verdict {verdict}" in kinds
    assert f".v-{verdict}" in page.styles[0]


def test_the_page_is_labelled_for_whoever_cannot_see_it() -> None:
    page = build(entry(WA, AC))
    ids = {attributes["id"] for _, attributes in page.tags if "id" in attributes}
    for name, attributes in page.tags:
        if name in ("section", "dialog"):
            assert attributes["aria-labelledby"] in ids
        if name == "svg":
            assert attributes.get("aria-labelledby") in ids or attributes["aria-hidden"] == "true"
    assert ("html", {"lang": "en"}) in page.tags
    heads = [a for name, a in page.tags if name == "th" and "aria-sort" in a]
    assert len(heads) == 9 + 5  # of the solutions, of the problems
    assert all(a["scope"] == "col" for a in heads)
    inputs = [n for n, (name, _) in enumerate(page.tags) if name in ("input", "select")]
    assert inputs
    assert all(page.tags[place - 1][0] == "label" for place in inputs)


def test_solutions_near_their_limit_are_links() -> None:
    page = build(entry(AC, flags=("near_limit",)))
    buttons = [a for name, a in page.tags if name == "button" and a.get("data-at") == "0"]
    assert len(buttons) == 1


def test_statements_give_way_before_the_rows_of_problems() -> None:
    problems = [make_square(f"p{number}", statement="long " * 400) for number in range(20)]
    builder, _ = gather(*(make_entry(problem, make_test(AC)) for problem in problems))
    whole, cut = (json.loads(re.sub("<.*?>", "", make_problems_element(builder, most)))
                  for most in (1 << 20, 12_000))  # fmt: skip
    assert [row[-1]["after"] for row in whole["rows"]] == [0] * 20
    assert [row[-1] is None for row in cut["rows"]].count(True) > 10
    assert (len(cut["rows"]), cut["leftOut"]) == (20, 0)


def make_entry_with(settings: dict[str, Any], **limits: float) -> Entry:
    return make_entry(make_square(f"p{limits}", limits=limits), make_test(AC), settings=settings)


def limits_of(*entries: Entry) -> str | None:
    builder, _ = gather(*entries)
    return builder.describe_run().get("limits")


def test_the_limits_are_those_of_the_settings_then_of_the_problems() -> None:
    plain, other = {"stop": "never"}, {"limits": {"time_s": 9}, "time_scale": 2.0}
    assert limits_of(make_entry_with(plain)) == "6 s of CPU time, 1024 MiB"
    assert limits_of(make_entry_with(plain), make_entry_with(plain, time_s=2, memory_mb=64)) == (
        "2 to 6 s of CPU time, 64 to 1024 MiB"
    )
    assert limits_of(make_entry_with(other, time_s=2)) == "18 s of CPU time, 1024 MiB"
    by_language = make_entry_with(
        {"time_scale": 2.0, "language_time_scale": {"python": 3, "cpp": 9}}
    )
    assert limits_of(by_language) == "36 s of CPU time, 1024 MiB"
    assert limits_of((*by_language[:2], None)) is None  # whose language is not known


def test_results_that_do_not_say_how_they_were_judged_show_no_limits() -> None:
    assert limits_of((make_entry_with({"stop": "never"})[0], None, None)) is None
    assert limits_of(make_entry_with({"limits": {"time_s": "long"}})) is None
    assert limits_of(make_entry_with({"time_scale": []})) is None
    assert limits_of(make_entry_with({"language_time_scale": ["python"]})) is None


def test_pass_at_1_has_its_interval_and_other_ks_none() -> None:
    parts = gather(entry(WA, number=1), entry(AC, number=2), ks=(1, 2))
    words = "\n".join(parse_page(text_of(*parts)).texts)
    assert "pass@1\n50.0 %\nof 1 problem; 95 % interval 0.0 to 100.0\n" in words
    assert words.count("95 % interval") == 1


def test_the_page_has_the_title_that_it_was_given() -> None:
    assert "<h1>Evaluation report</h1>" in text_of(*gather(entry(AC)))
    page = text_of(*gather(entry(AC)), title="<b>Run 7")
    assert "<title>&lt;b&gt;Run 7</title>" in page
    assert "<h1>&lt;b&gt;Run 7</h1>" in page


def test_time_over_the_limit_is_a_part_of_the_cpu_time() -> None:
    tests = make_test(AC, 1.0), make_test(Verdict.TLE, 2.0, wall_s=40.0)
    words = "\n".join(build(make_entry(make_square(), *tests)).texts)
    assert "CPU time\n3.0 s\n2.0 s of it in tests over their time limit" in words


def test_an_assertion_shows_the_value_that_the_judge_noted() -> None:
    code = "def check(candidate):\n    assert candidate(1, 2) == 3\ncheck(add)\n"
    problem = problem_from({"problem_id": "he", "entry_point": "add", "test_code": code})
    test = make_test(WA, detail="candidate(1, 2) == 3: got None")
    (detail,) = build(make_entry(problem, test)).details()
    failure = detail["fail"]
    texts = [failure[key]["text"] for key in ("input", "expected", "got")]
    assert texts == ["candidate(1, 2) == 3", "3", "None"]
    assert failure["note"] == ""
