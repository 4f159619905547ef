import math

print(math.isqrt(int(input())) + 3)
