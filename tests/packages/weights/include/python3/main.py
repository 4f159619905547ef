import wagons

input()
print(wagons.heaviest(list(map(int, input().split()))))
