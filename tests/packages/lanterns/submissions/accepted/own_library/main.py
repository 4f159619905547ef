from lantern import glow

print(max(range(1, int(input()) + 1), key=glow))
