import sys

east, north = map(int, sys.stdin.read().split())
assert abs(east) + abs(north) <= 6
sys.exit(42)
