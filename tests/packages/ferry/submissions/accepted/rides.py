cars, size = map(int, input().split())
print((cars + size - 1) // size)
