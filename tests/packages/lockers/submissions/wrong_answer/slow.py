import time

end = time.process_time() + 0.5
while time.process_time() < end:
    pass
print(*range(2, 2 + int(input())))
