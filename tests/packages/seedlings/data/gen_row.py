import random
import sys

from settings import read_settings

settings = read_settings(sys.argv[1:-1])
random.seed(int(sys.argv[-1]))
low = int(settings["low"])
row = [random.randint(low, max(low, 9)) for _ in range(int(settings["pots"]))]
print(len(row))
print(*row)
