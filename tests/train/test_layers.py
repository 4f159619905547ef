"""Folders of the trainer import only those below them."""

from __future__ import annotations

import ast
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "microcoder_train"
# From the bottom to the top; "": config, samples and the other modules that all folders share.
LAYERS = ("algorithm", "", "environment", "learner", "rollout", "run", "cli")


def imported_layers(file: Path) -> set[str]:
    """The layers of the modules that a file imports from other folders, wherever it does."""
    modules = {
        f"{node.module}.{alias.name}"
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0
        for alias in node.names
    }
    parts = [name.split(".") for name in modules if name.startswith("microcoder_train.")]
    return {path[1] if path[1] in LAYERS else "" for path in parts}


def test_every_folder_is_a_layer() -> None:
    folders = {file.parent.name for file in PACKAGE.glob("*/__init__.py")}
    assert folders | {""} == set(LAYERS)


def test_folders_import_only_those_below_them() -> None:
    upward = [
        (str(file.relative_to(PACKAGE)), layer)
        for height, name in enumerate(LAYERS)
        for file in (PACKAGE / name).glob("*.py")
        for layer in imported_layers(file)
        if LAYERS.index(layer) > height
    ]
    assert upward == []
