import sys

lockers = int(open(sys.argv[1]).read())
arguments = sys.argv[4:]
first = [1] if not arguments else [int(word) for word in arguments[1].split()]
assert not arguments or arguments[0] == "first"
given = sorted(map(int, sys.stdin.read().split()))
expected = [list(range(start, start + lockers)) for start in first]
sys.exit(42 if given in expected else 43)
