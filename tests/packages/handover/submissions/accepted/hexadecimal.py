words = input().split()
if words[0] == "first":
    low, high = 0, 256
    while high - low > 1:
        middle = (low + high) // 2
        print("?", middle, flush=True)
        low, high = (low, middle) if input() == "yes" else (middle, high)
    print("!", format(low, "x"), flush=True)
else:
    print("!", int(words[1], 16), flush=True)
