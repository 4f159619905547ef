input()
depth = 1
print(depth, flush=True)
while input() == "water":
    depth += 1
    print(depth, flush=True)
print("=", depth, flush=True)
