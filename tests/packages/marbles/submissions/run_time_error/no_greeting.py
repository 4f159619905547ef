print("more", int(input()), flush=True)
