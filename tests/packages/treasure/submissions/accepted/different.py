input()
print(sum(set(map(int, input().split()))))
