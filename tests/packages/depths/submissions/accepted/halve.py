low, high = 1, int(input())
while low < high:
    middle = (low + high) // 2
    print(middle, flush=True)
    if input() == "water":
        low = middle + 1
    else:
        high = middle
print("=", low, flush=True)
