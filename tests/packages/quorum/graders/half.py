"""Accepts a group if at least half of its results are accepted."""

import sys

verdicts = [line.split()[0] for line in sys.stdin if line.strip()]
failures = [verdict for verdict in verdicts if verdict != "AC"]
print("AC 0" if 2 * len(failures) <= len(verdicts) else f"{failures[0]} 0")
