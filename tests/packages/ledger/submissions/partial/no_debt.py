print(max(0, sum(map(int, input().split()))))
