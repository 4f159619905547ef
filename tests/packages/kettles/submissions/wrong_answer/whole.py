print(round(sum(map(float, input().split())) * 2 / 3))
