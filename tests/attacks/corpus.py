"""The attack corpus: programs of sandbox/attacks, each with a header that says what must happen.

Those in its folder ``accepted`` are harmless; nothing stops them.

The header is TOML in comments, between ``# /// attack`` and ``# ///``:

    id, name            "A001", "fork bomb"
    category            resource | output | process | network | filesystem | interpreter
    does                one sentence
    stopped_by          the layer that stops it
    verdict             "RE", or a closed list with ``why``; never AC unless the program answers
    at_level.2          optional table: another verdict, why, holds = false (it cannot hold there)
    problem             optional table: kind, entry_point, tests, test_code, test_style, limits,
                        checker, interactor (source, protocol, language)
    first               optional: file name of another attack, judged before it by the same worker
    needs               optional: packages it imports
    leaves_out          optional: users (root, nobody) it says nothing about, with ``why``
    says                optional: what each test's detail must hold, so that an attack which fails
                        by a mistake of its own is not taken for one that was stopped
    every_test          optional: true where each test, not only the first failed, has the verdict

A test is {input, output}; input_times and output_times repeat the text that often. Without
tests the expected output is a secret that no program can know. In the program's text
@SECRET_FILE@ is the path of a file that holds it, @WORKER@ and @CALLER@ are process ids.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.files import ROOT

FOLDER = ROOT / "sandbox" / "attacks"
ACCEPTED = FOLDER / "accepted"
CATEGORIES = ("resource", "output", "process", "network", "filesystem", "interpreter")
_HEADER = re.compile(r"^# /// attack\n((?:#.*\n)+?)# ///\n", re.MULTILINE)
_KEYS = {
    "id", "name", "category", "does", "stopped_by", "verdict", "why", "at_level", "problem",
    "first", "needs", "leaves_out", "every_test", "says",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Attack:
    """One program and what must come of it."""

    path: Path
    header: dict[str, Any]
    source: str

    @property
    def name(self) -> str:
        """The file's name without its suffix, which starts with the id."""
        return self.path.stem

    def verdicts(self, level: int) -> tuple[str, ...]:
        """The closed set of verdicts that are right at that level."""
        verdict = self.header.get("at_level", {}).get(str(level), {}).get("verdict")
        verdict = verdict or self.header["verdict"]
        return (verdict,) if isinstance(verdict, str) else tuple(verdict)

    def told(self, answer: dict[str, Any]) -> bool:
        """Whether the details of what came of it say what they must."""
        details = answer["detail"] if isinstance(answer["detail"], list) else [answer["detail"]]
        return all(self.header.get("says", "") in (detail or "") for detail in details)

    def holds(self, level: int) -> bool:
        """Whether the sandbox promises to stop it at that level."""
        there = self.header.get("at_level", {}).get(str(level), {})
        return bool(there.get("holds", True))


def load_attacks() -> list[Attack]:
    """All attacks, by name. Raises ValueError for a file whose header is not as said above."""
    paths = [*FOLDER.glob("*.py"), *ACCEPTED.glob("*.py")]
    return [read_attack(path) for path in sorted(paths, key=lambda path: path.name)]


def read_attack(path: Path) -> Attack:
    """One attack."""
    source = path.read_text(encoding="utf-8")
    match = _HEADER.match(source)
    if match is None:
        raise ValueError(f"{path.name}: no attack header")
    lines = [line[2:] if line.startswith("# ") else line[1:] for line in match[1].splitlines()]
    header = tomllib.loads("\n".join(lines))
    if unknown := header.keys() - _KEYS:
        raise ValueError(f"{path.name}: unknown keys {sorted(unknown)}")
    if not path.stem.startswith(f"{header['id']}_"):
        raise ValueError(f"{path.name}: the name does not start with the id {header['id']}")
    if header["category"] not in CATEGORIES:
        raise ValueError(f"{path.name}: category {header['category']}")
    if isinstance(header["verdict"], list) and not header.get("why"):
        raise ValueError(f"{path.name}: several verdicts and no reason why")
    # Without the header, in which an attack on memory would find inputs and answers.
    return Attack(path, header, source[match.end() :])
