input()
ships = list(map(int, input().split()))
print((min(ships) + max(ships)) // 2)
