count = int(input().split()[1])
print(count, *range(1, count + 1))
