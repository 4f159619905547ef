print(int(input()) % 12)
