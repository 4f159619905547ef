import math

x, y = map(int, input().split())
print(x / (x / math.hypot(x, y)))
