cars, size = map(int, input().split())
rides = 0
while cars > 0:
    cars -= size
    rides += 1
print(rides)
