east, north = map(int, input().split())
print("E" * abs(east) + "N" * north + "S" * -north)
