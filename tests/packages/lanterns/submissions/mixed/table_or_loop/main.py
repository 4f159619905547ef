from lantern import glow

n = int(input())
while n > 900:
    pass
print(max(range(1, n + 1), key=glow))
