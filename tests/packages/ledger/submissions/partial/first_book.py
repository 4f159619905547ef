n = sum(map(int, input().split()))
print(n if n > -100 else 0)
