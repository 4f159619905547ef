print(input().count("."))
