lockers = int(input())
print(*range(1, lockers + 1))
