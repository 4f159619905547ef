"""Converts statements in LaTeX to Markdown: pandoc converts them to HTML, and `html` does the rest.

pandoc expands macros and environments: the statement's own, and those of contest packages, which
are defined here. It runs confined: it reads no file, and its time and memory are bounded.
"""

from __future__ import annotations

import re
import subprocess
import textwrap
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
    "Limit": "Limits", "Limits": "Limits", "Explanation": "Explanation",
    "Constraints": "Constraints",
}  # fmt: skip
_STACKS = ("shortstack", "makecell", "thead")  # several lines in a cell
# The signs of LaTeX that pandoc does not know.
_SIGNS = {"texttrademark": "™", "textbar": "|", "texttimes": "×", "texteuro": "€", "dag": "†"}
_TITLE_MARK = "\ue002"  # marks the problem's title, a level above all sections
_EMPTY_TITLE = re.compile(rf"^## {_TITLE_MARK}\s*?$", re.MULTILINE)
_PREAMBLE = "".join(
    (
        rf"\newcommand{{\problemname}}[1]{{\section*{{{_TITLE_MARK}#1}}}}",
        rf"\newenvironment{{problem}}[1]{{\section*{{{_TITLE_MARK}#1}}}}{{}}",
        r"\newcommand{\exmpfile}[2]{}",
        r"\newcommand{\problemyamlname}{}\newcommand{\defaultsampletext}{}",
        r"\newcommand{\illustration}[3]{\par\includegraphics{#2}\par}",
        r"\newcommand{\includesvg}[2][]{\includegraphics{#2}}",
        r"\renewcommand{\footnote}[1]{ (#1)}\renewcommand{\color}[2][]{}",
        r"\renewcommand{\t}[1]{\texttt{#1}}\newcommand{\file}[1]{\texttt{#1}}",
        # pandoc drops a cell of a table with line breaks, but for those in a box.
        *(rf"\newcommand{{\{name}}}[2][]{{\parbox{{9cm}}{{#2}}}}" for name in _STACKS),
        *(rf"\newcommand{{\{name}}}{{{sign}}}" for name, sign in _SIGNS.items()),
        *(rf"\newenvironment{{{name}}}{{\section*{{{name}}}}}{{}}" for name in _SECTIONS),
        *(rf"\newcommand{{\{name}}}{{\section*{{{title}}}}}"
          for name, title in _OLYMP_SECTIONS.items()),
    )
)  # fmt: skip
_GROUP = r"\{((?:[^{}\\]|\\.|\{[^{}]*\})*)\}"
_ARGUMENT = re.compile(_GROUP)
_SAMPLE = re.compile(rf"\\exmp\s*{_GROUP}\s*{_GROUP}%?")
_COMMENT_LINE = re.compile(r"\A%[^\n]*\n")  # it only hides the end of the line
_READS_FILE = re.compile(r"\\[A-Za-z]+\s*\{[^{}]*\}")  # a sample that is one command
_STARRED_BREAK = re.compile(  # outside of code
    r"(\\verb\*?(?P<end>[^\sA-Za-z]).{0,200}?(?P=end)|\\begin\{(?P<name>verbatim|lstlisting)\}"
    r".{0,5000}?\\end\{(?P=name)\})|\\\\\*",
    re.DOTALL,
)
_PROBLEM = re.compile(rf"(\\begin\{{problem\}}\s*{_GROUP})(?:\s*\{{[^{{}}\\\n]*\}}){{0,6}}")
_FIGURE_INPUT = re.compile(r"(\\begin\{figure\*?\}(?:(?!\\end\{).){0,1000}?)\\input\b", re.DOTALL)
_SKIPPED = re.compile(
    r"^\[INFO\] Skipped '\\([A-Za-z]+)\*?(.*?)' at line", re.MULTILINE | re.DOTALL
)
_ENVIRONMENT = re.compile(r"\{(\w+)\}")
_LENGTH = r"(?:\{[lrioLRIO]\})?\{[-\d.]*\s*(?:\\[a-z]+|pt|cm|mm|em|ex|in)\}"  # with the side
_SETTING = re.compile(r"set\w*|\w*set(?:up)?"), re.compile(r"[\w ,-]+=[^{}]*")  # name, argument
# Environments' contents are read; a length is no text.
_KNOWN_SILENT = frozenset({"begin", "end", "bgroup", "egroup", "hspace", "vspace"})
_TWO_ARGUMENTS = frozenset({"frac", "dfrac", "tfrac", "binom"})
_ERROR = re.compile(r"(?:Error at[^\n]*\n)?([^\n]+)")
_QUOTES = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "…": "..."})
_MAX_SECONDS, _MEMORY_MB, _MAX_OUTPUT = 15, 256, 4 << 20  # a statement takes .1 s and 60 MB


def to_markdown(text: str, spans: ProtectedSpans) -> tuple[str, int]:
    """Return the text as Markdown, and the number of pictures. Raises MarkupError where it cannot
    be read, and DataError where pandoc is not installed."""
    text = FENCE.sub(lambda match: f"\n\n{hide_fence(match, spans)}\n\n", text)
    text = _SAMPLE.sub(lambda match: _hide_sample(match, spans), text)
    text = _PROBLEM.sub(r"\1", text)
    text = _STARRED_BREAK.sub(lambda match: match[1] or r"\\", text)
    text = _FIGURE_INPUT.sub(r"\1\\includegraphics", text)
    page, messages = _run_pandoc(_PREAMBLE + text)
    known = _define_unknown(text, messages)
    if known != text:
        page, _ = _run_pandoc(_PREAMBLE + known)
    page = page.replace('alt="image"', "")  # pandoc's text for a picture without a caption
    markdown, images = html.to_markdown(page, spans)
    markdown = _EMPTY_TITLE.sub("", markdown).replace(f"## {_TITLE_MARK}", "# ")
    return markdown.translate(_QUOTES), images


def _define_unknown(text: str, messages: str) -> str:
    """Return the text with definitions of what pandoc did not know in it, as its messages say."""
    unknown: dict[str, list[str]] = {}
    for name, arguments in _SKIPPED.findall(messages):
        unknown.setdefault(name, []).append(arguments)
    for name in set(_ENVIRONMENT.findall(" ".join(unknown.get("begin", ())))):
        text = re.sub(rf"(\\begin\{{{name}\}})(?:\[[^]]*\])?{_LENGTH}", r"\1", text)
    own = {name: uses for name, uses in unknown.items() if name not in _KNOWN_SILENT}
    return "".join(_define(name, uses) for name, uses in own.items()) + text


def _define(name: str, uses: list[str]) -> str:
    """Define a command that pandoc does not know in text: a formula's without its dollars, or one
    of a style file that we do not have, whose arguments are kept, apart. uses: the arguments of
    each use as they are written."""
    groups = min((_ARGUMENT.findall(use) for use in uses), key=len)
    count = 2 if name in _TWO_ARGUMENTS else len(groups)
    arguments = "".join(f"{{#{i + 1}}}" for i in range(count))
    text = maths.to_plain_text(rf"\{name}{arguments}") if name in maths.COMMANDS else None
    if text is not None:
        return rf"\newcommand{{\{name}}}" + (f"[{count}]" if count else "") + f"{{{text}}}"
    has_option = any(use.lstrip().startswith("[") for use in uses)
    is_setting = _SETTING[0].fullmatch(name) and any(map(_SETTING[1].fullmatch, groups))
    parameters = [] if is_setting else [f"#{i + 1 + has_option}" for i in range(count)]
    count += has_option
    head = (f"[{count}]" if count else "") + ("[]" if has_option else "")
    return rf"\newcommand{{\{name}}}{head}{{{' '.join(parameters)}}}"


def _hide_sample(match: re.Match[str], spans: ProtectedSpans) -> str:
    texts = (_COMMENT_LINE.sub("", part) for part in match.groups())
    parts = [textwrap.dedent(text).strip() for text in texts]
    if any(map(_READS_FILE.fullmatch, parts)):
        return ""
    given, wanted = map(make_fence, parts)
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
