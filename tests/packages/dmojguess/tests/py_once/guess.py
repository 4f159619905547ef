print(1000, flush=True)
input()
