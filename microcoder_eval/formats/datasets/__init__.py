"""Rewrites rows of public datasets into the format of this project: a module for each."""

from __future__ import annotations

from importlib import import_module

from .format import Format

# If several recognise a row, the first one that reads all of its tests is used, else the first one.
_NAMES = (
    "livecodebench leetcodedataset bigcodebench humaneval_x multipl_e evalplus cruxeval quixbugs "
    "humaneval mbpp apps kodcode codecontests codeforces primeintellect verl deepcoder cure"
)
FORMATS: tuple[Format, ...] = tuple(
    import_module(f".{name}", __package__).FORMAT for name in _NAMES.split()
)
