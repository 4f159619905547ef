n = int(input())
print("yes" if all(n % d for d in range(2, n)) else "no")
