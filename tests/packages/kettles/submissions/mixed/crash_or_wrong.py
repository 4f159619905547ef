# @EXPECTED_RESULTS@: RUN-ERROR, WRONG-ANSWER
first, second = map(int, input().split())
print(first * 2 / 3)
