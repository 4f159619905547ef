print(input().upper(), end="")
