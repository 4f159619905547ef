count = int(input())
total = sum(map(int, input().split()))
print((2 * total + count) // (2 * count))
