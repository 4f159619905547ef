# Seven steps or more where the way has six.
east, north = map(int, input().split())
print("NS" + "E" * east + "W" * -east + "N" * north + "S" * -north)
