"""Answers questions about a road with one open gate."""

import sys

QUESTIONS = 15


def finish(code, message):
    with open(sys.argv[3] + "judgemessage.txt", "a") as file:
        print(message, file=file)
    sys.exit(code)


with open(sys.argv[1]) as file:
    gates, open_gate = map(int, file.read().split())
print(gates, flush=True)
for _ in range(QUESTIONS + 1):
    words = sys.stdin.readline().split()
    if len(words) == 2 and words[0] == "!" and words[1].isdigit():
        if int(words[1]) == open_gate:
            finish(42, "found")
        finish(43, f"gate {words[1]} is closed")
    if len(words) != 3 or words[0] != "?" or not (words[1] + words[2]).isdigit():
        finish(43, "no question and no answer")
    first, last = int(words[1]), int(words[2])
    if not 1 <= first <= last <= gates:
        finish(43, "no such gates")
    print(int(first <= open_gate <= last), flush=True)
finish(43, "too many questions")
