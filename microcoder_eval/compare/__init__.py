"""Comparison of what a program gave with what is expected; light enough for every worker."""

from .comparer import Comparer, Match
from .registry import comparer, names, parse_spec

__all__ = ["Comparer", "Match", "comparer", "names", "parse_spec"]
