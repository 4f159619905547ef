"""Compares the answers of programs with the expected ones. Light, as every worker imports it."""

from .comparer import Comparer, Match
from .kattis import parse_kattis_flags
from .making import make_comparer, parse_spec
from .table import COMPARERS
