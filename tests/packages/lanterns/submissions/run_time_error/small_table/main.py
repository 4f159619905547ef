from lantern import glow

table = [glow(lantern) for lantern in range(1, 51)]
n = int(input())
print(max(range(n), key=lambda i: table[i]) + 1)
