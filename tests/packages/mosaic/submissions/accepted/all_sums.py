length, _ = map(int, input().split())
tiles = list(map(int, input().split()))
ways = {0: []}
for number, tile in enumerate(tiles, 1):
    for filled, numbers in list(ways.items()):
        if filled + tile <= length:
            ways.setdefault(filled + tile, [*numbers, number])
best = ways[max(ways)]
print(len(best), *best)
