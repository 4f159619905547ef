n = int(input())
sizes = list(range(n)) if n < 1000 else []
first = sizes[(n - 1) // 2]
print(first, n - first)
