"""DMOJ packages: init.yml, and what it names.

Source: the problem format in the documentation of DMOJ's judge.
"""

from __future__ import annotations

from pathlib import Path

from microcoder_eval.formats.packages.files import read_lenient_text, read_yaml
from microcoder_eval.formats.packages.package import Package, PackageError

from .cases import make_generator_error, make_groups, read_cases
from .checkers import add_point_values, read_judge
from .programs import read_includes, read_submissions

_UNSUPPORTED_KEYS = ("grader", "custom_judge", "file_io", "symlinks")
_STATEMENT_FILES = ("statement.md", "problem.md", "readme.md")  # in any case


def read_dmoj(folder: Path) -> Package:
    """Return the problem in a folder. Raises PackageError, OSError."""
    config = read_yaml(folder / "init.yml")
    for key in _UNSUPPORTED_KEYS:
        if config.get(key):
            raise PackageError(f"init.yml: {key} is not supported: {config[key]}", key)
    if config.get("generator"):
        raise make_generator_error()
    cases = read_cases(config, folder)
    tests, groups = tuple(test for case in cases for test in case.tests), make_groups(cases)
    checker, interactor = read_judge(folder, config)
    files = {path.name.lower(): path for path in sorted(folder.iterdir()) if path.is_file()}
    statements = [files[name] for name in _STATEMENT_FILES if name in files]
    return Package(
        name=folder.resolve().name,
        platform="dmoj",
        statement=read_lenient_text(statements[0]) if statements else None,
        tests=add_point_values(tests, groups, checker),
        groups=groups,
        checker=checker,
        interactor=interactor,
        includes=read_includes(folder, config),
        submissions=tuple(read_submissions(folder)),
    )
