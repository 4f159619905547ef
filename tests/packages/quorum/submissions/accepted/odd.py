n = int(input())
print("yes" if n == 2 or n % 2 else "no")
