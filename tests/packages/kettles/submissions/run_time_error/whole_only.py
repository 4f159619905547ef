first, second = input().split()
second = float(second) if "." in second else 1 / int(second)
print((float(first) + second) * 2 / 3)
