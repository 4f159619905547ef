count = int(input())
total = sum(map(int, input().split()))
print(total // 2 if count == 2 else total / count)
