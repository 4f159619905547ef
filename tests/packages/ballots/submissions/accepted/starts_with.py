print(input().count("y"))
