print(max(0, *map(int, input().split())))
