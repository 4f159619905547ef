"""The fenced blocks of README.md and docs/, and the comment that may stand before one.

    <!-- ci: NAME -->          .ci/run runs it
    <!-- run by PATH -->       a test of ours runs it: that file names the page
    <!-- long -->              it runs, with `pytest -m long`
    <!-- printed -->           what the shell block before it prints, but for times
    <!-- usage -->             no command but its grammar: verbs and options must exist
    <!-- not run: REASON -->   it cannot run here

A block without one runs as it stands: bash, python; json, yaml and toml are read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.files import ROOT

# Pages whose blocks belong to other tests as a whole.
ELSEWHERE = {"docs/stacks": "tests/integrations"}
_MARK = re.compile(r"<!-- (ci|run by|long|printed|usage|not run)(?:: | |)(.*?) ?-->")


@dataclass(frozen=True, slots=True)
class Block:
    """line: of its first line of text, counted from 1. mark, why: of the comment before it."""

    page: str
    line: int
    language: str
    text: str
    mark: str
    why: str

    @property
    def place(self) -> str:
        """Where it stands, as editors understand it."""
        return f"{self.page}:{self.line}"


def pages() -> list[str]:
    """README.md and every page of docs/ that is not another test's."""
    paths = [path.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob("docs/**/*.md"))]
    return ["README.md", *(page for page in paths if not page.startswith(tuple(ELSEWHERE)))]


def blocks(page: str) -> list[Block]:
    """The fenced blocks of a page of the repository."""
    return parse(page, (ROOT / page).read_text(encoding="utf-8"))


def parse(page: str, text: str) -> list[Block]:
    """The fenced blocks of a text. Raises ValueError for a fence that is never closed."""
    blocks: list[Block] = []
    mark, fence, inside = ("", ""), None, list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if fence is not None:
            if line.rstrip() == "```":
                blocks.append(Block(page, fence[0], fence[1], "\n".join(inside) + "\n", *mark))
                mark, fence, inside = ("", ""), None, []
            else:
                inside.append(line)
        elif line.startswith("```"):
            fence = (number + 1, line[3:].strip())
        elif match := _MARK.fullmatch(line.strip()):
            mark = (match[1], match[2])
        elif line.strip():
            mark = ("", "")
    if fence is not None:
        raise ValueError(f"{page}:{fence[0] - 1}: this fence is never closed")
    return blocks
