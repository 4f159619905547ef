"""Points: groups of tests, and what the results of the tests are worth."""

from .aggregate import GroupPoints, TotalPoints, may_be_full, score_groups
from .groups import GRADER, TestGroup, encode_groups, list_leaf_groups, parse_groups, walk_groups
from .outcomes import CaseOutcome, Grade, list_needed_tests
