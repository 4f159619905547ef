length, _ = map(int, input().split())
taken = []
for number, tile in enumerate(map(int, input().split()), 1):
    if tile <= length:
        length -= tile
        taken.append(number)
print(len(taken))
print(*taken)
