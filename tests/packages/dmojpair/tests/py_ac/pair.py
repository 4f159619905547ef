wanted = int(input())
numbers = list(map(int, input().split()))
pairs = [(a, b) for a in numbers for b in numbers if a != b and a + b == wanted]
print(*pairs[-1] if pairs else ["none"])
