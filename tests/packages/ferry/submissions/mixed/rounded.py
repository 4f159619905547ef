"""
Rounds to the nearest number of rides.
@EXPECTED_RESULTS@: CORRECT, WRONG-ANSWER
"""

cars, size = map(int, input().split())
print(round(cars / size))
