print(input().split().count("yes"))
