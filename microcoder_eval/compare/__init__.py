"""Compares the answers of programs with the expected ones. Light, as every worker imports it."""

from .comparer import Comparer, Match
from .kattis import parse_kattis_flags
from .making import list_comparers, make_comparer, parse_spec
