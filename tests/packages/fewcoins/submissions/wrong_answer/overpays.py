print("10 " * (int(input()) // 10 + 1))
