import sys

sys.exit(42 if len(sys.stdin.read().split()) <= int("{{ROWS}}") else 43)
