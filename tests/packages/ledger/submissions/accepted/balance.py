numbers = list(map(int, input().split()))
assert len(numbers) <= int("{{ROWS}}")
print(sum(numbers))
