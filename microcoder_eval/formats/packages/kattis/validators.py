"""The programs that judge submissions to a Kattis package: output validators, interactors, graders.

An output validator that no program replaces is the format's default validator, a comparer of ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from microcoder_eval.formats.packages.package import (
    Checker,
    CheckerProgram,
    PackageError,
    UnsupportedPackageError,
    make_program_error,
)
from microcoder_eval.formats.packages.programs import read_checker
from microcoder_eval.points import GRADER, TestGroup, walk_groups

from .group_settings import Settings
from .problem_yaml import INI_FILE, ProblemYaml, read_ini_value

VALIDATOR_FOLDERS = ("output_validators", "output_validator")
_DEFAULT_PASSES = 2  # of problems of several passes


def read_judge(
    folder: Path, config: ProblemYaml, settings: Settings
) -> tuple[Checker | None, CheckerProgram | None]:
    """Return (the checker, the interactor), one of them."""
    paths = [
        path
        for name in VALIDATOR_FOLDERS
        for path in sorted((folder / name).glob("*"))
        if not path.name.startswith(".")
    ]
    is_interactive = "interactive" in config.words
    has_several_passes = "multi-pass" in config.words
    is_custom = is_interactive or "custom" in config.words or bool(paths and not config.is_legacy)
    if not (is_custom and paths):
        _check_executables(folder)
    if not is_custom:
        comparer = {"name": "kattis", **settings.parse_flags()}
        if has_several_passes:
            raise PackageError("a problem of several passes needs an output validator")
        return comparer, None
    role = "interactor" if is_interactive else "output validator"
    validator = read_checker(paths, "kattis", settings.args, role)
    if has_several_passes:
        passes = config.get_limit("validation_passes") or _DEFAULT_PASSES
        validator = replace(validator, passes=max(2, int(passes)))
    return (None, validator) if is_interactive else (validator, None)


def _check_executables(folder: Path) -> None:
    """Refuse names of programs that DOMjudge has and the package lacks."""
    for key in ("special_compare", "special_run"):
        if name := read_ini_value(folder, key):
            raise make_program_error(
                f"{INI_FILE}: {key} is {name}, a program of the judge's own installation"
            )


def read_grader(folder: Path, groups: Sequence[TestGroup]) -> CheckerProgram | None:
    """Return the program that the groups ask for."""
    if not any(group.accept == GRADER for group in walk_groups(groups)):
        return None
    paths = sorted(path for path in folder.glob("*") if not path.name.startswith("."))
    try:
        return read_checker(paths, "", role="grader")
    except PackageError as error:
        message = f"grading is custom, by a program in graders/: {error.message}"
        raise UnsupportedPackageError("custom_grader", message) from None
