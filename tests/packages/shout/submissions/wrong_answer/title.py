print(input().title())
