print("yes" if int(input()) == 2 else "perhaps")
