print(open("missing.txt").read())
