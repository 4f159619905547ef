import sys

marbles, questions = map(int, sys.stdin.read().split())
assert 0 <= marbles <= 15
assert questions > 3
sys.exit(42)
