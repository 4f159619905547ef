count = int(input())
print(abs(sum(map(int, input().split()))) / count)
