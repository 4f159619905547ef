"""The prompt that asks a model for a solution: texts by role, with the problem's parts.

Training and the sampling of solutions use the same one.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from microcoder_eval.errors import DataError
from microcoder_eval.formats.source import convert_read_errors
from microcoder_eval.records import Problem

from .process.instruction import make_instruction, remove_instruction
from .rows import make_row

# The instruction states the form of input and output. Without it, correct algorithms fail because
# of their form (arXiv 2603.07777, section 3).
PROMPT = {
    "system": "",
    "user": "{instruction}\n\nPut the whole Python program into one block that starts with "
    "```python and ends with ```.\n\n{statement}\n\n{starter_code}",
}


def read_prompt_file(file: Path) -> dict[str, str]:
    """Return the texts "system" and "user" of a TOML file. Raises DataError."""
    with convert_read_errors(str(file)):
        texts = tomllib.loads(file.read_text(encoding="utf-8"))
    values = texts.values()
    if not texts.keys() <= PROMPT.keys() or not all(isinstance(text, str) for text in values):
        raise DataError("a prompt file has two texts, system and user", str(file))
    if "{statement}" not in texts.get("user", ""):
        raise DataError("user must be a text with {statement} in it", str(file))
    return {role: texts.get(role, "") for role in PROMPT}


def make_messages(problem: Problem, texts: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the messages of a chat, with {statement}, {instruction} and {starter_code}
    replaced."""
    code = problem.starter_code
    parts = {
        "statement": remove_instruction(problem.statement or ""),
        "instruction": make_instruction(make_row(problem)),
        "starter_code": f"```python\n{code}\n```" if code else "",
    }

    def fill(text: str) -> str:
        filled = re.sub(r"\{(\w+)\}", lambda match: parts.get(match[1], match[0]), text)
        return re.sub(r"\n{3,}", "\n\n", filled).strip()

    return [{"role": role, "content": fill(text)} for role, text in texts.items() if text]
