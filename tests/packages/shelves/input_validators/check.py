import sys

sys.exit(42 if len(sys.stdin.read().split()) == 2 else 43)
