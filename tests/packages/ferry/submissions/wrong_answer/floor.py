# @EXPECTED_RESULTS@: CORRECT
# The tag has no meaning in this folder.
cars, size = map(int, input().split())
print(cars // size)
