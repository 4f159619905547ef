print("a number")
