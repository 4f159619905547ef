"""Accepts a beacon at the best place, or with `graded` any beacon, by how good it is."""

import sys

graded = "graded" in sys.argv[4:]
with open(sys.argv[1]) as file:
    ships = list(map(int, file.read().split()))[1:]
with open(sys.argv[2]) as file:
    shortest = int(file.read())
words = sys.stdin.read().split()
if len(words) != 1 or not words[0].isdigit() or int(words[0]) > 1000:
    sys.exit(43)
way = max(abs(ship - int(words[0])) for ship in ships)
if not graded:
    sys.exit(42 if way == shortest else 43)
with open(sys.argv[3] + "score_multiplier.txt", "w") as file:
    print(shortest / way if way else 1.0, file=file)
sys.exit(42)
