import sys

pots, row = sys.stdin.read().split("\n")[:2]
assert int(pots) == len(row.split()) >= 1
sys.exit(42)
