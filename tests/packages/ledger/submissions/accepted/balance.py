numbers = list(map(int, input().split()))
assert len(numbers) <= 3
print(sum(numbers))
