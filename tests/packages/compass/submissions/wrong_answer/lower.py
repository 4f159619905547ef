east, north = map(int, input().split())
print(("E" * east + "W" * -east + "N" * north + "S" * -north).lower())
