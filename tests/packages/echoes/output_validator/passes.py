"""Sends the word of the first pass to the second pass."""

import os
import re
import sys

word = sys.stdin.read().strip()
with open(sys.argv[1]) as file:
    task, text = file.read().split()  # of this pass
with open(sys.argv[2]) as file:
    number = file.read().strip()
if task == "hide" and text != number:
    sys.exit("the input is not that of the test")
if not os.path.exists(sys.argv[3] + "first"):
    if not re.fullmatch("[a-z]+", word):
        sys.exit(43)
    with open(sys.argv[3] + "first", "w") as file:
        file.write(word)
    with open(sys.argv[3] + "nextpass.in", "w") as file:
        print("find", word, file=file)
    sys.exit(42)
with open(sys.argv[3] + "first") as file:
    if (task, text) != ("find", file.read()):
        sys.exit("the input is not that of the second pass")
sys.exit(42 if word == number else 43)
