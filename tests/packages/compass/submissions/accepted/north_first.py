east, north = map(int, input().split())
print("S" * -north + "N" * north + "W" * -east + "E" * east)
