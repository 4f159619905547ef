"""LaTeX is read by what it means: macros are expanded, literals stay, nothing outside is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from microcoder_data.process.conversion import latex
from microcoder_data.process.conversion.latex import to_markdown
from microcoder_data.process.conversion.notation import MarkupError
from microcoder_data.process.conversion.protected_spans import ProtectedSpans
from microcoder_data.process.markup import clean_statement

pytest.importorskip("pypandoc", reason="pypandoc is missing: pip install '.[data]'")


@pytest.mark.parametrize("arguments", ["", "{1 s}{256 MB}", "{a.in}{a.out}{1 s}{256 MB}{}"])
def test_a_problem_of_olympiads_has_any_number_of_arguments(arguments: str) -> None:
    raw = rf"\begin{{problem}}{{Oil}}{arguments}" "\nFind it.\n\n\\Limit\n\nOne.\n" r"\end{problem}"
    assert clean_statement(raw).text == "# Oil\n\nFind it.\n\n## Limits\n\nOne."


def test_samples_keep_their_lines_and_name_no_files() -> None:
    raw = r"""\Example
\begin{example}
\exmp{
    2
      a
}{%
    1
}%
\exmp{%INPUT
\readfile{1.in}}{\readfile{1.out}}%
\exmpfile{example.01}{example.01.a}%
\end{example}"""
    expected = "## Example\n\nInput:\n\n```\n2\n  a\n```\n\nOutput:\n\n```\n1\n```"
    assert clean_statement(raw).text == expected


def test_a_cell_of_several_lines_is_kept() -> None:
    rows = r"A & B \\ \shortstack[l]{\texttt{2} \\ 0 2} & \makecell{Two \\[2mm] pairs} \\"
    raw = rf"\begin{{tabular}}{{ll}}{rows}\end{{tabular}}"
    assert "| `2` 0 2 | Two pairs |" in clean_statement(raw).text


def test_formulas_of_other_markup_lose_their_colours_not_their_letters() -> None:
    assert clean_statement(r"It is $\color{red}{ba}baba$ or $\textcolor{red}{11}$.").text == (
        "It is bababa or 11."
    )


# A macro of twenty of the one before, nine deep.
NESTED = r"\newcommand{\qa}{word}"
for inner, outer in zip("abcdefgh", "bcdefghi", strict=True):
    NESTED += rf"\newcommand{{\q{outer}}}{{" + rf"\q{inner}" * 20 + "}"
NESTED += r"\qi"


def test_no_file_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.tex"
    secret.write_text("SECRET")
    text = clean_statement(rf"\textbf{{a}} \input{{{secret}}} \include{{{secret}}} b").text
    assert "SECRET" not in text


@pytest.mark.slow
@pytest.mark.parametrize(
    "raw", [r"\def\x{\x\x}\x", r"\begin{itemize}" * 100, NESTED, "{" * 100_000]
)
def test_hostile_latex_is_bounded(raw: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latex, "_MAX_SECONDS", 2)  # each takes the seconds that it may
    with pytest.raises(MarkupError):
        to_markdown(raw, ProtectedSpans())


def test_what_cannot_be_read_is_a_fault() -> None:
    assert clean_statement(r"\textbf{a} \begin{itemize}\item b").faults
