"""Points: groups of tests, and what the results of the tests are worth."""

from .aggregate import CaseOutcome, Grade, GroupPoints, TotalPoints, list_needed_tests, score_groups
from .groups import GRADER, TestGroup, encode_groups, list_leaf_groups, parse_groups, walk_groups
