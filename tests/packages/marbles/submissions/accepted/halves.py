assert input() == "hello"
low, high = 0, 15
while low < high:
    middle = (low + high) // 2
    print("more", middle, flush=True)
    if input() == "yes":
        low = middle + 1
    else:
        high = middle
print(low)
