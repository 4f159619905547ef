n = int(input())
print(n * n if abs(n) < 10 else 0)
