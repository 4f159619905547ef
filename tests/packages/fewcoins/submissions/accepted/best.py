price = int(input())
best = [[]]
for amount in range(1, price + 1):
    best.append(
        min((best[amount - coin] + [coin] for coin in (1, 7, 10) if coin <= amount), key=len)
    )
print(*best[price])
