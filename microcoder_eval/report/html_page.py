"""The page as a whole: one file, nothing loaded, nothing run but the two scripts named by hash."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from typing import Any

from microcoder_eval.records import Verdict
from microcoder_eval.summary import Tally

from .blocks import MOST_BYTES, Details, block, json_text, table
from .gather import Gathering
from .markup import Markup, joined, tag
from .sections import MEANINGS, facts_line, summary

FIRST_LINE = "<!doctype html><!-- microcoder-eval report -->\n"
COLUMNS = (  # of the table: key to sort by, heading, class
    ("problem", "Problem", None),
    ("solution", "Solution", None),
    ("verdict", "Verdict", None),
    ("passed", "Tests passed", "number"),
    ("seconds", "CPU time", "number"),
    ("memory", "Memory", "number"),
    ("failing", "First failing test", "number"),
    ("matched", "Matched by", None),
    ("flags", "Flags", None),
)


def page(
    gathering: Gathering, tally: Tally, facts: dict[str, Any], most_bytes: int = MOST_BYTES
) -> Iterator[str]:
    """The page in parts, to be written one after the other. most_bytes: of programs and outputs.

    facts: name -> value, shown under the title.
    """
    style, script = _asset("report.css"), "".join(map(_asset, ("highlight.js", "report.js")))
    yield FIRST_LINE
    yield '<html lang="en">\n'
    yield _head(style, script)
    yield "<body>\n"
    yield tag("a", "Skip to the solutions", href="#solutions", class_="skip")
    yield _header(facts)
    yield joined(
        Markup("<main>\n"),
        summary(gathering, tally),
        _solutions(),
        Markup("\n</main>\n"),
        _dialog(),
    )
    details = Details(gathering, most_bytes)
    yield from details.blocks()
    yield table(gathering, details)
    yield block("meanings", json_text({str(verdict): MEANINGS[verdict] for verdict in Verdict}))
    yield tag("script", Markup(script))
    yield "</body></html>\n"


def _asset(name: str) -> str:
    return (files(__package__) / "assets" / name).read_text(encoding="utf-8")


def policy(style: str, script: str) -> str:
    """What the page may do: its own style and script, named by their hashes, and nothing else."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_hash(script)}'",
            f"style-src '{_hash(style)}'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _head(style: str, script: str) -> Markup:
    policy_tag = tag("meta", http_equiv="Content-Security-Policy", content=policy(style, script))
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        policy_tag,
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", "MicroCoder: evaluation report"),
        tag("style", Markup(style)),
    )


def _header(facts: dict[str, Any]) -> Markup:
    theme = tag(
        "label",
        "Colours ",
        tag(
            "select",
            *(tag("option", name, value=name) for name in ("system", "light", "dark")),
            id="theme",
        ),
    )
    return tag("header", tag("h1", "Evaluation report"), facts_line(facts), theme)


def _choice(name: str, label: str) -> Markup:
    return tag("label", f"{label} ", tag("select", tag("option", "all", value=""), id=name))


def _solutions() -> Markup:
    search = tag(
        "label",
        "Search ",
        tag(
            "input", type="search", id="search", autocomplete="off", spellcheck="false",
            placeholder="problem, solution, verdict, flag, method",
        ),
    )  # fmt: skip
    choices = [
        _choice("verdict", "Verdict"),
        _choice("difficulty", "Difficulty"),
        _choice("platform", "Platform"),
    ]
    heads = [
        tag(
            "th",
            tag("button", name, type="button", data_key=key),
            scope="col",
            aria_sort="none",
            class_=kind,
        )
        for key, name, kind in COLUMNS
    ]
    grid = tag(
        "table",
        tag("caption", "Solutions", class_="unseen"),
        tag("thead", tag("tr", *heads)),
        tag("tbody", id="rows"),
        id="grid",
    )
    pager = tag(
        "nav",
        tag("button", "First", type="button", id="first"),
        tag("button", "Previous", type="button", id="previous"),
        tag("span", id="place"),
        tag("button", "Next", type="button", id="next"),
        tag("button", "Last", type="button", id="last"),
        aria_label="Pages of the table",
        class_="pager",
    )
    return tag(
        "section",
        tag("h2", "Solutions", id="h-solutions"),
        tag("noscript", "The table and the programs need JavaScript; the figures above do not."),
        tag("div", search, *choices, role="search", class_="filters"),
        tag("p", id="found", role="status"),
        tag("div", grid, class_="scrolled", tabindex="0", role="region", aria_label="Table"),
        pager,
        id="solutions",
        tabindex="-1",
        aria_labelledby="h-solutions",
        class_="card",
    )


def _dialog() -> Markup:
    return tag(
        "dialog",
        tag(
            "div",
            tag("h2", id="h-detail", tabindex="-1"),
            tag(
                "p",
                tag("button", "Previous", type="button", id="before"),
                tag("button", "Next", type="button", id="after"),
                tag("button", "Close", type="button", id="close"),
                class_="steps",
            ),
            class_="top",
        ),
        tag("div", id="body"),
        id="detail",
        aria_labelledby="h-detail",
    )
