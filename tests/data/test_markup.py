"""Statements in HTML, LaTeX and Markdown, and the one form they all end up in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_data.process.markup import Form, clean_statement

HTML = [
    ("<p>Read <b>n</b> numbers.</p><p>Print their sum.</p>", "Read n numbers.\n\nPrint their sum."),
    ("<p>1 &le; n &lt; 10<sup>5</sup></p>", "1 ≤ n < 10^5"),
    ("<p>a<sub>i</sub> + a<sub>i+1</sub></p>", "a_i + a_{i+1}"),
    ("<p>n ≤ 10<sup>5<br></sup>2 ≤ m ≤ 10<sup><b>4<br/></b></sup>9 ≤ k<sup><br></sup></p>",
     "n ≤ 10^5\n2 ≤ m ≤ 10^4\n9 ≤ k"),
    ("<p>10<sup>1</sup><sup>8</sup>, 10<sup>3<br><b>&nbsp;</b></sup>0 ≤ k ≤ 9<sup>5, </sup>2</p>",
     "10^18, 10^3\n0 ≤ k ≤ 9^{5,} 2"),
    ("<pre>7&nbsp;8\n<img alt='a tree'>\n9</pre>", "```\n7 8\n9\n```\n\n[image: a tree]"),
    ("<p>2<sup>n-1</sup> ways</p>", "2^{n-1} ways"),
    ("<ul><li>one</li><li>two</li></ul>", "- one\n- two"),
    ("<ol><li>first</li><li>then</li></ol>", "1. first\n2. then"),
    ("<p>Sample</p><pre>3\n1 2 3\n</pre>", "Sample\n\n```\n3\n1 2 3\n```"),
    ("<pre><div>1 2</div><div>3 4</div></pre>", "```\n1 2\n3 4\n```"),
    ("<p>Call <code>f(x)</code> twice.</p>", "Call `f(x)` twice."),
    ("<p><code>n &lt;= 10<sup>9</sup></code></p>", "`n <= 10^9`"),
    ("<pre>n &lt;= 10<sup>9</sup>\n-2<sup>31</sup></pre>", "```\nn <= 10^9\n-2^31\n```"),
    ("<p><var>D_1 \\lt D_2</var></p><pre><var>\\dots</var></pre>", "D_1 < D_2\n\n```\n...\n```"),
    ("<h3>Input</h3><p>One line.</p>", "## Input\n\nOne line."),
    ("<p>one<br>two<br/>three</p>", "one\ntwo\nthree"),
    ("<p>Fish &amp;lt; chips &nbsp; here</p>", "Fish < chips here"),
    ("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>",
     "| a | b |\n| --- | --- |\n| 1 | 2 |"),
    ("<p>See <a href='x'>the rules</a>.</p><script>alert(1)</script>", "See the rules."),
    ("<p>Costs <var>n</var> coins.</p><style>p {}</style>", "Costs n coins."),
    ("<p>A map: <img src='m.png' alt='two towns'></p>", "A map: [image: two towns]"),
    ("<div class='section-title'>Output</div><div>A number.</div>", "## Output\n\nA number."),
    ("<p>$$$1 \\le k \\le n$$$ holds</p>", "1 ≤ k ≤ n holds"),
    ("<p>\\(a \\times b\\)</p>", "a × b"),
    ("<ul><li>outer<ul><li>inner</li></ul></li></ul>", "- outer\n  - inner"),
    ("<script>// <code> is allowed.</script><p>x</p>", "x"),
    ("<p>At most 100</sup>.</p></ul>", "At most 100."),  # an end tag too many
    ("<p>Print <code>Case #$$$x$$$: $$$a_{l_i}$$$</code>.</p>", "Print `Case #x: a_{l_i}`."),
    ("<p>Two cases.<li>one</li><li>two</li></p>", "Two cases.\n- one\n- two"),
    ("<style>.copy, a:hover {display: none} .later {display: none}</style><div>Input"
     "<i class='copy'>content_copy</i></div><pre>1</pre><div class='later'><p>Kept.</p></div>",
     "Input\n\n```\n1\n```\n\nKept."),
    ("<table><tr><td>Input</td><td>Output</td></tr><tr><td><pre>1</pre></td>"
     "<td><pre>2</pre></td></tr></table>", "Input\n\n```\n1\n```\n\nOutput\n\n```\n2\n```"),
    ("<p>If a<b>c, i<n && n>3 or $x<y$ and $z>1$, <b>bold</b>.</p>",
     "If a<b>c, i<n && n>3 or x < y and z > 1, bold."),
    ("<p><b>Note: x<b>y, the <i>th line is <a> <b>.</p>",
     "Note: x<b>y, the <i>th line is <a> <b>."),
    ("<p>A vector<int> or map<int,vector<int>>, the line <n> <s>, x<y and y>z</p>",
     "A vector<int> or map<int,vector<int>>, the line <n> <s>, x<y and y>z"),
    ("<p>See <img alt='a<b' src='x'>, <font color=red>red</font>: if (a<b) stop</p>",
     "See [image: a<b], red: if (a<b) stop"),
    ("<meta charset='utf8' /><p>1<size(N)&lt;9 and <A, B></size(n)> or x<sub>ij",
     "1<size(N)<9 and <A, B> or x_ij"),
]  # fmt: skip
LATEX = [
    ("\\section*{Input}\nOne \\textbf{big} number.", "## Input\n\nOne big number."),
    ("\\begin{itemize}\\item one \\item two\\end{itemize}", "- one\n- two"),
    ("\\begin{enumerate}\n\\item a\n\\item b\n\\end{enumerate}", "1. a\n2. b"),
    ("\\textit{Keep} 50\\% of it % not this\nand more", "Keep 50% of it and more"),
    ("\\texttt{x\\_1} is a name", "`x_1` is a name"),
    ("\\begin{verbatim}\n1 2\n3\n\\end{verbatim}", "```\n1 2\n3\n```"),
    ("\\textbf{Let} $1 \\leq n \\leq 10^{9}$.", "Let 1 ≤ n ≤ 10^9."),
    ("\\problemname{The Ferry}\nIt \\emph{leaves}.", "# The Ferry\n\nIt leaves."),
    ("\\InputFile\nA number.\n\\OutputFile\nIts half.",
     "## Input\n\nA number.\n\n## Output\n\nIts half."),
    ("\\emph{``quoted'' --- so}", '"quoted" — so'),
    ("\\begin{tabular}{|c|c|}\\hline a & b \\\\ 1 & 2 \\\\ \\end{tabular}",
     "| a | b |\n| --- | --- |\n| 1 | 2 |"),
    ("\\exmp{3}{9}\n\\textbf{That} is all.",
     "Input:\n\n```\n3\n```\n\nOutput:\n\n```\n9\n```\n\nThat is all."),
    ("\\includegraphics[width=3cm]{map.png} \\emph{a map}", "[image] a map"),
    ("\\emph{It} is\n\\begin{equation*}\n\\sum_{i=1}^{n} i\n\\end{equation*}\nso",
     "It is sum_{i = 1}^n i so"),
    ("\\emph{see} \\href{http://x.org}{the page}~now", "see the page now"),
    ("\\emph{As} \\includegraphics{map.pdf} shows", "As [image] shows"),
]  # fmt: skip
MARKDOWN = [
    ("Find $$$$$$x\\ \\texttt{xor}\\ y$$$$$$ $$$$$$y$$$$$$ 3_8.", "Find x xor y y 3_8."),
    ("If $a \\neq b$, $b \\neq c$ and $c \\neq a$.", "If a ≠ b, b ≠ c and c ≠ a."),
    ("Given `n`,   print it.  \n\n\n\nDone.", "Given `n`, print it.\n\nDone."),
    ("**Input**\n\nOne number.", "## Input\n\nOne number."),
    ("Title\n=====\n\nText", "# Title\n\nText"),
    ("### Output ###\nA number.", "## Output\n\nA number."),
    ("* one\n* two", "- one\n- two"),
    ("It is **very** *short*.", "It is very short."),
    ("$n$ and $\\frac{a+1}{2}$ and $\\sqrt{x}$", "n and (a+1)/2 and sqrt(x)"),
    ("Pay $5 or $10.", "Pay $5 or $10."),
    ("$\\begin{matrix}1\\end{matrix}$ stays", "$\\begin{matrix}1\\end{matrix}$ stays"),
    ("![a plan](p.png)\nand [a link](http://x.org)", "[image: a plan]\nand a link"),
    ("```python\nx  =  '**a**'\n```", "```python\nx  =  '**a**'\n```"),
    ("~~~\n1 2\n~~~", "```\n1 2\n```"),
    ("10<sup>5</sup> and a<sub>i</sub><br>next", "10^5 and a_i\nnext"),
    ("n <= 10<sup>5<br></sup>1 <= m", "n <= 10^5\n1 <= m"),
    ("For $1 ≤ n ≤ 100 $ it costs $ 5 or $ 6.", "For 1 ≤ n ≤ 100 it costs $ 5 or $ 6."),
    ("It is $ K = N$ for $0 < D <9 $, and ${a\\over b}$ with $a \\not= b$, $x\\not\\in S$.",
     "It is K = N for 0 < D < 9, and a/b with a ≠ b, x ∉ S."),
    ("| a | b |\n| --- | --- |\n| 1<br/>2 | 3 |\n\nx</br>y",
     "| a | b |\n| --- | --- |\n| 1<br/>2 | 3 |\n\nx\ny"),
    ("#### **Part 1:** easy\n- **It is\n  so**, [[1]](http://x.org) 2**3\n4**5",
     "## Part 1: easy\n\n- It is\nso, [1] 2**3\n4**5"),
    ("Call the ```solve``` function.", "Call the `solve` function."),
    ("```\nYes\n```\n---\nOr\n---\nthis", "```\nYes\n```\n---\n\n## Or\n\nthis"),
    ("a \\* b and x\\_1", "a * b and x_1"),
    ("Windows\r\nline\rends\u00a0and\u200b more", "Windows\nline\nends and more"),
    ("2 * 3 * 4 stays, as does a_b_c and __init__", "2 * 3 * 4 stays, as does a_b_c and __init__"),
    ("$1\\le n\\le10$, $a_{i,j}$, $\\lfloor x \\rfloor$", "1 ≤ n ≤ 10, a_{i,j}, floor( x )"),
    ("the $k$-th of \\(n\\) or \\[m \\ne 0\\]", "the k-th of n or m ≠ 0"),
    ("if a &lt; b &amp;&amp; c", "if a < b && c"),
    ("A half is \\frac{1}{2} here.", "A half is 1/2 here."),
    ("Number $\\overline{ab}$, mean $\\bar x$.", "Number overline(ab), mean bar(x)."),
    ("a<sup>b<sup>c</sup></sup> and x<sub>i<sub>j</sub></sub>", "a^{b^c} and x_{i_j}"),
    ("if a<b>c, i<n && n>3, a<p && p>q or x<y and y>z",
     "if a<b>c, i<n && n>3, a<p && p>q or x<y and y>z"),
    ("vector<int>, List<List<s>>, <n> <s>, <b>bold</b>",
     "vector<int>, List<List<s>>, <n> <s>, bold"),
    ("<b>Note that x<b>y, the <i>th of <a> <b>.", "Note that x<b>y, the <i>th of <a> <b>."),
    ("- 1 \\leq N \\leq 10^{12}\n- c_{1,1}\\ldots c_{H,W}",
     "- 1 ≤ N ≤ 10^12\n- c_{1,1}... c_{H,W}"),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "expected"), HTML)
def test_html_becomes_markdown(raw: str, expected: str) -> None:
    assert clean_statement(raw).text == expected
    assert clean_statement(raw).form is Form.HTML


@pytest.mark.parametrize(("raw", "expected"), LATEX)
def test_latex_becomes_markdown(raw: str, expected: str) -> None:
    pytest.importorskip("pypandoc", reason="pypandoc is missing: pip install '.[data]'")
    assert clean_statement(raw).text == expected
    assert clean_statement(raw).form is Form.LATEX


@pytest.mark.parametrize(("raw", "expected"), MARKDOWN)
def test_markdown_becomes_one_markdown(raw: str, expected: str) -> None:
    assert clean_statement(raw).text == expected
    assert clean_statement(raw).form is Form.MARKDOWN


@pytest.mark.parametrize(("raw", "expected"), [*HTML, *LATEX, *MARKDOWN])
def test_what_is_clean_stays_as_it_is(raw: str, expected: str) -> None:
    assert clean_statement(expected).text == expected


def test_code_with_a_docstring_is_code() -> None:
    code = 'def f(x):\n    """Give x twice.\n\n    >>> f(2)\n    4\n    """'
    assert clean_statement(code).text == f"```python\n{code}\n```"


@pytest.mark.parametrize(
    "raw",
    [
        "<p>text ends in <im",
        "\\begin{itemize}\\item one",
        "\\textbf{open and never closed",
        "Let $n \\le 5 be given.",
    ],
)
def test_broken_markup_is_told(raw: str) -> None:
    assert clean_statement(raw).faults


@pytest.mark.parametrize(("raw", "_"), [*HTML, *LATEX, *MARKDOWN])
def test_whole_markup_is_not_called_broken(raw: str, _: str) -> None:
    assert clean_statement(raw).faults == ()


def test_pictures_are_counted() -> None:
    assert clean_statement("<p>x <img src=a> <img src=b></p>").images == 2
    assert clean_statement("![](a) text").images == 1


@given(st.text(alphabet="ab1 $\\{}<>/pre`*_\n^&;#[]()lefrac", max_size=80))
def test_no_text_is_too_strange(text: str) -> None:
    assert isinstance(clean_statement(text).text, str)


def test_blanks_within_code_stay_beside_it() -> None:
    text = "<p>From <code>a </code>or <code>b</code><code> c</code> to <code>d</code>.</p>"
    assert clean_statement(text).text == "From `a` or `b` `c` to `d`."
