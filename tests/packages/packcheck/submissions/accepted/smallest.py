n = int(input())
print(next(k for k in range(2, n) if n % k == 0))
