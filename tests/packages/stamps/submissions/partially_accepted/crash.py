stamps, row = map(int, input().split())
print(stamps // row + 1 // (stamps % row))
