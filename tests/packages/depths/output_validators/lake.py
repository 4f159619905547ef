"""Answers measurements, and scores how few of them there were."""

import sys

feedback_dir, flags = sys.argv[3], sys.argv[4:]
allowed = int(flags[flags.index("full") + 1])
points = float(flags[flags.index("points") + 1])
with open(sys.argv[1]) as file:
    greatest, depth = map(int, file.read().split())
print(greatest, flush=True)
for measured in range(101):
    words = sys.stdin.readline().split()
    if len(words) == 2 and words[0] == "=":
        if words[1] != str(depth):
            sys.exit(43)
        with open(feedback_dir + "score.txt", "w") as file:
            print(points if measured <= allowed else points / 2, file=file)
        sys.exit(42)
    if len(words) != 1 or not words[0].isdigit():
        sys.exit(43)
    print("water" if depth > int(words[0]) else "ground", flush=True)
sys.exit(43)
