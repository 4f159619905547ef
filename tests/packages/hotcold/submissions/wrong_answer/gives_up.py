print(7, flush=True)
input()
