"""Statements in LaTeX, as Markdown: what statements use of it, and the words of olymp.sty."""

from __future__ import annotations

import re

from .html import table
from .protected import Protected

_VERBATIM = re.compile(
    r"\\begin\{(verbatim\*?|lstlisting|minted|Verbatim|alltt)\}(?:\[[^\]]*\])?(?:\{\w+\})?"
    r"(.*?)\\end\{\1\}",
    re.DOTALL,
)
_VERB = re.compile(r"\\(?:verb|lstinline)\*?([^\w\s{*])(.*?)\1")
_COMMENT = re.compile(r"(?<!\\)%.*\n?")
_TABULAR = re.compile(r"\\begin\{tabular\}\s*\{[^}]*\}(.*?)\\end\{tabular\}", re.DOTALL)
_IMAGE = re.compile(
    r"\\(?:includegraphics|illustration|includesvg)(?:\[[^\]]*\])?(?:\{[^{}]*\}){1,3}"
)
_EXAMPLE = re.compile(r"\\exmp(?:file)?\s*\{([^{}]*)\}\s*\{([^{}]*)\}%?")
_TITLE = re.compile(
    r"\\problemname\s*\{([^{}]*)\}|\\begin\{problem\}\s*\{([^{}]*)\}(?:\s*\{[^{}]*\})*"
)
_ONE = r"\s*\{((?:[^{}]|\{[^{}]*\})*)\}"
_HEADING = re.compile(rf"\\(?:(?:sub)*section|paragraph|chapter)\*?{_ONE}")
_CODE = re.compile(rf"\\(?:texttt|t|code|file|mintinline\{{\w+\}}){_ONE}")
_TRANSPARENT = re.compile(
    r"\\(?:textbf|textit|emph|textsc|textrm|textsf|textsl|underline|bf|it|mbox|text|textnormal|"
    rf"textup|bfseries|InlineMath|caption|centerline|uline|sout){_ONE}"
)
_LINK = re.compile(rf"\\href{_ONE}{_ONE}")
_URL = re.compile(rf"\\url{_ONE}")
_NOTE = re.compile(rf"\\footnote{_ONE}")
_OLYMP = {
    "InputFile": "Input", "OutputFile": "Output", "Example": "Example", "Examples": "Examples",
    "Note": "Note", "Notes": "Notes", "Scoring": "Scoring", "Interaction": "Interaction",
    "Limits": "Limits", "Explanation": "Explanation", "Constraints": "Constraints",
}  # fmt: skip
_SECTION_WORD = re.compile(rf"\\({'|'.join(_OLYMP)})\b(?!\s*\{{)")
_ENVIRONMENT = re.compile(r"\\(begin|end)\{([\w*]+)\}(?:\[[^\]]*\])?")
_SILENT = re.compile(
    r"\\(?:noindent|smallskip|medskip|bigskip|newpage|centering|hfill|par|small|large|Large|tiny|"
    r"footnotesize|normalsize|clearpage|indent|maketitle|bfseries|itshape|ttfamily|hline|"
    r"raggedright|"
    r"defaultsampletext|nopagebreak|pagebreak|linebreak|vfill|label\{[^}]*\}|[hv]space\*?\{[^}]*\})"
    r"(?![A-Za-z])\s?"
)
_ESCAPED = re.compile(r"\\([%&#_{}$])")
_WORDS = {"ldots": "...", "dots": "...", "textbackslash": "\\", "textasciitilde": "~",
          "textasciicircum": "^", "LaTeX": "LaTeX", "TeX": "TeX", "textquotedbl": '"', "S": "§",
          "textless": "<", "textgreater": ">", "textbar": "|", "textdegree": "°"}  # fmt: skip
_WORD = re.compile(rf"\\({'|'.join(_WORDS)})(?![A-Za-z])(?:\{{\}}|\s)?")
_COMMAND = re.compile(r"\\[A-Za-z]+\*?")


def to_markdown(text: str, hidden: Protected) -> tuple[str, int]:
    """The text as Markdown, and how many pictures it shows."""
    text = _VERBATIM.sub(lambda found: "\n\n" + hidden.hide(_fence(found[2])) + "\n\n", text)
    text = _VERB.sub(lambda found: hidden.hide(f"`{found[2]}`"), text)
    text = _COMMENT.sub("", text)
    text = hidden.formulas(text)
    text = _EXAMPLE.sub(lambda found: _example(found, hidden), text)
    text, images = _IMAGE.subn("[image]", text)
    text = _TITLE.sub(lambda found: f"\n\n# {(found[1] or found[2]).strip()}\n\n", text)
    text = _TABULAR.sub(lambda found: f"\n\n{hidden.hide(_table(found[1]))}\n\n", text)
    for _ in range(3):  # commands within commands
        text = _CODE.sub(lambda found: hidden.hide(f"`{_bare(found[1])}`"), text)
        text = _TRANSPARENT.sub(r"\1", text)
        text = _LINK.sub(r"\2", text)
        text = _URL.sub(r"\1", text)
        text = _NOTE.sub(r" (\1)", text)
    text = _HEADING.sub(lambda found: f"\n\n## {' '.join(found[1].split())}\n\n", text)
    text = _SECTION_WORD.sub(lambda found: f"\n\n## {_OLYMP[found[1]]}\n\n", text)
    text = _environments(text)
    text = _WORD.sub(lambda found: _WORDS[found[1]], text)
    text = _SILENT.sub("", text)
    return _characters(text, hidden), images


def _fence(code: str) -> str:
    body = code.strip("\n")
    return f"```\n{body}\n```"


def _bare(code: str) -> str:
    return _ESCAPED.sub(r"\1", code).replace("~", " ")


def _example(found: re.Match[str], hidden: Protected) -> str:
    given, expected = (hidden.hide(_fence(part.strip())) for part in found.groups())
    return f"\n\nInput:\n\n{given}\n\nOutput:\n\n{expected}\n\n"


def _table(body: str) -> str:
    body = re.sub(r"\\(?:hline|toprule|midrule|bottomrule|cline\{[^}]*\})", "", body)
    rows = [
        [" ".join(cell.split()) for cell in re.split(r"(?<!\\)&", row)]
        for row in body.split("\\\\")
        if row.strip()
    ]
    return "\n".join(table(rows))


def _environments(text: str) -> str:
    """Lists as lists; other environments vanish, their text stays."""
    parts: list[str] = []
    lists: list[int | None] = []  # of each open list the number of its last item, None: no numbers
    position = 0
    for found in re.finditer(rf"{_ENVIRONMENT.pattern}|\\item(?:\[([^\]]*)\])?\s*", text):
        parts.append(_between(text[position : found.start()], bool(lists)))
        position = found.end()
        if found[1] == "begin" and found[2] in ("itemize", "enumerate", "description"):
            lists.append(0 if found[2] == "enumerate" else None)
            parts.append("\n\n" if len(lists) == 1 else "\n")
        elif found[1] == "end" and found[2] in ("itemize", "enumerate", "description"):
            if lists:
                lists.pop()
            parts.append("\n\n" if not lists else "\n")
        elif found[1] is None:
            parts.append("\n" + _item(lists, found[3]))
        else:
            parts.append("\n\n")
    return "".join(parts) + text[position:]


def _between(text: str, in_list: bool) -> str:
    """Text before the next item; where a list is open, without blank lines at its end."""
    return text.rstrip() if in_list else text


def _item(lists: list[int | None], label: str | None) -> str:
    indent = "  " * max(0, len(lists) - 1)
    if lists and lists[-1] is not None:
        lists[-1] += 1
        return f"{indent}{lists[-1]}. "
    return f"{indent}- {label + ' ' if label else ''}"


def _characters(text: str, hidden: Protected) -> str:
    text = re.sub(r"\\\\(?:\[[^\]]*\])?", "\n", text)
    text = re.sub(r"``|''|\"[`']", '"', text).replace("`", "'")
    text = text.replace("---", "—").replace("--", "–")
    text = re.sub(r"(?<!\\)~", " ", text)
    text = _ESCAPED.sub(lambda found: hidden.hide(found[1]), text)
    text = re.sub(r"\\[,;: ]", " ", text)
    return re.sub(r"(?<!\\)[{}]", "", text)


def faults(text: str) -> list[str]:
    """What is broken in the markup, in words."""
    bare = _COMMENT.sub("", _VERB.sub("", _VERBATIM.sub("", text)))
    told: list[str] = []
    stack: list[str] = []
    for found in _ENVIRONMENT.finditer(bare):
        if found[1] == "begin":
            stack.append(found[2])
        elif not stack or stack.pop() != found[2]:
            told.append(f"\\end{{{found[2]}}} closes nothing")
    told += [f"\\begin{{{name}}} is not closed" for name in stack]
    depth = len(re.findall(r"(?<!\\)\{", bare)) - len(re.findall(r"(?<!\\)\}", bare))
    if depth:
        told.append(f"{abs(depth)} brace{'s' if abs(depth) > 1 else ''} without a partner")
    return told


def commands_left(text: str) -> list[str]:
    """Commands that nobody understood."""
    return _COMMAND.findall(text)
