import sys

assert 1 <= int(sys.stdin.read()) <= 9
sys.exit(42)
