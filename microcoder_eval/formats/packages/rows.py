"""A folder of packages as a source of rows, as a file of rows is one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from microcoder_eval.errors import DataError
from microcoder_eval.formats.plain_files import list_test_rows
from microcoder_eval.log import get_logger

from . import MARKERS, PackageError, make_row, read_package
from .tree import scan_tree

_MAX_NAMES = 10  # of what was left out
_log = get_logger("packages")


def list_rows(folder: Path) -> Iterator[tuple[bytes, str | None]]:
    """Yield (row, why it cannot be used) of each package, by id, else of tests in plain files.
    Raises DataError where there is neither."""
    tree = scan_tree(folder, MARKERS)
    if not tree.packages:
        rows = list(list_test_rows(folder))
        if not rows:
            names = ", ".join(MARKERS)
            message = (
                f"is a folder without packages and tests (looked for {names}, 1.in with 1.out)"
            )
            raise DataError(message, str(folder))
        yield from rows
        return
    if tree.strays:
        _log.warning("%s: %s", folder, describe_strays(tree.strays))
    for problem_id, path in tree.packages:
        try:
            row = make_row(replace(read_package(path), name=problem_id))
        except PackageError as error:
            yield json.dumps({"problem_id": problem_id}).encode(), f"{problem_id}: {error.message}"
        else:
            yield json.dumps(row).encode(), None


def describe_strays(strays: tuple[str, ...]) -> str:
    """Return one line about what holds no package."""
    names = ", ".join(strays[:_MAX_NAMES]) + (", …" if len(strays) > _MAX_NAMES else "")
    return f"{len(strays)} entries without a package were skipped: {names}"
