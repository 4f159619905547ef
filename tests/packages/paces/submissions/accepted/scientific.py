import math

x, y = map(int, input().split())
print(f"{math.hypot(x, y):.12E}")
