import sys

sys.exit(42 if len(sys.stdin.read().split()) <= 3 else 43)
