"""The page in a real browser: headless Chromium, driven by Playwright where both are there."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval.html.curves import Chart, Sample, Series, render_curves
from microcoder_eval.records import Solution, Test, Verdict
from microcoder_eval.report import ReportBuilder
from microcoder_eval.results.summary import Tally
from tests.files import read_table
from tests.report.making import (
    WORST,
    Entry,
    gather,
    make_judgement,
    make_square,
    make_test,
    text_of,
)

SCRIPTS = read_table(__file__)
AC, WA, TLE = Verdict.AC, Verdict.WA, Verdict.TLE
CHROMIUM = os.environ.get("MICROCODER_CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
pytestmark = pytest.mark.skipif(
    CHROMIUM is None or importlib.util.find_spec("playwright") is None,
    reason="the page is not tried in a browser: Chromium or the package playwright is missing",
)
PROGRAM = 'import sys\nn = int(sys.stdin.readline())  # "n"\nprint(f"{n * n}")\n'
PATIENCE = 120_000  # ms: of a machine with other work
CONTRAST = SCRIPTS["contrast"]

WIDER = SCRIPTS["wider"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # Root has no sandbox of Chromium's; nothing is opened but the page under test.
        args = ["--no-sandbox"] if os.geteuid() == 0 else []
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=args, timeout=PATIENCE, env={**os.environ}
        )
        yield chromium
        chromium.close()


def entries() -> Iterator[Entry]:
    worst = replace(make_square(), problem_id=WORST, tests=(Test(WORST, WORST),), platform=WORST)
    solution = Solution(WORST, WORST, code=WORST)
    test = make_test(WA, detail=WORST)
    yield (
        make_judgement(solution, test, problem=worst, flags=(WORST,), error=WORST),
        worst,
        solution,
    )
    for number in range(120):
        problem = make_square(
            f"square-{number % 3}",
            difficulty=("easy", "hard", "easy")[number % 3],
            statement="Print the square of n.",
        )
        solution = Solution(problem.problem_id, f"s{number}", code=PROGRAM)
        verdict = (AC, WA, TLE)[number % 3]
        tests = [make_test(AC, 0.001 * number), make_test(verdict, 0.001 * number)]
        yield make_judgement(solution, *tests, problem=problem), problem, solution


def replace_output(gathering: ReportBuilder, position: int) -> None:
    """As if it had been run again."""
    row = gathering.rows[position]
    detail = gathering.read_detail(row)
    side = {"before": 0, "after": 0, "line": 1}
    detail["fail"]["got"] = {**side, "text": "1\n5\n", "mark": [2, 3]}
    detail["fail"]["expected"] = {**side, "text": "1\n44\n", "mark": [2, 4]}
    row.detail = gathering._spool.put(detail)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    gathering, tally = gather(*entries())
    replace_output(gathering, 2)
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(text_of(gathering, tally), encoding="utf-8", errors="backslashreplace")
    return path


CHOICES = ("verdict", "difficulty", "platform")


class Opened:
    """A page, and what it complained of or asked the network for."""

    def __init__(self, browser: Any, file: Path, scheme: str, anchor: str) -> None:
        self.context = browser.new_context(
            color_scheme=scheme, viewport={"width": 1280, "height": 900}
        )
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(f"{file.as_uri()}{anchor}", timeout=PATIENCE)


OpenPage = Callable[..., Opened]


@pytest.fixture
def open_page(browser: Any) -> Iterator[OpenPage]:
    """open_page(file, scheme, anchor): the page is closed after the test."""
    with ExitStack() as pages:

        def open_one(file: Path, scheme: str = "light", anchor: str = "") -> Opened:
            page = Opened(browser, file, scheme, anchor)
            pages.callback(page.context.close)
            return page

        yield open_one


@pytest.fixture(params=["light", "dark"])
def report(request: pytest.FixtureRequest, open_page: OpenPage, file: Path) -> Iterator[Opened]:
    browser_page = open_page(file, request.param)
    yield browser_page
    assert browser_page.complaints == []
    assert browser_page.requests == [file.as_uri()]
    assert browser_page.page.title() == "MicroCoder: evaluation report"


def rows(report: Opened) -> list[str]:
    return list(report.page.locator("#rows tr th").all_inner_texts())


def test_hostile_text_is_shown_as_text_and_does_nothing(report: Opened) -> None:
    page = report.page
    page.locator("#rows button").first.click()
    detail = page.locator("#detail")
    detail.wait_for()
    assert "<img src=x onerror=" in detail.inner_text()
    assert "\\u202e" in detail.inner_text()
    assert "\u202e" not in page.locator("body").inner_text()
    assert page.locator("img, iframe, object, embed").count() == 0
    assert page.locator("script:not([type])").count() == 1


def test_the_policy_holds_against_script_that_got_in(open_page: OpenPage, file: Path) -> None:
    report = open_page(file)
    refused = report.page.evaluate(
        """() => {
          const refused = [];
          const tries = {
            html: () => { document.body.innerHTML = "<img src=x onerror=1>"; },
            script: () => { document.createElement("script").text = "document.title = 'taken'"; },
          };
          for (const [name, act] of Object.entries(tries)) {
            try { act(); } catch (error) { refused.push(name); }
          }
          return refused;
        }"""
    )
    assert refused == ["html", "script"]
    loaded = report.page.evaluate(
        """() => new Promise((done) => {
          document.addEventListener("securitypolicyviolation", (e) => done(e.violatedDirective));
          document.body.append(Object.assign(new Image(), { src: "https://example.invalid/x" }));
        })"""
    )
    assert loaded == "img-src"


def test_the_table_is_searched_filtered_sorted_and_paged(report: Opened) -> None:
    page = report.page
    assert len(rows(report)) == 50
    assert page.locator("#found").inner_text() == "121 of 121 solutions"
    page.get_by_role("button", name="Next").click()
    assert page.locator("#place").inner_text() == "Page 2 of 3"
    page.get_by_role("searchbox", name="Search").fill("square-0 AC")
    page.get_by_text("40 of 121 solutions").wait_for()
    page.locator("#difficulty").select_option("easy")
    assert page.get_by_role("status").inner_text() == "40 of 121 solutions"
    page.get_by_role("searchbox").fill("")
    page.get_by_text("80 of 121 solutions").wait_for()
    by_time = page.get_by_role("button", name="CPU time")
    by_time.click()
    assert rows(report)[0] == "s0"
    by_time.click()
    assert rows(report)[0] == "s119"
    assert page.locator("th[aria-sort=descending]").inner_text().startswith("CPU time")


def test_a_solution_shows_its_program_and_the_marked_difference(report: Opened) -> None:
    page = report.page
    page.get_by_role("button", name="s1", exact=True).click()
    dialog = page.get_by_role("dialog", name="square-1 s1")
    dialog.wait_for()
    assert dialog.locator("pre.got mark").inner_text() == "5"
    assert dialog.locator("pre.expected mark").inner_text() == "44"
    assert dialog.locator("pre.got .differs").count() == 1
    code = dialog.locator("pre.code")
    assert code.inner_text().split("\n")[:3] == PROGRAM.split("\n")[:3]
    assert code.locator(".k-keyword").first.inner_text() == "import"
    assert code.locator(".k-comment").inner_text() == '# "n"'
    assert "exact (1)" in dialog.inner_text()
    dialog.get_by_role("button", name="Next").click()
    page.get_by_role("dialog", name="square-2 s2").wait_for()


def test_the_keyboard_is_enough(report: Opened) -> None:
    page = report.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "solutions"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "search"
    button = page.get_by_role("button", name="s4", exact=True)
    button.focus()
    page.keyboard.press("Enter")
    page.locator("#h-detail").wait_for()
    assert page.evaluate("document.activeElement.id") == "h-detail"
    page.keyboard.press("Escape")
    page.locator("#detail").wait_for(state="hidden")
    assert page.evaluate("document.activeElement.textContent") == "s4"


def test_every_control_has_a_name(report: Opened) -> None:
    page = report.page
    something = re.compile(r"\S")
    for role in ("button", "combobox", "searchbox"):
        count = page.get_by_role(role).count()
        assert count == page.get_by_role(role, name=something).count() > 0
    page.get_by_role("button", name="s1", exact=True).click()
    dialog = page.get_by_role("dialog", name="square-1 s1")
    dialog.wait_for()
    assert dialog.get_by_role("button", name=something).count() == 4  # one leads to the problem
    assert dialog.get_by_role("button").count() == 4


def test_every_text_stands_out_enough(report: Opened) -> None:
    assert report.page.evaluate(CONTRAST) == []
    report.page.get_by_role("button", name="s1", exact=True).click()
    report.page.locator("#h-detail").wait_for()
    assert report.page.evaluate(CONTRAST) == []


def test_the_colours_can_be_chosen(report: Opened) -> None:
    page = report.page
    colour = "getComputedStyle(document.body).backgroundColor"
    colours = {}
    for choice in ("dark", "light"):
        page.locator("#theme").select_option(choice)
        colours[choice] = page.evaluate(colour)
    assert colours == {"dark": "rgb(20, 22, 26)", "light": "rgb(246, 247, 249)"}


def test_a_link_opens_a_solution(open_page: OpenPage, file: Path) -> None:
    report = open_page(file, anchor="#s5")
    report.page.get_by_role("dialog", name="square-1 s4").wait_for()


def test_the_table_of_problems_is_sorted_and_says_by_what(report: Opened) -> None:
    page = report.page
    names = page.locator("#problem-rows th")
    assert names.all_inner_texts()[1:] == ["square-0", "square-1", "square-2"]
    heading = page.locator("#problem-grid").get_by_role("button", name="Solutions accepted")
    heading.click()
    heading.click()
    assert names.first.inner_text() == "square-0"  # whose solutions all pass
    assert heading.locator("..").get_attribute("aria-sort") == "descending"
    assert "2 (40 of 40)" in page.locator("#problem-rows").inner_text()


def test_a_problem_shows_its_statement_its_tests_and_its_solutions(
    open_page: OpenPage, file: Path
) -> None:
    report = open_page(file, anchor="#p2")
    dialog = report.page.get_by_role("dialog", name="square-1")
    dialog.wait_for()
    assert "Print the square of n." in dialog.locator(".statement").inner_text()
    assert "40 of 40" in dialog.locator(".tests").inner_text()
    dialog.get_by_role("button", name="s7", exact=True).click()
    report.page.get_by_role("dialog", name="square-1 s7").wait_for()


def test_the_whole_answer_stands_beside_its_program(open_page: OpenPage, tmp_path: Path) -> None:
    problem = make_square()
    answer = f"{'Let me make_square it. ' * 9}\n```python\n{PROGRAM}```\nDone."
    solution = Solution("square", "s", response=answer)
    judgement = make_judgement(solution, make_test(AC), problem=problem, code_sha256="")
    path = tmp_path / "report.html"
    path.write_text(text_of(*gather((judgement, problem, solution))), encoding="utf-8")
    report = open_page(path, anchor="#s0")
    dialog = report.page.locator("#detail")
    dialog.wait_for()
    assert dialog.locator(".answer").inner_text().rstrip() == answer
    assert dialog.locator(".taken").inner_text() == PROGRAM.rstrip()
    report.page.set_viewport_size({"width": 390, "height": 800})
    assert report.page.evaluate(WIDER) == []


def test_tables_are_downloaded_as_csv_that_no_spreadsheet_runs(
    open_page: OpenPage, file: Path
) -> None:
    report = open_page(file)
    report.page.get_by_role("searchbox").fill("square-2")
    report.page.get_by_text("40 of 121 solutions").wait_for()
    with report.page.expect_download() as download:
        report.page.locator("#csv").click()
    lines = Path(download.value.path()).read_text().splitlines()
    assert download.value.suggested_filename == "solutions.csv"
    assert (lines[0].split(",")[:3], len(lines)) == (["problem", "solution", "verdict"], 41)
    cells = ["=1+1", "-2", 'say "a, b"', -2, None]
    assert report.page.evaluate("(cells) => cells.map(cell).join(';')", cells) == (
        '\'=1+1;\'-2;"say ""a, b""";-2;'
    )


@pytest.mark.parametrize("anchor", ["", "#s1", "#p1"])
def test_nothing_is_wider_than_a_telephone(open_page: OpenPage, file: Path, anchor: str) -> None:
    report = open_page(file, anchor=anchor)
    report.page.set_viewport_size({"width": 390, "height": 800})
    assert report.page.evaluate(WIDER) == []


def test_a_choice_without_values_is_hidden_on_a_telephone(
    open_page: OpenPage, tmp_path: Path
) -> None:
    solution = Solution("p", "s", code="x")
    path = tmp_path / "report.html"
    text = text_of(*gather((make_judgement(solution, make_test(AC)), None, None)))
    path.write_text(text, encoding="utf-8")
    report = open_page(path)
    report.page.set_viewport_size({"width": 390, "height": 800})
    shown = {name: report.page.locator(f"#{name}").is_visible() for name in CHOICES}
    assert shown == {"verdict": True, "difficulty": False, "platform": False}


def test_a_click_on_a_curve_shows_the_samples_of_that_step(
    open_page: OpenPage, tmp_path: Path
) -> None:
    chart = Chart("reward", "reward", [Series("a", [0, 10, 20], [0.0, 0.5, 1.0])])
    samples = {step: [Sample(f"p{step}", WORST, WORST, "AC", {})] for step in (0, 10, 20)}
    path = tmp_path / "curves.html"
    path.write_text(render_curves("Runs", "", [chart], {"a": samples}), encoding="utf-8")
    report = open_page(path, "dark")
    drawing = report.page.get_by_role("img", name="reward by step")
    drawing.click()
    assert report.page.get_by_role("status").inner_text().startswith("step 10: 1 of 1")
    assert "p10" in report.page.locator("#samples").inner_text()
    assert "0.5 (step 10)" in report.page.locator(".values").inner_text()
    report.page.get_by_role("button", name="Next").click()
    assert "p20" in report.page.locator("#samples").inner_text()
    assert report.page.evaluate(CONTRAST) == []
    assert (report.complaints, report.page.title()) == ([], "Runs")


@pytest.mark.parametrize("language", ["python", "cpp"])
def test_highlighting_loses_no_character(open_page: OpenPage, file: Path, language: str) -> None:
    report = open_page(file)
    texts = [
        PROGRAM,
        WORST,
        "'''never closed\n\"",
        "/* never closed\n`${",
        "x = rb'\\'' + f\"{a!r:>{w}}\" @b.c 0x_ff 1e-9 1__0 .5",
        "".join(chr(code) for code in range(0x250)),
    ]
    same = "([texts, l]) => texts.every((t) => tokens(t, l).map((x) => x[1]).join('') === t)"
    assert report.page.evaluate(same, [texts, language])


def test_highlighting_takes_linear_time(open_page: OpenPage, file: Path) -> None:
    report = open_page(file)
    time = (
        "([t, l]) => { const at = performance.now(); tokens(t, l); return performance.now() - at; }"
    )
    for text in ('"', "'\\", "/*", "r", "1_", "`"):
        for language in ("python", "cpp"):
            short, long = (
                min(report.page.evaluate(time, [text * count, language]) for _ in range(3))
                for count in (8_000, 256_000)
            )
            assert long < 200 * short + 50, (text, language)  # 1024 times if it were quadratic


@pytest.mark.slow
def test_ten_thousand_solutions_open_at_once(open_page: OpenPage, tmp_path: Path) -> None:
    gathering, tally = ReportBuilder(), Tally(ks=(1, 10))
    for number in range(10_000):
        problem = make_square(f"p{number // 10}")
        code = "\n".join(f"line_{number}_{n} = {n} * {number}" for n in range(60))
        solution = Solution(problem.problem_id, f"s{number}", code=code)
        verdict = AC if number % 3 else WA
        judgement = make_judgement(
            solution, *[make_test(AC)] * 9, make_test(verdict), problem=problem
        )
        tally.add(judgement, problem)
        gathering.add(number, judgement, problem, solution)
    path = tmp_path / "report.html"
    path.write_text(text_of(gathering, tally), encoding="utf-8")
    assert path.stat().st_size < 48 << 20
    report = open_page(path)
    seconds = report.page.evaluate("performance.now()") / 1000
    print(f"{path.stat().st_size / 2**20:.1f} MiB opened in {seconds:.2f} s")
    assert report.page.locator("#rows tr").count() == 50
    report.page.get_by_role("searchbox").fill("p999 wa")
    report.page.get_by_text("4 of 10000 solutions").wait_for()
    assert report.complaints == []
