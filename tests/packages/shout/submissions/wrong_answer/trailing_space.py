print(input().upper(), "")
