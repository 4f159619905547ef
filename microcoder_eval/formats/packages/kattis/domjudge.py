"""What DOMjudge adds to packages: domjudge-problem.ini, and annotations of scores."""

from __future__ import annotations

import re
from pathlib import Path

from microcoder_eval.formats.packages.files import read_text

INI_FILE = "domjudge-problem.ini"


def read_ini_value(folder: Path, key: str) -> str | None:
    """Return a value of the package's domjudge-problem.ini, None if there is none."""
    ini_file = folder / INI_FILE
    text = read_text(ini_file) if ini_file.is_file() else ""
    match = re.search(rf"^\s*{key}\s*=\s*['\"]?([^\s'\";]+)", text, re.MULTILINE)
    return match[1] if match else None


def is_for_domjudge(folder: Path) -> bool:
    """Whether a package has DOMjudge's own file, or its annotation of scores."""
    if (folder / INI_FILE).is_file():
        return True
    files = (folder / "submissions").glob("*/*")
    return any(path.is_file() and b"@EXPECTED_SCORE@" in path.read_bytes() for path in files)
