"""Scores a payment with the number of its coins."""

import sys

with open(sys.argv[1]) as file:
    price = int(file.read())
words = sys.stdin.read().split()
if not all(word in ("1", "7", "10") for word in words) or sum(map(int, words)) != price:
    sys.exit(43)
with open(sys.argv[3] + "score.txt", "w") as file:
    print(len(words), file=file)
sys.exit(42)
