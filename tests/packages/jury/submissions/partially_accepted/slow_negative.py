n = int(input())
while n < 0:
    pass
print(n * n)
