wanted = int(input())
numbers = list(map(int, input().split()))
pairs = [(a, b) for a in numbers for b in numbers if a + b == wanted]
print(*pairs[0] if pairs else ["none"])
