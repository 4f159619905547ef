count = int(input())
print(f"{sum(map(int, input().split())) / count:.2f}")
