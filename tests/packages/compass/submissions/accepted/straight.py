east, north = map(int, input().split())
print(("E" * east or "W" * -east) + ("N" * north or "S" * -north))
