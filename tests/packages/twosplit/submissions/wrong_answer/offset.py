n = int(input())
first = max(1, n // 2 - 2)
print(first, n - first)
