input()
marbles = 0
while True:
    print("more", marbles, flush=True)
    if input() == "no":
        break
    marbles += 1
print(marbles)
