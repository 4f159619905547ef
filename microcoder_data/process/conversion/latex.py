"""Converts statements in LaTeX to Markdown: pandoc converts them to HTML, and `html` does the rest.

pandoc expands macros and environments: the statement's own, and those of contest packages, which
are defined here. It runs confined: it reads no file, and its time and memory are bounded.
"""

from __future__ import annotations

import re
import subprocess
from functools import cache

from microcoder_eval.errors import DataError

from . import html, maths
from .markdown import FENCE, hide_fence
from .notation import MarkupError, make_fence
from .protected_spans import ProtectedSpans

# The commands of problem packages (Kattis, DOMjudge), of Polygon and of olymp.sty.
_SECTIONS = ("Input", "Output", "Sample", "Note", "Constraints", "Interaction", "Limits")
_OLYMP_SECTIONS = {
    "InputFile": "Input", "OutputFile": "Output", "Example": "Example", "Examples": "Examples",
    "Note": "Note", "Notes": "Notes", "Scoring": "Scoring", "Interaction": "Interaction",
    "Limits": "Limits", "Explanation": "Explanation", "Constraints": "Constraints",
}  # fmt: skip
_TITLE_MARK = "\ue002"  # marks the problem's title, a level above all sections
_EMPTY_TITLE = re.compile(rf"^## {_TITLE_MARK}\s*?$", re.MULTILINE)
_PREAMBLE = "".join(
    (
        rf"\newcommand{{\problemname}}[1]{{\section*{{{_TITLE_MARK}#1}}}}",
        rf"\newenvironment{{problem}}[5]{{\section*{{{_TITLE_MARK}#1}}}}{{}}",
        r"\newcommand{\problemyamlname}{}\newcommand{\defaultsampletext}{}",
        r"\newcommand{\illustration}[3]{\par\includegraphics{#2}\par}",
        r"\newcommand{\includesvg}[2][]{\includegraphics{#2}}",
        r"\renewcommand{\footnote}[1]{ (#1)}\renewcommand{\color}[2][]{}",
        r"\renewcommand{\t}[1]{\texttt{#1}}\newcommand{\file}[1]{\texttt{#1}}",
        *(rf"\newenvironment{{{name}}}{{\section*{{{name}}}}}{{}}" for name in _SECTIONS),
        *(rf"\newcommand{{\{name}}}{{\section*{{{title}}}}}"
          for name, title in _OLYMP_SECTIONS.items()),
    )
)  # fmt: skip
_GROUP = r"\{((?:[^{}\\]|\\.|\{[^{}]*\})*)\}"
_SAMPLE = re.compile(rf"\\exmp\s*{_GROUP}\s*{_GROUP}%?")
_SKIPPED = re.compile(r"^\[INFO\] Skipped '\\([A-Za-z]+)\*?\s*((?:\{|\[)?)", re.MULTILINE)
_KNOWN_SILENT = frozenset({"bgroup", "egroup", "hspace", "vspace"})  # a length is no text
_TWO_ARGUMENTS = frozenset({"frac", "dfrac", "tfrac", "binom"})
_ERROR = re.compile(r"(?:Error at[^\n]*\n)?([^\n]+)")
_QUOTES = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "…": "..."})
_MAX_SECONDS, _MEMORY_MB, _MAX_OUTPUT = 15, 256, 4 << 20  # a statement takes .1 s and 60 MB


def to_markdown(text: str, spans: ProtectedSpans) -> tuple[str, int]:
    """Return the text as Markdown, and the number of pictures. Raises MarkupError where it cannot
    be read, and DataError where pandoc is not installed."""
    text = FENCE.sub(lambda match: f"\n\n{hide_fence(match, spans)}\n\n", text)
    text = _SAMPLE.sub(lambda match: _hide_sample(match, spans), text)
    page, messages = _run_pandoc(_PREAMBLE + text)
    own = {name: bool(brace) for name, brace in _SKIPPED.findall(messages)}
    unknown = {name: brace for name, brace in own.items() if name not in _KNOWN_SILENT}
    if unknown:
        definitions = "".join(_define(name, brace) for name, brace in unknown.items())
        page, _ = _run_pandoc(f"{_PREAMBLE}{definitions}{text}")
    page = page.replace('alt="image"', "")  # pandoc's text for a picture without a caption
    markdown, images = html.to_markdown(page, spans)
    markdown = _EMPTY_TITLE.sub("", markdown).replace(f"## {_TITLE_MARK}", "# ")
    return markdown.translate(_QUOTES), images


def _define(name: str, has_argument: bool) -> str:
    """Define a command that pandoc does not know in text: a formula's without its dollars, or one
    of a style file that we do not have, whose argument is kept."""
    count = 2 if name in _TWO_ARGUMENTS else int(has_argument)
    arguments = "".join(f"{{#{i + 1}}}" for i in range(count))
    text = maths.to_plain_text(rf"\{name}{arguments}") if name in maths.COMMANDS else None
    if text is None:
        text = "#1" if has_argument else ""
    return rf"\newcommand{{\{name}}}" + (f"[{count}]" if count else "") + f"{{{text}}}"


def _hide_sample(match: re.Match[str], spans: ProtectedSpans) -> str:
    given, wanted = (make_fence(part.strip()) for part in match.groups())
    sample = spans.hide(f"Input:\n\n{given}\n\nOutput:\n\n{wanted}")
    return f"\n\n{sample}\n\n"


@cache
def _find_pandoc() -> str:
    try:
        import pypandoc

        return str(pypandoc.get_pandoc_path())
    except (ImportError, OSError) as error:
        raise DataError("LaTeX needs pandoc: pip install '.[data]' in the checkout") from error


def _run_pandoc(text: str) -> tuple[str, str]:
    """Return the HTML and pandoc's messages. Raises MarkupError."""
    command = [
        _find_pandoc(), "--from=latex", "--to=html", "--mathjax", "--sandbox", "--wrap=none",
        "--shift-heading-level-by=1", "--verbose", "+RTS", f"-M{_MEMORY_MB}m", "-RTS",
    ]  # fmt: skip
    try:
        done = subprocess.run(
            command, input=text.encode("utf-8", "replace"), capture_output=True, check=False,
            timeout=_MAX_SECONDS, env={"LANG": "C.UTF-8"},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise MarkupError(f"pandoc did not read it in {_MAX_SECONDS} s") from None
    messages = done.stderr.decode("utf-8", "replace")
    if done.returncode or len(done.stdout) > _MAX_OUTPUT:
        errors = "\n".join(line for line in messages.split("\n") if not line.startswith("["))
        match = _ERROR.search(errors)
        reason = match[1].strip() if match else f"it makes {len(done.stdout)} bytes"
        raise MarkupError(f"LaTeX that cannot be read: {reason}"[:200])
    return done.stdout.decode("utf-8", "replace"), messages
