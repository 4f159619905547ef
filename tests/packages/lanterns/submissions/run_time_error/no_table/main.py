from lantern import glow

n = int(input())
print(max(range(1, n + 1), key=glow) if n < 100 else int("none"))
