"""How Kattis packages score."""

from __future__ import annotations

from collections.abc import Sequence

from microcoder_eval.formats.packages.package import PackageTest
from microcoder_eval.points import TestGroup
from microcoder_sandbox import record

from .group_settings import GROUP_FILE, LEGACY_FILE, Settings
from .groups_2023 import read_2023_groups
from .groups_legacy import LEGACY_KEYS, read_deciding_groups, read_legacy_groups
from .problem_yaml import ProblemYaml


@record
class Scoring:
    """How a package scores. groups: empty if the problem has no points. objective: see Problem."""

    groups: tuple[TestGroup, ...] = ()
    objective: str = "max"


def read_scoring(settings: Settings, config: ProblemYaml, tests: Sequence[PackageTest]) -> Scoring:
    """Return how a package in any format scores. Raises PackageError."""
    if "scoring" not in config.words or not tests:
        return Scoring(read_deciding_groups(settings, tests) if config.is_legacy else ())
    file_name = _find_group_file(settings)
    if config.is_legacy or file_name is None:
        return Scoring(*read_legacy_groups(settings, config, tests))
    return Scoring(read_2023_groups(settings, tests, file_name))


def _find_group_file(settings: Settings) -> str | None:
    """Return the name of the files that hold the settings of groups; None if these are the legacy
    format's, as in early drafts."""
    if settings.list_groups(GROUP_FILE):
        return GROUP_FILE
    items = [item for _, own in settings.list_groups(LEGACY_FILE) for item in own.items()]
    is_legacy = any(key in LEGACY_KEYS and not isinstance(value, dict) for key, value in items)
    return None if is_legacy else LEGACY_FILE
