"""Groups of Kattis packages of the format 2025-09 and its drafts, 2023-07: test_group.yaml.

The drafts have the keys "score", "aggregation" and "require_pass" in a mapping "scoring", and
groups of groups; the format has "max_score", "score_aggregation" and "require_pass", and the
folders in a group are not groups.

Source: the problem package format (https://www.kattis.com/problem-package-format/spec/2025-09.html
#scoring-problems).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from microcoder_eval.formats.packages.files import read_points
from microcoder_eval.formats.packages.package import (
    PackageError,
    PackageTest,
    UnsupportedPackageError,
)
from microcoder_eval.points import TestGroup

from .group_settings import Folder, Settings

_MAPPINGS = ("scoring", "grading")  # keys of the drafts
_KEYS = {  # a key of the drafts or of the format: the key of the drafts
    "score": "score",
    "max_score": "score",
    "aggregation": "aggregation",
    "score_aggregation": "aggregation",
    "require_pass": "require_pass",
}


def read_2023_groups(
    settings: Settings, tests: Sequence[PackageTest], file_name: str
) -> tuple[TestGroup, ...]:
    """Return the groups of a package. file_name: the name of the files with their settings. Raises
    PackageError."""
    root = settings.read_tree(tests, file_name)
    groups: list[TestGroup] = []
    for folder in root.folders:
        if folder.path != "secret":
            groups.append(TestGroup(folder.path, tuple(folder.list_tests()), points=0.0))
            continue
        group = _read_group(folder, _read_max(folder, 100.0), "sum")
        if group.groups and group.aggregation == "sum":
            groups += [
                replace(child, requires=(*group.requires, *child.requires))
                for child in group.groups
            ]
        else:
            groups.append(group)
    return _resolve_requirements(root, tests, groups)


def _read_scoring(folder: Folder) -> dict[str, Any]:
    """Return the folder's own scoring, under the keys of the drafts."""
    scoring: Any = next(
        (folder.own[key] for key in _MAPPINGS if folder.own.get(key) is not None), {}
    )
    if not isinstance(scoring, dict):
        raise PackageError(f"data/{folder.path}: scoring must be a mapping")
    values = {**scoring, **folder.own}
    return {name: values[key] for key, name in _KEYS.items() if values.get(key) is not None}


def _read_max(folder: Folder, default: float) -> float | None:
    """Return the most points of a group, None if they are unbounded."""
    value = _read_scoring(folder).get("score", default)
    return None if value == "unbounded" else read_points(value, f"data/{folder.path}: score")


def _read_group(folder: Folder, best: float | None, default: str) -> TestGroup:
    scoring = _read_scoring(folder)
    aggregation = scoring.get("aggregation", default)
    if aggregation not in ("pass-fail", "sum", "min"):
        raise PackageError(f"data/{folder.path}: aggregation is {aggregation!r}")
    required = scoring.get("require_pass", ())
    group = TestGroup(
        name=folder.path,
        points=best,
        aggregation="sum" if aggregation == "sum" else "min",
        accept="any" if aggregation == "sum" else "all",
        requires=(required,) if isinstance(required, str) else tuple(map(str, required)),
    )
    if aggregation == "pass-fail" or not _has_groups(folder):
        return replace(group, tests=tuple(folder.list_tests()))
    if folder.tests:
        raise UnsupportedPackageError(
            "mixed_group", f"data/{folder.path} has both tests and groups, which the format forbids"
        )
    declaring = [child for child in folder.folders if "score" in _read_scoring(child)]
    declared = {child.path: _read_max(child, 0.0) for child in declaring}
    inferred = best
    if best is not None and aggregation == "sum":
        inferred = _share_rest(best, declared.values(), folder)
    bests = [(child, declared.get(child.path, inferred)) for child in folder.folders]
    children = (_read_group(child, best, "pass-fail") for child, best in bests)
    return replace(group, groups=tuple(children))


def _has_groups(folder: Folder) -> bool:
    """Whether the folders in this one are groups. In secret/ all are; further down only the drafts
    have groups, whose folders have settings of their own."""
    return bool(folder.folders) and (
        folder.path == "secret" or any(child.own for child in folder.folders)
    )


def _share_rest(best: float, declared: Collection[float | None], folder: Folder) -> float:
    """Return the points of a group that declares none: an equal share of what the others leave."""
    left = best - math.fsum(value for value in declared if value is not None)
    if left < -1e-9:
        raise PackageError(
            f"data/{folder.path}: its groups have more points than its score {best:g}"
        )
    return left / max(1, len(folder.folders) - len(declared))


def _resolve_requirements(
    root: Folder, tests: Sequence[PackageTest], groups: Sequence[TestGroup]
) -> tuple[TestGroup, ...]:
    """Replace the name of a required folder by that of the group which it became part of."""
    names = {one.name for group in groups for one in (group, *group.groups)}

    def resolve(name: str) -> str:
        while name and name not in names:
            name = name.rpartition("/")[0]
        if not name:
            raise PackageError("require_pass names a group that has no tests")
        return name

    return tuple(
        replace(group, requires=tuple(resolve(name.strip("/")) for name in group.requires))
        for group in groups
    )
