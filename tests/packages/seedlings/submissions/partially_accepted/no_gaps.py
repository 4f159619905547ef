input()
print(sum(int(pot) for pot in input().split() if int(pot) > 0))
