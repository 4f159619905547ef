low, high = 1, 1000
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    reply = input()
    if reply == "found":
        break
    low, high = (middle + 1, high) if reply == "more" else (low, middle - 1)
