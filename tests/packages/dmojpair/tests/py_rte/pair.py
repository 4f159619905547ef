wanted = int(input())
numbers = list(map(int, input().split()))
a = next(a for a in numbers if wanted - a in numbers and wanted != 2 * a)
print(wanted - a, a)
