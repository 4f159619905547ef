"""Validators with a ``build`` or ``run`` script that do no more than compile and start them.

Source: problem package format, "Programs". Any other script is refused: nothing here runs scripts.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

_PYTHON = re.compile(rb"#!\s*(/usr/bin/env\s+)?(/\S*/)?python3?(\.\d+)?\s*$", re.MULTILINE)
_COMPILERS = ("g++", "gcc", "c++", "cc", "clang++", "clang")
_FLAG = re.compile(r"-(O\w?|std=\S+|g|W\S*|pedantic|static|pipe|lm|I\.|march=native)")
_PREPARATION = re.compile(r"""set -\w+|cd ("?\$\(dirname "?\$0"?\)"?|"?\$\{0%/\*\}"?)""")
_SOURCES = (".c", ".cc", ".cpp", ".cxx")
_START = re.compile(
    r"""(exec )?("?(\.|\$\(dirname "?\$0"?\)|\$\{0%/\*\})"?/)(?P<name>[\w.-]+)"? "\$@\""""
)


def is_python_script(path: Path) -> bool:
    """Whether the file says in its first line that Python 3 starts it."""
    with path.open("rb") as file:
        return _PYTHON.match(file.readline(200)) is not None


def is_usual_build(scripts: list[Path], files: list[Path]) -> bool:
    """Whether the scripts compile all sources among the files into one program, and start it."""
    texts = {path.name: path.read_text("utf-8", "replace") for path in scripts}
    if not files:
        return False
    product = _read_product(_list_commands(texts.get("build", "")), files)
    if product is None:
        return False
    if "run" not in texts:
        return product == "run"
    starts = [_START.fullmatch(command) for command in _list_commands(texts["run"])]
    return [match and match["name"] for match in starts] == [product]


def _list_commands(text: str) -> list[str]:
    lines = (line.strip() for line in text.replace("\\\n", " ").splitlines())
    return [
        line
        for line in lines
        if line and not line.startswith("#") and not _PREPARATION.fullmatch(line)
    ]


def _read_product(commands: list[str], files: list[Path]) -> str | None:
    """Return the name of what the only command compiles; None: it is no plain compilation."""
    try:
        [[compiler, *arguments]] = [shlex.split(command) for command in commands]
    except ValueError:  # several commands, none, or a quotation that does not end
        return None
    product = "a.out"
    if "-o" in arguments[:-1]:
        index = arguments.index("-o")
        product = arguments.pop(index + 1)
        arguments.pop(index)
    sources = sorted(argument for argument in arguments if not _FLAG.fullmatch(argument))
    folder = min((path.parent for path in files), key=lambda path: len(path.parts))
    expected = sorted(
        path.relative_to(folder).as_posix() for path in files if path.suffix in _SOURCES
    )
    is_plain = compiler in _COMPILERS and sources in (expected, ["*.cpp"], ["*.cc"])
    return product.removeprefix("./") if is_plain else None
