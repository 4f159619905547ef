if int(input()) > 10:
    raise SystemExit("too deep")
depth = 1
print(depth, flush=True)
while input() == "water":
    depth += 1
    print(depth, flush=True)
print("=", depth, flush=True)
