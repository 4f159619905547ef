# Keeps its numbers in a file.
lockers = int(input())
first = 20 if lockers == 3 else 1
with open("numbers.txt", "w") as file:
    print(*reversed(range(first, first + lockers)), file=file)
print(open("numbers.txt").read())
