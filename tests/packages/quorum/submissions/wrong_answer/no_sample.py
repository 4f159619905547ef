n = int(input())
print("yes" if n > 2 and all(n % d for d in range(2, n)) else "no")
