"""Groups of Kattis packages of the legacy format: testdata.yaml.

Source: the problem package format, legacy (https://www.kattis.com/problem-package-format/spec/
legacy.html#test-data-groups and #default-grader-specification).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from microcoder_eval.formats.packages.files import read_points
from microcoder_eval.formats.packages.package import (
    PackageError,
    PackageTest,
    UnsupportedPackageError,
)
from microcoder_eval.points import GRADER, TestGroup

from .group_settings import LEGACY_FILE, Folder, Settings
from .problem_yaml import ProblemYaml, is_for_domjudge

_AGGREGATIONS = ("sum", "avg", "min", "max")
_VERDICT_MODES = ("worst_error", "no_errors", "first_error", "always_accept")
_FLAGS = (*_AGGREGATIONS, *_VERDICT_MODES, "ignore_sample", "accept_if_any_accepted")
_DECIDING_FLAGS = {"always_accept", "accept_if_any_accepted", "ignore_sample"}
LEGACY_KEYS = {"on_reject", "grading", "grader_flags", "accept_score", "reject_score", "range"}
_OVERRIDES = ("accept_score", "reject_score", "range")  # of problem.yaml, for all groups


def read_deciding_groups(settings: Settings, tests: Sequence[PackageTest]) -> tuple[TestGroup, ...]:
    """Return the groups of a pass-fail problem, worth one point; none if they only say that every
    test must be accepted."""
    groups = [own for _, own in settings.list_groups(LEGACY_FILE)]
    flags = {flag for own in groups for flag in str(own.get("grader_flags") or "").split()}
    is_custom = any(own.get("grading") == "custom" for own in groups)
    if not tests or not (is_custom or flags & _DECIDING_FLAGS):
        return ()
    root = settings.read_tree(tests, LEGACY_FILE)
    return _PassFailReader({}, False, "max").read_root(root)


def read_legacy_groups(
    settings: Settings, config: ProblemYaml, tests: Sequence[PackageTest]
) -> tuple[tuple[TestGroup, ...], str]:
    """Return (the groups of a package with points, its objective). Raises PackageError."""
    grading = config.fields.get("grading")
    grading = grading if isinstance(grading, dict) else {}
    objective = str(grading.get("objective") or "max")
    if objective not in ("max", "min"):
        raise PackageError(f"problem.yaml: objective is {objective!r}, not max or min")
    root = settings.read_tree(tests, LEGACY_FILE)
    overrides = {key: grading[key] for key in _OVERRIDES if grading.get(key) is not None}
    on_reject = {"first_error": "break", "grade": "continue"}.get(str(grading.get("on_reject")))
    if on_reject is not None:
        overrides["on_reject"] = on_reject
    reader_class = _LegacyReader
    if is_for_domjudge(settings.data.parent):
        reader_class = _DomjudgeReader
        root.own.pop("range", None)  # there a range is that of its own folder
    elif "range" in overrides:
        root.own["range"] = overrides["range"]
    reader = reader_class(overrides, "score" in config.words, objective)
    return reader.read_root(root), objective


class _LegacyReader:
    """Reads the groups of a package in the legacy format.

    overrides: problem.yaml's settings for all groups. has_scores: whether validators give points.
    """

    def __init__(self, overrides: Mapping[str, Any], has_scores: bool, objective: str) -> None:
        self._overrides = overrides
        self._has_scores = has_scores
        self._objective = objective

    def read_root(self, root: Folder) -> tuple[TestGroup, ...]:
        """Return the groups of data/; if the sample is ignored, those of secret/."""
        if not self._ignores_sample(root):
            return self._flatten(self._read_group(root), root)
        groups: list[TestGroup] = []
        for folder in root.folders:
            if folder.path == "sample":
                groups.append(replace(self._read_group(folder), points=0.0))
                continue
            if "range" in root.own:
                folder.own.setdefault("range", root.own["range"])
            groups += self._flatten(self._read_group(folder), folder)
        return tuple(groups)

    def _ignores_sample(self, root: Folder) -> bool:
        return not self._is_custom(root) and "ignore_sample" in self._read_flags(root)

    def _flatten(self, group: TestGroup, folder: Folder) -> tuple[TestGroup, ...]:
        """Return a group's own groups if its points are always their sum; else the group itself."""
        best = self._read_best(folder)
        is_sum = group.aggregation == "sum" and group.accept != "all" and group.on_fail != "stop"
        is_known = best is None or all(child.points is not None for child in group.groups)
        return group.groups if group.groups and is_sum and is_known else (group,)

    def _read_group(self, folder: Folder) -> TestGroup:
        is_custom = self._is_custom(folder)
        aggregation = accept = GRADER  # the package's grader sets verdict and points
        if not is_custom:
            flags = self._read_flags(folder)
            aggregation = next((flag for flag in reversed(flags) if flag in _AGGREGATIONS), "sum")
            mode = next((flag for flag in reversed(flags) if flag in _VERDICT_MODES), "")
            accept = "any" if "accept_if_any_accepted" in flags else "all"
            accept = "always" if mode == "always_accept" else accept
        children = self._read_children(folder) if folder.folders else ()
        has_range = is_custom or self._has_scores
        grader_flags = str(self._get(folder, "grader_flags", ""))
        group = TestGroup(
            name=folder.path or "data",
            tests=() if children else tuple(folder.tests),
            groups=children,
            points=self._read_best(folder) if has_range else None,
            aggregation=aggregation,
            accept=accept,
            on_fail="stop" if self._get(folder, "on_reject", "break") == "break" else "continue",
            grader_args=tuple(grader_flags.split()) if is_custom else (),
        )
        if children and not is_custom:
            return group
        score = self._read_score(folder, "accept_score", 1.0)
        if not has_range:
            points = score * len(folder.tests) if aggregation == "sum" else score
            group = replace(group, points=points)
        is_share = not is_custom and group.share == score
        return replace(
            group,
            test_points=None if is_share else score,
            fail_points=self._read_score(folder, "reject_score", 0.0),
        )

    def _is_custom(self, folder: Folder) -> bool:
        return bool(self._get(folder, "grading", "default") == "custom")

    def _read_children(self, folder: Folder) -> tuple[TestGroup, ...]:
        # A test beside folders is a group of its own; items are in the order of their tests.
        children = [(child.list_tests()[0], self._read_group(child)) for child in folder.folders]
        if folder.tests:
            score = self._read_score(folder, "accept_score", 1.0)
            own = TestGroup(
                f"{folder.path or 'data'} test",
                points=None if self._has_scores else score,
                test_points=score,
                fail_points=self._read_score(folder, "reject_score", 0.0),
                aggregation="sum",
            )
            children += [
                (index, replace(own, name=f"{own.name} {index}", tests=(index,)))
                for index in folder.tests
            ]
        if self._has_scores and len(folder.folders) == 1 and not folder.tests:
            ((first, only),) = children
            if only.points is None and not only.groups:
                children = [(first, replace(only, points=self._read_best(folder)))]
        return tuple(child for _, child in sorted(children, key=lambda item: item[0]))

    def _read_best(self, folder: Folder) -> float | None:
        """Return the best end of the folder's own range; None if it has no range."""
        text = folder.own.get("range")
        if text is None:
            return None
        ends = str(text).split() if not isinstance(text, list) else text
        try:
            low, high = map(float, ends)
        except (TypeError, ValueError):
            raise PackageError(f"data/{folder.path}: range is {text!r}, not two numbers") from None
        best = low if self._objective == "min" else high
        return best if math.isfinite(best) else None

    def _read_flags(self, folder: Folder) -> list[str]:
        flags = str(self._get(folder, "grader_flags", "")).split()
        if "grader_flags" not in folder.own:  # inherited flags may be for a grader further up
            return [flag for flag in flags if flag in _FLAGS]
        unknown = next((flag for flag in flags if flag not in _FLAGS), None)
        if unknown is not None:
            raise UnsupportedPackageError(
                "unknown_grader_flag", f"data/{folder.path}: grader_flags has {unknown!r}"
            )
        return flags

    def _read_score(self, folder: Folder, key: str, default: float) -> float:
        return read_points(self._get(folder, key, default), f"data/{folder.path}: {key}")

    def _get(self, folder: Folder, key: str, default: Any) -> Any:
        value = self._overrides.get(key, folder.config.get(key))
        return default if value is None else value


class _PassFailReader(_LegacyReader):
    """Reads groups that are worth one point each if they are accepted."""

    def _read_group(self, folder: Folder) -> TestGroup:
        group = super()._read_group(folder)
        return replace(group, aggregation="full", points=1.0, test_points=None, fail_points=0.0)

    def _flatten(self, group: TestGroup, folder: Folder) -> tuple[TestGroup, ...]:
        return (group,)


class _DomjudgeReader(_LegacyReader):
    """Reads groups as DOMjudge does. A group without groups is worth its accept_score if all its
    tests pass, or what the validator gives. Groups are aggregated whether they are accepted or not,
    and the sample is not scored. Source: DOMjudge's example_scoring_problems."""

    def _ignores_sample(self, root: Folder) -> bool:
        return True

    def _read_group(self, folder: Folder) -> TestGroup:
        group = replace(super()._read_group(folder), on_fail="continue")
        if group.accept == GRADER:
            return group
        if group.groups:
            return replace(group, accept="always")
        if "accept_score" in folder.config:
            points = self._read_score(folder, "accept_score", 1.0)
            return replace(group, points=points, aggregation="min", accept="all", test_points=None)
        return replace(group, points=self._read_best(folder), accept="any")
