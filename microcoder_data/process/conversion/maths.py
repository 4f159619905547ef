"""Converts simple TeX formulas to plain text: ``1 \\le n \\le 10^{5}`` becomes 1 ≤ n ≤ 10^5."""

from __future__ import annotations

import re
import unicodedata

from .notation import make_script

# Relations and operators get spaces around them; symbols do not.
_OPERATORS = {
    "le": "≤", "leq": "≤", "leqslant": "≤", "ge": "≥", "geq": "≥", "geqslant": "≥", "ne": "≠",
    "neq": "≠", "lt": "<", "gt": ">", "times": "×", "cdot": "·", "div": "÷", "pm": "±", "in": "∈",
    "notin": "∉", "subset": "⊂", "subseteq": "⊆", "supseteq": "⊇", "cup": "∪", "cap": "∩",
    "to": "→", "rightarrow": "→", "Rightarrow": "⇒", "leftarrow": "←", "leftrightarrow": "↔",
    "longrightarrow": "→",
    "implies": "⇒", "iff": "⇔", "equiv": "≡", "approx": "≈", "sim": "~", "oplus": "xor",
    "wedge": "∧", "land": "∧", "vee": "∨", "lor": "∨", "mid": "|", "bmod": "mod", "mod": "mod",
    "ll": "≪", "gg": "≫", "colon": ":", "gets": "←", "setminus": "\\", "mapsto": "→", "circ": "∘",
    "neg": "¬", "lnot": "¬", "propto": "∝", "ast": "*", "star": "*", "bigoplus": "xor",
}  # fmt: skip
_SYMBOLS = {
    "ldots": "...", "dots": "...", "cdots": "...", "dotsc": "...", "dotsb": "...", "vdots": "...",
    "infty": "∞", "sum": "sum", "prod": "product", "max": "max", "min": "min", "gcd": "gcd",
    "lcm": "lcm", "log": "log", "ln": "ln", "lg": "lg", "exp": "exp", "sin": "sin", "cos": "cos",
    "tan": "tan", "arctan": "arctan", "lfloor": "floor(", "rfloor": ")", "lceil": "ceil(",
    "rceil": ")", "lvert": "|", "rvert": "|", "vert": "|", "langle": "<", "rangle": ">", "lbrace":
    "{", "rbrace": "}", "forall": "for all ", "exists": "there is ", "emptyset": "∅", "varnothing":
    "∅", "prime": "'", "degree": "°", "backslash": "\\", "dagger": "†", "ell": "l", "deg": "deg",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε",
    "theta": "θ", "lambda": "λ", "mu": "μ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ",
    "phi": "φ", "varphi": "φ", "omega": "ω", "Delta": "Δ", "Sigma": "Σ", "Omega": "Ω", "Theta": "Θ",
    "ddots": "...", "hdots": "...", "bullet": "•", "quad": " ",
    "qquad": " ", "space": " ", "Phi": "Φ", "chi": "χ", "eta": "η",
}  # fmt: skip
_TRANSPARENT = frozenset({
    "text", "textrm", "textbf", "textit", "texttt", "mathrm", "mathbf", "mathit", "mathtt",
    "mathsf", "mathcal", "mathbb", "mbox", "operatorname", "rm", "bf", "it", "tt", "emph",
    "boldsymbol", "underline", "textsf", "mathop",
})  # fmt: skip
_MARKS = frozenset({"overline", "bar", "hat", "vec", "tilde"})  # they tell two names apart
_DELIMITING = frozenset({  # a delimiter follows
    "left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr",
    "middle",
})  # fmt: skip
_SILENT = _DELIMITING | {
    "displaystyle", "textstyle", "limits", "nolimits", "nonumber", "scriptstyle",
}  # fmt: skip
# Their first argument is not shown: the name of a colour or of a number, or a length.
_HIDING_ARGUMENT = frozenset({"color", "textcolor", "hspace", "vspace", "label"})
COMMANDS = frozenset({
    *_OPERATORS, *_SYMBOLS, *_TRANSPARENT, *_MARKS, *_SILENT, "frac", "sqrt", "binom", "dfrac",
    *_HIDING_ARGUMENT, "tfrac", "pmod", "not", "over",
})  # fmt: skip
_STROKE = "\u0338"  # combines with the sign before it
_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\s+|.", re.DOTALL)
_ESCAPED_SCRIPT = re.compile(r"\\([_^])\{")  # mirrors escape a_{ij} as if it were Markdown
_GROUP = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
_BARE = re.compile(rf"\\([A-Za-z]+)(?:\s*{_GROUP}){{0,2}}|[\^_]{_GROUP}")
_OPEN_FORMULA = re.compile(r"(?<!\\)\$(?!\d)|\\[(\[]")
_WORD_START = re.compile(r"[a-z]{2}")
_WORD_END = re.compile(r"[\w)}]\Z")
_SIMPLE = re.compile(r"\w+|[*'∞†]|\w*\.\.\.")
_SPACED_OPERATOR = re.compile(r"\s*([≤≥≠=<>×·÷±∈∉≡≈→⇒⇔∪∩⊂⊆≪≫])(?:(?![_^])\s*|\s+(?=[_^]))")


class NotPlainError(Exception):
    """The formula cannot be written as one line of text."""


def to_plain_text(formula: str) -> str | None:
    """Return the formula as text; None where that is impossible or its braces do not match."""
    try:
        text = _read_sequence(_tokenize(formula), closing=False)
    except (NotPlainError, RecursionError):
        return None
    return " ".join(_SPACED_OPERATOR.sub(r" \1 ", text).split())


def convert_bare_commands(text: str) -> str:
    """Return the text with the commands that stand outside of formulas as plain text.

    LiveCodeBench's statements of AtCoder have lost the marks of their formulas. If a formula is not
    closed, nothing is converted, so that its commands still show the damage.
    """
    return text if _OPEN_FORMULA.search(text) else _BARE.sub(_convert_bare, text)


def _convert_bare(match: re.Match[str]) -> str:
    if match[1] is None and "\\" not in match[0]:
        return make_script(match[0][0], match[0][2:-1])
    if match[1] is None:
        return (to_plain_text(f"x{match[0]}") or f"x{match[0]}")[1:]
    if match[1] not in COMMANDS:
        return match[0]
    text = to_plain_text(match[0])
    return match[0] if text is None else text


def _tokenize(formula: str) -> list[str]:
    """Return the commands (with their backslash), escapes, blanks and characters, last first."""
    formula = _ESCAPED_SCRIPT.sub(r"\1{", formula)
    tokens = [" " if token.isspace() else token for token in _TOKEN.findall(formula)]
    return [token.rstrip("*") if len(token) > 2 else token for token in tokens[::-1]]


def _read_sequence(tokens: list[str], closing: bool) -> str:
    """Take tokens up to the end or, with ``closing``, to the brace that closes, and return their
    text. Raises NotPlainError where the braces do not match."""
    text = ""
    while tokens:
        token = tokens.pop()
        if token == "}":
            if not closing:
                raise NotPlainError
            return text
        if token == r"\over":
            divisor = _read_sequence(tokens, closing)
            return f"{_add_brackets(text.strip())}/{_add_brackets(divisor.strip())}"
        if token in "^_":
            script = _read_argument(tokens).strip()
            is_degree = token == "^" and script == _OPERATORS["circ"]
            text = text.rstrip() + ("°" if is_degree else make_script(token, script))
        else:
            part = _convert_token(token, tokens)
            is_named = token.startswith("\\") and token[1:] not in _TRANSPARENT
            if is_named and _WORD_START.match(part) and _WORD_END.search(text):
                text += " "  # "n log n", not "nlog n"
            text += part
    if closing:
        raise NotPlainError
    return text


def _convert_token(token: str, tokens: list[str]) -> str:
    if len(token) > 1 and token[1].isalpha():
        return _convert_command(token[1:], tokens)
    if len(token) > 1:
        if token[1] in "{}%$#&_|":
            return token[1]
        if token[1] in ",;: !":
            return " " if token[1] != "!" else ""
        raise NotPlainError  # "\\": more than one line
    if token == "{":
        return _read_sequence(tokens, closing=True)
    if token == "&":
        return ""  # where lines of several are aligned
    return " " if token == "~" else token


def _convert_command(name: str, tokens: list[str]) -> str:
    if name in _OPERATORS:
        return f" {_OPERATORS[name]} "
    if name in _SYMBOLS:
        return _SYMBOLS[name]
    if name in _SILENT:
        if name in _DELIMITING and tokens[-1:] == ["."]:
            tokens.pop()  # "\right." shows nothing
        return ""
    if name in _HIDING_ARGUMENT:
        _read_argument(tokens)
        return _read_argument(tokens) if name == "textcolor" else ""
    if name in _TRANSPARENT:
        text = _read_argument(tokens)
        is_word = name == "operatorname" and text in _OPERATORS.values()
        return f" {text} " if is_word else text
    if name in ("frac", "dfrac", "tfrac"):
        numerator, denominator = _read_argument(tokens), _read_argument(tokens)
        return f"{_add_brackets(numerator)}/{_add_brackets(denominator)}"
    if name == "binom":
        return f"C({_read_argument(tokens)}, {_read_argument(tokens)})"
    if name == "not":  # the sign with a stroke: ≠ of =, ∉ of ∈
        sign = unicodedata.normalize("NFC", f"{_read_argument(tokens).strip()}{_STROKE}")
        return f" {sign} "
    if name == "pmod":
        return f" (mod {_read_argument(tokens)})"
    has_option = tokens[-1:] == ["["]
    if name in _MARKS or (name == "sqrt" and not has_option):
        return f"{name}({_read_argument(tokens)})"
    raise NotPlainError


def _add_brackets(text: str) -> str:
    return text if _SIMPLE.fullmatch(text.strip()) else f"({text.strip()})"


def _read_argument(tokens: list[str]) -> str:
    """Return the next group in braces, or the next token."""
    while tokens[-1:] == [" "]:
        tokens.pop()
    if not tokens or tokens[-1] in "}^_":
        raise NotPlainError
    return _convert_token(tokens.pop(), tokens)
