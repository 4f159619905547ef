count = int(input())
if count > 100:
    raise MemoryError
print(sum(set(map(int, input().split()))))
