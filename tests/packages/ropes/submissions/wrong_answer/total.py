input()
print(2000 + sum(map(int, input().split())))
