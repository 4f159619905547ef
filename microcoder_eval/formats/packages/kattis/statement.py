"""Statements of Kattis packages, with the interactions that they show."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

from microcoder_eval.formats.packages.files import read_lenient_text

STATEMENT_FOLDERS = ("problem_statement", "statement", "")
# problem.tex, problem.en.tex: what the specification calls a statement. Slides have other names.
_STATEMENT = re.compile(r"problem(?:\.(?P<language>[a-z]{2,3}(?:-[A-Z]{2})?))?\.(?:tex|md|html)")
_LEGEND = "Lines with < are what the program reads, those with > what it prints."
_INTERACTION = {
    ".tex": "\\section*{{{title}}}\n\\begin{{verbatim}}\n{text}\n\\end{{verbatim}}",
    ".md": "## {title}\n\n```\n{text}\n```",
    ".html": "<h2>{title}</h2>\n<pre>{text}</pre>",
}


def read_statement(folder: Path) -> str | None:
    """Return the statement, in English where the package has it."""
    paths: dict[str, Path] = {}
    for name in STATEMENT_FOLDERS:
        # .tex before .md before .html; problem.en.tex before problem.tex
        paths_by_name = sorted((folder / name).glob("problem*"))
        for path in sorted(paths_by_name, key=lambda path: path.suffix, reverse=True):
            if match := _STATEMENT.fullmatch(path.name):
                paths.setdefault(match["language"] or "en", path)
    if not paths:
        return None
    path = paths["en" if "en" in paths else min(paths)]
    interactions = _show_interactions(folder / "data" / "sample", path.suffix)
    return "\n\n".join([read_lenient_text(path), *interactions])


def _show_interactions(samples: Path, suffix: str) -> Iterator[str]:
    """Yield what a statement with that suffix shows of the interactions among the samples."""
    escape = html.escape if suffix == ".html" else str
    paths = sorted(samples.glob("*.interaction"))
    if paths:
        yield f"<p>{escape(_LEGEND)}</p>" if suffix == ".html" else _LEGEND
    for number, path in enumerate(paths, 1):
        text = escape(read_lenient_text(path).strip("\n"))
        yield _INTERACTION[suffix].format(title=f"Sample Interaction {number}", text=text)
