"""Points: groups of tests, and what the results of the tests are worth."""

from .aggregate import CaseOutcome, GroupPoints, TotalPoints, list_needed_tests, score_groups
from .groups import OBJECTIVES, TestGroup, encode_groups, list_leaf_groups, parse_groups

__all__ = [
    "OBJECTIVES",
    "CaseOutcome",
    "GroupPoints",
    "TestGroup",
    "TotalPoints",
    "encode_groups",
    "list_leaf_groups",
    "list_needed_tests",
    "parse_groups",
    "score_groups",
]
