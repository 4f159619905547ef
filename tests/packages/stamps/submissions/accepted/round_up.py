stamps, row = map(int, input().split())
print(-(-stamps // row))
