print(int(float(input()) % 12))
