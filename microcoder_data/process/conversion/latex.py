"""Converts statements in LaTeX to Markdown: the commands of statements and of olymp.sty."""

from __future__ import annotations

import re

from .notation import format_table, make_fence
from .protected_spans import ProtectedSpans

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
_ARGUMENT = r"\s*\{((?:[^{}]|\{[^{}]*\})*)\}"
_HEADING = re.compile(rf"\\(?:(?:sub)*section|paragraph|chapter)\*?{_ARGUMENT}")
_CODE = re.compile(rf"\\(?:texttt|t|code|file|mintinline\{{\w+\}}){_ARGUMENT}")
_TRANSPARENT = re.compile(
    r"\\(?:textbf|textit|emph|textsc|textrm|textsf|textsl|underline|bf|it|mbox|text|textnormal|"
    rf"textup|bfseries|InlineMath|caption|centerline|uline|sout){_ARGUMENT}"
)
_LINK = re.compile(rf"\\href{_ARGUMENT}{_ARGUMENT}")
_URL = re.compile(rf"\\url{_ARGUMENT}")
_NOTE = re.compile(rf"\\footnote{_ARGUMENT}")
_OLYMP_SECTIONS = {
    "InputFile": "Input", "OutputFile": "Output", "Example": "Example", "Examples": "Examples",
    "Note": "Note", "Notes": "Notes", "Scoring": "Scoring", "Interaction": "Interaction",
    "Limits": "Limits", "Explanation": "Explanation", "Constraints": "Constraints",
}  # fmt: skip
_SECTION_WORD = re.compile(rf"\\({'|'.join(_OLYMP_SECTIONS)})\b(?!\s*\{{)")
_ENVIRONMENT = re.compile(r"\\(begin|end)\{([\w*]+)\}(?:\[[^\]]*\])?")
_SECTION_ENVIRONMENTS = ("Input", "Output", "Sample", "Note", "Constraints")
_SILENT_COMMANDS = re.compile(
    r"\\(?:noindent|smallskip|medskip|bigskip|newpage|centering|hfill|par|small|large|Large|tiny|"
    r"footnotesize|normalsize|clearpage|indent|maketitle|bfseries|itshape|ttfamily|hline|"
    r"raggedright|"
    r"defaultsampletext|nopagebreak|pagebreak|linebreak|vfill|label\{[^}]*\}|[hv]space\*?\{[^}]*\})"
    r"(?![A-Za-z])\s?"
)
_ESCAPED = re.compile(r"\\([%&#_{}$])")
_COMMAND_TEXTS = {
    "ldots": "...", "dots": "...", "textbackslash": "\\", "textasciitilde": "~",
    "textasciicircum": "^", "LaTeX": "LaTeX", "TeX": "TeX", "textquotedbl": '"', "S": "§",
    "textless": "<", "textgreater": ">", "textbar": "|", "textdegree": "°",
}  # fmt: skip
_TEXT_COMMAND = re.compile(rf"\\({'|'.join(_COMMAND_TEXTS)})(?![A-Za-z])(?:\{{\}}|\s)?")


def to_markdown(text: str, spans: ProtectedSpans) -> tuple[str, int]:
    """Return the text as Markdown, and the number of pictures."""
    text = _VERBATIM.sub(lambda match: "\n\n" + spans.hide(make_fence(match[2])) + "\n\n", text)
    text = _VERB.sub(lambda match: spans.hide(f"`{match[2]}`"), text)
    text = _COMMENT.sub("", text)
    text = spans.hide_formulas(text)
    text = _EXAMPLE.sub(lambda match: _format_example(match, spans), text)
    text, images = _IMAGE.subn("[image]", text)
    text = _TITLE.sub(lambda match: f"\n\n# {(match[1] or match[2]).strip()}\n\n", text)
    text = _TABULAR.sub(lambda match: f"\n\n{spans.hide(_convert_table(match[1]))}\n\n", text)
    for _ in range(3):  # commands within commands
        text = _CODE.sub(lambda match: spans.hide(f"`{_unescape(match[1])}`"), text)
        text = _TRANSPARENT.sub(r"\1", text)
        text = _LINK.sub(r"\2", text)
        text = _URL.sub(r"\1", text)
        text = _NOTE.sub(r" (\1)", text)
    text = _HEADING.sub(lambda match: f"\n\n## {' '.join(match[1].split())}\n\n", text)
    text = _SECTION_WORD.sub(lambda match: f"\n\n## {_OLYMP_SECTIONS[match[1]]}\n\n", text)
    text = _convert_environments(text)
    text = _TEXT_COMMAND.sub(lambda match: _COMMAND_TEXTS[match[1]], text)
    text = _SILENT_COMMANDS.sub("", text)
    return _convert_characters(text, spans), images


def _unescape(code: str) -> str:
    return _ESCAPED.sub(r"\1", code).replace("~", " ")


def _format_example(match: re.Match[str], spans: ProtectedSpans) -> str:
    input_block, output_block = (spans.hide(make_fence(part.strip())) for part in match.groups())
    return f"\n\nInput:\n\n{input_block}\n\nOutput:\n\n{output_block}\n\n"


def _convert_table(body: str) -> str:
    body = re.sub(r"\\(?:hline|toprule|midrule|bottomrule|cline\{[^}]*\})", "", body)
    rows = [
        [" ".join(cell.split()) for cell in re.split(r"(?<!\\)&", row)]
        for row in body.split("\\\\")
        if row.strip()
    ]
    return "\n".join(format_table(rows))


def _convert_environments(text: str) -> str:
    """Return the text with lists in Markdown and without the marks of other environments."""
    parts: list[str] = []
    lists: list[int | None] = []  # number of the last item of each open list; None: no numbers
    position = 0
    for match in re.finditer(rf"{_ENVIRONMENT.pattern}|\\item(?:\[([^\]]*)\])?\s*", text):
        part = text[position : match.start()]
        parts.append(part.rstrip() if lists else part)
        position = match.end()
        if match[1] == "begin" and match[2] in ("itemize", "enumerate", "description"):
            lists.append(0 if match[2] == "enumerate" else None)
            parts.append("\n\n" if len(lists) == 1 else "\n")
        elif match[1] == "end" and match[2] in ("itemize", "enumerate", "description"):
            if lists:
                lists.pop()
            parts.append("\n\n" if not lists else "\n")
        elif match[1] is None:
            parts.append("\n" + _start_item(lists, match[3]))
        elif match[1] == "begin" and match[2] in _SECTION_ENVIRONMENTS:
            parts.append(f"\n\n## {match[2]}\n\n")
        else:
            parts.append("\n\n")
    return "".join(parts) + text[position:]


def _start_item(lists: list[int | None], label: str | None) -> str:
    indent = "  " * max(0, len(lists) - 1)
    if lists and lists[-1] is not None:
        lists[-1] += 1
        return f"{indent}{lists[-1]}. "
    return f"{indent}- {label + ' ' if label else ''}"


def _convert_characters(text: str, spans: ProtectedSpans) -> str:
    text = re.sub(r"\\\\(?:\[[^\]]*\])?", "\n", text)
    text = re.sub(r"``|''|\"[`']", '"', text).replace("`", "'")
    text = text.replace("---", "—").replace("--", "–")
    text = re.sub(r"(?<!\\)~", " ", text)
    text = _ESCAPED.sub(lambda match: spans.hide(match[1]), text)
    text = re.sub(r"\\[,;: ]", " ", text)
    return re.sub(r"(?<!\\)[{}]", "", text)


def find_faults(text: str) -> list[str]:
    """Descriptions of what is broken in the markup."""
    prose = _COMMENT.sub("", _VERB.sub("", _VERBATIM.sub("", text)))
    faults: list[str] = []
    stack: list[str] = []
    for match in _ENVIRONMENT.finditer(prose):
        if match[1] == "begin":
            stack.append(match[2])
        elif not stack or stack.pop() != match[2]:
            faults.append(f"\\end{{{match[2]}}} closes nothing")
    faults += [f"\\begin{{{name}}} is not closed" for name in stack]
    depth = len(re.findall(r"(?<!\\)\{", prose)) - len(re.findall(r"(?<!\\)\}", prose))
    if depth:
        faults.append(f"{abs(depth)} brace{'s' if abs(depth) > 1 else ''} without a partner")
    return faults
