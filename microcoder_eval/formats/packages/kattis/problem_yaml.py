"""problem.yaml of Kattis packages, in the legacy format and since 2023-07, and what DOMjudge adds:
domjudge-problem.ini, and annotations of scores.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from microcoder_eval.errors import guess_name
from microcoder_eval.formats.datasets.format import get_optional_text
from microcoder_eval.formats.packages.files import read_text, read_yaml, to_positive_number
from microcoder_eval.formats.packages.package import LimitRule, PackageError
from microcoder_eval.log import get_logger

INI_FILE = "domjudge-problem.ini"
_KEYS = frozenset(
    ["problem_format_version", "type", "name", "uuid", "version", "author", "credits", "source",
     "source_url", "license", "rights_owner", "embargo_until", "limits", "validation",
     "validator_flags", "grading", "keywords", "languages", "allow_file_writing", "constants"]
)  # fmt: skip
_LIMIT_KEYS = frozenset(
    ["time_multiplier", "time_safety_margin", "time_multipliers", "time_limit", "time_resolution",
     "memory", "output", "code", "compilation_time", "compilation_memory", "validation_time",
     "validation_memory", "validation_output", "validation_passes"]
)  # fmt: skip
_log = get_logger("formats")


class ProblemYaml:
    """What a package's problem.yaml says.

    fields: its keys and values. limits: those under "limits". words: those of ``type`` and
    ``validation``. is_legacy: whether it is in the legacy format.
    """

    def __init__(self, fields: Mapping[str, Any]) -> None:
        """Raises PackageError."""
        self.fields = fields
        version = str(fields.get("problem_format_version") or "legacy")
        self.is_legacy = version.startswith("legacy")
        self.words = set(re.findall(r"[\w-]+", f"{fields.get('type')} {fields.get('validation')}"))
        if "submit-answer" in self.words:
            raise PackageError("the problem is of type submit-answer", "submit_answer")
        if fields.get("constants"):
            message = "its constants are filled in nowhere: write their values in their places"
            raise PackageError(message, "constants")
        self.limits = _check_limits(fields.get("limits"))

    def get_text(self, key: str) -> str | None:
        """Return a text; of texts by language the English one, else the first."""
        value = self.fields.get(key)
        if isinstance(value, Mapping):
            value = value.get("en") or value.get("name") or next(iter(value.values()), None)
        return get_optional_text(value)

    def get_limit(self, key: str) -> float | None:
        """Return one of the limits, None if it is not declared."""
        return to_positive_number(self.limits.get(key))

    def make_limit_rule(self) -> LimitRule:
        """Return how the time limit is derived where none is declared."""
        if self.is_legacy:
            return LimitRule(self.get_limit("time_multiplier") or 5.0)
        multipliers = self.limits.get("time_multipliers")
        multipliers = multipliers if isinstance(multipliers, Mapping) else {}
        return LimitRule(
            to_positive_number(multipliers.get("ac_to_time_limit")) or 2.0,
            self.get_limit("time_resolution") or 1.0,
        )


def read_problem_yaml(path: Path) -> ProblemYaml:
    """Return what the file says, if there is one, and warn of its unknown keys. Raises
    PackageError."""
    fields = read_yaml(path) if path.is_file() else {}
    _warn_of_unknown_keys(path, fields)
    return ProblemYaml(fields)


def _warn_of_unknown_keys(path: Path, config: Mapping[str, Any]) -> None:
    limits = config.get("limits")
    places = (("", config, _KEYS), ("limits: ", limits, _LIMIT_KEYS))
    for place, fields, known_keys in places:
        for key in sorted(map(str, fields if isinstance(fields, Mapping) else ())):
            if key not in known_keys:
                guess = guess_name(key, known_keys)
                _log.warning("%s: %s%s is not read%s", path, place, key, guess)


def _check_limits(limits: Any) -> Mapping[str, Any]:
    if limits is not None and not isinstance(limits, Mapping):
        raise PackageError(f"problem.yaml: limits is {limits!r}, not a mapping")
    for key, value in (limits or {}).items():
        is_number = isinstance(value, Mapping) or to_positive_number(value) is not None
        if value is not None and not is_number:
            raise PackageError(f"problem.yaml: limits: {key} is {value!r}, not a number")
    return limits or {}


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
